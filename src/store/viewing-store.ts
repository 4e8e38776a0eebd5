import type { Millis, Still } from '../actors/ports/store.ts'
import type { ViewRight } from '../actors/ports/view-right.ts'

/** A view ticket as kept. */
export interface ViewTicket {
  /** SHA-256 of the ticket, hex. */
  readonly hash: string
  readonly stream: string
  /** By what right it was minted; whether that still holds, the stream says. */
  readonly right: ViewRight
  readonly firstMintedAt: Millis
  readonly expiresAt: Millis
}

/**
 * View tickets: who may watch, beside the owner's own session. Every call rejects with
 * `RefusedError` (`store_unavailable`) when the database does not answer.
 */
export interface ViewTicketStore {
  /** Rejects with `not_found` when there is no such stream, or no such person as the right names. Idempotent. */
  mint(ticket: ViewTicket): Promise<void>
  /** `null`: unknown, revoked, or expired at `now`. */
  find(hash: string, now: Millis): Promise<ViewTicket | null>
  /** Sets a new expiry on a ticket that stands. `false`: it does not stand any more. */
  renew(hash: string, now: Millis, expiresAt: Millis): Promise<boolean>
  /** Revokes the tickets that a person got by being shared with. Answers their hashes. */
  revokeShared(stream: string, person: string): Promise<readonly string[]>
  /** Deletes what expired before `before`. */
  sweep(before: Millis): Promise<void>
}

/** Somebody a stream is shared with. */
export interface SharedPerson {
  readonly person: string
  readonly handle: string
  readonly sharedAt: Millis
}

/**
 * Whom a stream is shared with: the network's sharing service can stand in for the table
 * (service `live`, kind `agent-stream`).
 */
export interface SharingPort {
  /** In the order they came. Empty: with nobody, or there is no such stream. */
  list(stream: string): Promise<readonly SharedPerson[]>
  /** Idempotent. Rejects with `not_found` when there is no such stream or person. */
  share(stream: string, person: string, now: Millis): Promise<void>
  /** `false`: it was not shared with them. */
  unshare(stream: string, person: string): Promise<boolean>
  isShared(stream: string, person: string): Promise<boolean>
}

/** The people who moderate a channel. */
export interface ModeratorStore {
  /** In the order they came. Empty: nobody, or there is no such channel. */
  list(
    channel: string,
  ): Promise<readonly { readonly person: string; readonly handle: string; readonly addedAt: Millis }[]>
  /** Idempotent. Rejects with `not_found` when there is no such channel or person. */
  add(channel: string, person: string, now: Millis): Promise<void>
  /** `false`: they were none. */
  remove(channel: string, person: string): Promise<boolean>
  isModerator(channel: string, person: string): Promise<boolean>
}

/** The bytes of stills, by stream and hash. */
export interface StillStore {
  /**
   * Keeps the bytes; whether they are the stream's last still is a change of the stream
   * (`still_changed`), which must follow within a minute. Rejects with `not_found` and `stream_ended`.
   */
  put(stream: string, hash: string, bytes: Uint8Array, now: Millis): Promise<void>
  /** `null`: not kept (any more). */
  get(stream: string, hash: Still['hash']): Promise<Uint8Array<ArrayBuffer> | null>
  /** Forgets bytes that did not become the stream's last still; those that did stay. */
  drop(stream: string, hash: Still['hash']): Promise<void>
}

/** What a list of streams can be filtered by. */
export interface StreamFilter {
  readonly channel?: string
  readonly owner?: string
  readonly visibility?: 'public'
  /** Only the ended, only those that are not, or (null) all. */
  readonly ended: boolean | null
  /** An id to page from: newer than it. Alone it gives the page next to that id, so that nothing is left out. */
  readonly after?: string
  /** An id to page from: older than it. */
  readonly before?: string
  /** 1 to 100; more is taken for 100. */
  readonly limit: number
}

/** Lists of streams, for pages: ids and what a list can be filtered by. Facts come from the actors. */
export interface StreamListing {
  /** Ids newest first, always. Rejects with `invalid_request` for a page or limit that is none. */
  list(filter: StreamFilter): Promise<readonly string[]>
}
