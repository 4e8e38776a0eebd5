import type { AgentStream } from '../../contracts/agent-stream.ts'
import type { PlayerState } from '../player/player-state.ts'

/** What a page shows before its script has said anything: as much as the server knew. */
export function firstState(stream: AgentStream): PlayerState {
  return {
    phase: stream.state === 'ended' ? 'ended' : stream.state === 'idle' ? 'waiting' : 'starting',
    curtain: stream.curtain.up && stream.state !== 'ended',
    picture: false,
    audio: false,
    blocked: false,
    stream,
    sentence: null,
  }
}

const statusWords: Record<PlayerState['phase'], string> = {
  connecting: 'Connecting',
  waiting: 'Waiting for the desk',
  starting: 'Live',
  playing: 'Live',
  reconnecting: 'Reconnecting',
  ended: 'Ended',
  refused: 'Not available',
}

/** The status line without its count: what a screen reader is told when it changes. */
export function statusWord(state: PlayerState): string {
  return statusWords[state.phase]
}

/** The count that follows `Live`; `null` when there is none to show. */
export function viewerCount(state: PlayerState): number | null {
  return state.phase === 'starting' || state.phase === 'playing' ? (state.stream?.viewers ?? null) : null
}

/** `1,204`, the same on server and browser. */
export function writeCount(count: number): string {
  return new Intl.NumberFormat('en').format(count)
}

/** `42 min`, `3 h 5 min`; under a minute `less than a minute`. */
export function writeWorked(seconds: number): string {
  const minutes = Math.floor(seconds / 60)
  if (minutes < 1) return 'less than a minute'
  if (minutes < 60) return `${minutes} min`
  const rest = minutes % 60
  return rest === 0 ? `${minutes / 60} h` : `${Math.floor(minutes / 60)} h ${rest} min`
}

/** What stands on the stage in the picture's place. */
export interface VeilWords {
  readonly kind: 'quiet' | 'waiting' | 'private' | 'ended' | 'refused' | 'trouble'
  readonly title: string
  readonly detail: string | null
}

/** `null`: nothing stands in the picture's way. */
export function veilWords(state: PlayerState): VeilWords | null {
  if (state.phase === 'refused') return { kind: 'refused', title: 'Nothing to see here', detail: state.sentence }
  if (state.phase === 'ended') {
    const worked = state.stream?.worked_seconds ?? 0
    return {
      kind: 'ended',
      title: 'The stream has ended',
      detail: worked > 0 ? `The agent worked ${writeWorked(worked)}.` : null,
    }
  }
  if (state.curtain) {
    return { kind: 'private', title: 'Private screen', detail: 'The picture comes back by itself.' }
  }
  if (state.picture) return null
  if (state.phase === 'waiting') {
    return { kind: 'waiting', title: 'Not on air yet', detail: 'The picture starts by itself when the desk arrives.' }
  }
  if (state.phase === 'reconnecting') {
    return { kind: 'trouble', title: 'The connection broke', detail: 'It comes back by itself in a moment.' }
  }
  if (state.sentence !== null) return { kind: 'trouble', title: 'No picture', detail: state.sentence }
  return { kind: 'quiet', title: 'The picture is on its way', detail: null }
}
