import type { RefObject } from 'preact'
import type { AgentStream } from '../../contracts/agent-stream.ts'
import type { PlayerState } from '../player/player-state.ts'
import { Stage, type StageProps } from './stage.tsx'
import { CornerStatus, StatusLine } from './status-line.tsx'

/** What the server knew, and gave to the page's script. */
export interface WatchData {
  readonly view: 'page' | 'embed'
  readonly stream: AgentStream
  readonly handle: string
  /** The view ticket that the player comes with, where the stream needs one. */
  readonly vt?: string
}

export interface WatchViewProps extends Omit<WatchData, 'vt'> {
  readonly state: PlayerState
  readonly muted: boolean
  readonly video?: RefObject<HTMLVideoElement | null>
  readonly controls?: Pick<StageProps, 'onMute' | 'onPlay' | 'onFullScreen'>
}

/** What the watch page and the embed show of a stream: the same on server and browser. */
export function WatchView({ view, stream, handle, state, muted, video, controls }: WatchViewProps) {
  const { label, task } = state.stream ?? stream
  const stage: StageProps = { state, label, muted, ...(video === undefined ? {} : { video }), ...controls }
  if (view === 'embed') return <Stage {...stage} corner={<CornerStatus state={state} />} />
  return (
    <>
      <Stage {...stage} />
      <div class="caption">
        <StatusLine state={state} />
        <h1 class="task" dir="auto">
          {task.title}
        </h1>
        <p class="byline">
          <bdi>@{handle}</bdi>’s agent
        </p>
      </div>
    </>
  )
}
