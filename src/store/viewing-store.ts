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
  list(stream: string): Promise<readonly SharedPerson[]>
  /** Idempotent. */
  share(stream: string, person: string, now: Millis): Promise<void>
  /** `false`: it was not shared with them. */
  unshare(stream: string, person: string): Promise<boolean>
  isShared(stream: string, person: string): Promise<boolean>
}

/** The people who moderate a channel. */
export interface ModeratorStore {
  list(
    channel: string,
  ): Promise<readonly { readonly person: string; readonly handle: string; readonly addedAt: Millis }[]>
  /** Idempotent. */
  add(channel: string, person: string, now: Millis): Promise<void>
  remove(channel: string, person: string): Promise<boolean>
  isModerator(channel: string, person: string): Promise<boolean>
}

/** The bytes of stills, by stream and hash. */
export interface StillStore {
  /** Keeps the bytes; whether they are the stream's last still is a change of the stream (`still_changed`). */
  put(stream: string, hash: string, bytes: Uint8Array, now: Millis): Promise<void>
  /** `null`: not kept (any more). */
  get(stream: string, hash: Still['hash']): Promise<Uint8Array<ArrayBuffer> | null>
  /** Forgets bytes that became no stream's last still. */
  drop(stream: string, hash: Still['hash']): Promise<void>
}

/** Lists of streams, for pages: ids and what a list can be filtered by. Facts come from the actors. */
export interface StreamListing {
  /**
   * Ids newest first. `after`/`before`: an id to page from (`before`: older than it, `after`: newer).
   * `ended`: only the ended, only those that are not, or (null) all.
   */
  list(filter: {
    readonly channel?: string
    readonly owner?: string
    readonly visibility?: 'public'
    readonly ended: boolean | null
    readonly after?: string
    readonly before?: string
    readonly limit: number
  }): Promise<readonly string[]>
}
