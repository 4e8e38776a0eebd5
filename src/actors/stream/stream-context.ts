import type { LinkState, Visibility } from '../../contracts/agent-stream.ts'
import type { Refusal } from '../../contracts/problem.ts'
import type { MemoryOutcome } from '../memory/memory-machine.ts'
import type { Curtain, Millis, StreamRecord } from '../ports/store.ts'
import type { ViewRight } from '../ports/view-right.ts'
import type { PublicationReport } from '../publication/publication-machine.ts'
import type { ViewerReport } from '../viewer/viewer-machine.ts'
import type { CurtainMove } from './curtain-rules.ts'
import type { StreamDelivery } from './stream-asks.ts'
import type { VisibilityMove } from './visibility-rules.ts'

/** An accepted WHIP offer whose answer is still being made. */
export interface Publishing {
  readonly ask: string
  readonly publication: string
  readonly offer: string
}

/** What a stream's actor knows: the store's record, and what only matters while it runs. */
export interface StreamContext extends StreamRecord {
  /** Goes up with every revocation; a ticket minted before one is dead when it is kept. */
  readonly ticketEpoch: number
  /** The `link` region as data, for answers. */
  readonly link: LinkState | null
  readonly publishing: Publishing | null
  /** The WHIP session that is up, and the worker that carries the stream. */
  readonly publication: string | null
  readonly worker: string | null
  /** Counts publications; players consume by this number. */
  readonly media: number
  /** The publication's producers are there to be consumed. */
  readonly mediaReady: boolean
  /** The publication was opened with the curtain up. */
  readonly openedHeld: boolean
  readonly liveSince: Millis | null
  /** What `encode` the desk was last told: a desk that was told to stop is silent and fine. */
  readonly deskTold: boolean
  readonly viewers: Readonly<Record<string, { readonly via: 'socket' | 'whep'; readonly right: ViewRight }>>
  /** Whether the media layer holds the stream's media for the curtain, as far as was confirmed. */
  readonly hold: 'none' | 'asked' | 'confirmed' | 'lifting'
  /** The curtain as the store has it. `curtain` is that with every raise of `curtainMoves` on top. */
  readonly curtainKept: Curtain
  /** What is still to be kept of the curtain, in order; the first is perhaps being written. */
  readonly curtainMoves: readonly CurtainMove[]
  readonly curtainWriting: boolean
  /** The visibility as the store has it, and those that are still to be kept, in order. `visibility`: the narrowest. */
  readonly visibilityKept: Visibility
  readonly visibilityMoves: readonly VisibilityMove[]
  /** Writes that the memory still owes: a stream that has some is not put away. */
  readonly unkept: number
}

export type StreamEvent =
  | StreamDelivery
  | MemoryOutcome
  | PublicationReport
  | ViewerReport
  | { readonly type: 'slot.granted' }
  | { readonly type: 'slot.refused'; readonly refusal: Refusal }
  | { readonly type: 'worker.placed'; readonly worker: string }
  | { readonly type: 'worker.none'; readonly refusal: Refusal }
  | { readonly type: 'worker.lost' }
  | { readonly type: 'ticket.due' }
  | { readonly type: 'silence' }
  | { readonly type: 'work.due' }
  | { readonly type: `xstate.error.actor.${string}`; readonly actorId: string; readonly error: unknown }

export function streamContext(record: StreamRecord): StreamContext {
  return {
    ...record,
    ticketEpoch: 0,
    link: null,
    publishing: null,
    publication: null,
    worker: null,
    media: 0,
    mediaReady: false,
    openedHeld: false,
    liveSince: null,
    deskTold: true,
    viewers: {},
    hold: 'none',
    curtainKept: record.curtain,
    curtainMoves: [],
    curtainWriting: false,
    visibilityKept: record.visibility,
    visibilityMoves: [],
    unkept: 0,
  }
}
