import type { SnapshotFrom } from 'xstate'
import type { AgentStream } from '../../contracts/agent-stream.ts'
import type { connectionMachine } from './connection.ts'
import { sentences } from './sentences.ts'

export const playerPhases = [
  /** The first join is under way. */
  'connecting',
  /** No desk. The picture starts by itself when it comes. */
  'waiting',
  /** Live; the picture is on its way. */
  'starting',
  'playing',
  /** The server is out of reach; the player tries again by itself. */
  'reconnecting',
  'ended',
  /** Final: `sentence` says why. */
  'refused',
] as const
export type PlayerPhase = (typeof playerPhases)[number]

/** What a page shows of the player. */
export interface PlayerState {
  readonly phase: PlayerPhase
  /** The curtain is up: show `Private screen`, whatever the phase. */
  readonly curtain: boolean
  /** A picture of now is on the video element. Never while the curtain is up. */
  readonly picture: boolean
  /** There is sound to unmute. */
  readonly audio: boolean
  /** The browser wants a click before it plays: call `play()` from one. */
  readonly blocked: boolean
  /** The stream as the server last told it; `null` before that and once refused. */
  readonly stream: AgentStream | null
  /** What is wrong, for a person; `null` when nothing is. */
  readonly sentence: string | null
}

/** What the chart's snapshot means to a page. Pure. */
export function presentPlayer(snapshot: SnapshotFrom<typeof connectionMachine>): PlayerState {
  const { context } = snapshot
  const stream = context.view?.stream ?? null
  const phase = phaseOf(snapshot)
  const curtain = phase !== 'ended' && phase !== 'refused' && stream?.curtain.up === true
  return {
    phase,
    curtain,
    picture: context.fresh && !curtain,
    audio: context.audio,
    blocked: context.blocked && !curtain,
    stream,
    sentence: context.refusal ?? context.trouble ?? (stream?.link === 'interrupted' ? sentences.interrupted : null),
  }
}

function phaseOf(snapshot: SnapshotFrom<typeof connectionMachine>): PlayerPhase {
  const { context } = snapshot
  if (snapshot.matches({ wire: 'refused' })) return 'refused'
  if (snapshot.matches({ wire: 'over' })) return 'ended'
  if (!snapshot.matches({ wire: { open: 'joined' } })) {
    const firstTry = context.view === null && context.attempt <= 1 && !snapshot.matches({ wire: 'backingOff' })
    return firstTry ? 'connecting' : 'reconnecting'
  }
  if (context.view?.stream.state !== 'live') return 'waiting'
  return context.fresh || context.view.stream.curtain.up ? 'playing' : 'starting'
}
