import type { ComponentChildren, RefObject } from 'preact'
import type { PlayerState } from '../player/player-state.ts'
import {
  BrokenLinkIcon,
  CheckIcon,
  CurtainIcon,
  FullScreenIcon,
  LampIcon,
  LockIcon,
  MutedIcon,
  PlayIcon,
  SoundIcon,
  SparkIcon,
} from './icons.tsx'
import { type VeilWords, veilWords } from './words.ts'

export interface StageProps {
  readonly state: PlayerState
  readonly label: string
  readonly video?: RefObject<HTMLVideoElement | null>
  readonly muted: boolean
  readonly onMute?: () => void
  readonly onPlay?: () => void
  readonly onFullScreen?: () => void
  /** Stands in the upper right corner. */
  readonly corner?: ComponentChildren
}

/**
 * The picture and what stands on it: the label, the veil (waiting, private, ended, trouble)
 * and the buttons. Its box keeps its size whatever it shows.
 */
export function Stage({ state, label, video, muted, onMute, onPlay, onFullScreen, corner }: StageProps) {
  const veil = veilWords(state)
  return (
    <section
      class="stage"
      aria-label="Live picture"
      data-phase={state.phase}
      data-curtain={state.curtain ? 'up' : 'down'}
      data-picture={state.picture ? 'shown' : 'none'}
    >
      <video
        ref={video ?? null}
        class="stage-video"
        aria-label="The agent's screen"
        autoplay
        playsinline
        muted={muted}
        disableRemotePlayback
      />
      {veil === null ? null : <Veil words={veil} />}
      {/* Says what only the picture shows otherwise. The status line says the rest. */}
      <p class="sr-only" role="status">
        {state.curtain ? 'Private screen' : state.sentence}
      </p>
      <p class="label">
        <SparkIcon />
        {label}
      </p>
      {corner}
      {state.picture && state.sentence !== null ? <p class="notice">{state.sentence}</p> : null}
      {state.blocked ? (
        <button type="button" class="stage-play" onClick={onPlay}>
          <PlayIcon />
          Play
        </button>
      ) : null}
      {state.picture ? (
        <div class="stage-controls">
          {state.audio ? (
            <button type="button" class="control" onClick={onMute}>
              {muted ? <MutedIcon /> : <SoundIcon />}
              <span class="control-word">{muted ? 'Unmute' : 'Mute'}</span>
            </button>
          ) : null}
          {onFullScreen === undefined ? null : (
            <button type="button" class="control control-small" aria-label="Full screen" onClick={onFullScreen}>
              <FullScreenIcon />
            </button>
          )}
        </div>
      ) : null}
    </section>
  )
}

const veilIcons: Record<VeilWords['kind'], () => ReturnType<typeof LampIcon> | null> = {
  quiet: () => null,
  waiting: LampIcon,
  private: CurtainIcon,
  ended: CheckIcon,
  refused: LockIcon,
  trouble: BrokenLinkIcon,
}

function Veil({ words }: { words: VeilWords }) {
  const VeilIcon = veilIcons[words.kind]
  return (
    <div class={`veil veil-${words.kind}`}>
      <VeilIcon />
      <p class="veil-title">{words.title}</p>
      {words.detail === null ? null : <p class="veil-detail">{words.detail}</p>}
      {words.kind === 'quiet' ? <span class="veil-pulse" aria-hidden="true" /> : null}
    </div>
  )
}
