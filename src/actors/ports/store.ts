import type { Task, Visibility } from '../../contracts/agent-stream.ts'
import type { CurtainReason } from '../../contracts/curtain.ts'

/** All times in the store port are milliseconds since the epoch, UTC. */
export type Millis = number

/** Who holds the curtain up. More than one may. */
export const curtainHolders = ['desk', 'moderator', 'owner'] as const
export type CurtainHolder = (typeof curtainHolders)[number]

export interface CurtainHold {
  /** When this holder last raised it. */
  readonly raisedAt: Millis
  readonly reason: CurtainReason
}

/** The curtain is up while anybody holds it. `since`: when it last went from down to up. */
export interface Curtain {
  readonly since: Millis | null
  readonly holds: Partial<Record<CurtainHolder, CurtainHold>>
}

/** A publish ticket as kept: SHA-256 of the ticket, hex. */
export interface KeptTicket {
  readonly hash: string
  readonly expiresAt: Millis
}

/** A ticket that a newer one replaced: good until `until`, the end of its grace. */
export interface ReplacedTicket {
  readonly hash: string
  readonly until: Millis
}

/** All that the store remembers of a stream; what an actor starts from. */
export interface StreamRecord {
  readonly id: string
  readonly owner: string
  /** The owner's handle, for the page's address. */
  readonly handle: string
  readonly channel: string
  readonly task: Task
  readonly visibility: Visibility
  readonly createdAt: Millis
  readonly startedAt: Millis | null
  readonly ended: { readonly at: Millis; readonly why: EndReason } | null
  readonly workedMs: number
  readonly ticket: KeptTicket | null
  readonly replacedTickets: readonly ReplacedTicket[]
  readonly curtain: Curtain
  /** SHA-256 of the key in an unlisted stream's link; `null`: no link was made yet. */
  readonly linkKeyHash: string | null
  /** The last still that the desk sent. */
  readonly still: Still | null
}

/** A still picture, by the hash of its bytes: the store keeps them under it. */
export interface Still {
  /** SHA-256 of the bytes, hex. */
  readonly hash: string
  readonly type: 'image/jpeg' | 'image/webp'
  readonly size: number
  readonly at: Millis
}

export const endReasons = ['owner', 'desk', 'service', 'ticket_expired'] as const
export type EndReason = (typeof endReasons)[number]

/** One durable change to a stream. The store applies each whole or not at all, and twice like once. */
export type StreamChange =
  /** A new current ticket; the one before becomes a replaced one, good until `replacedUntil`. */
  | {
      readonly type: 'ticket_minted'
      readonly ticket: KeptTicket
      readonly at: Millis
      readonly replacedUntil: Millis
    }
  /** Every ticket of the stream, replaced ones too, is dead. */
  | { readonly type: 'ticket_revoked'; readonly at: Millis }
  | { readonly type: 'curtain_changed'; readonly curtain: Curtain }
  | { readonly type: 'started'; readonly at: Millis }
  | { readonly type: 'worked'; readonly workedMs: number }
  | { readonly type: 'visibility_changed'; readonly visibility: Visibility }
  /** A new link: the key before opens nothing any more. */
  | { readonly type: 'link_rotated'; readonly linkKeyHash: string }
  /** A new last still. The bytes were kept before; those of the one before may go. */
  | { readonly type: 'still_changed'; readonly still: Still }
  /** Ends the stream and kills its tickets. */
  | { readonly type: 'ended'; readonly at: Millis; readonly why: EndReason; readonly workedMs: number }

export interface NewStream {
  readonly id: string
  readonly owner: string
  readonly task: Task
  readonly visibility: Visibility
  readonly ticket: KeptTicket
  /** For an unlisted stream: SHA-256 of the key in its first link. */
  readonly linkKeyHash: string | null
  readonly createdAt: Millis
}

/**
 * What the actors ask of the store. Rejects with `RefusedError` (`store_unavailable`) when
 * the database does not answer; a resolved write is durable.
 */
export interface StorePort {
  /** `null`: there is no such stream. */
  loadStream(id: string): Promise<StreamRecord | null>
  /** Creates the stream with its first ticket; answers what `loadStream` would. `null`: no such owner. */
  createStream(stream: NewStream): Promise<StreamRecord | null>
  keep(stream: string, change: StreamChange): Promise<void>
}
