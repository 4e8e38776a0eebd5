import type { Millis } from '../actors/ports/store.ts'

export interface Person {
  /** `usr_<ULID>` */
  readonly id: string
  readonly handle: string
  /** Their channel, `chn_<ULID>`: every person has one. */
  readonly channel: string
}

/** A session that stands: who is signed in, and until when. */
export interface SignedIn {
  /** `usr_<ULID>` */
  readonly person: string
  readonly handle: string
  readonly channel: string
  readonly expiresAt: Millis
}

export { handlePattern } from '../contracts/operator.ts'

/**
 * People, and how they sign in. Makes no secret and asks no clock: callers pass SHA-256
 * hashes (lower-case hex) and times.
 *
 * Every call rejects with `RefusedError` (`store_unavailable`) when the database does not
 * answer; a resolved write is durable.
 */
export interface IdentityStore {
  /**
   * Adds a person and their channel. `null`: the handle is taken, in any case of letters.
   * Rejects with `invalid_request` when the handle does not fit `handlePattern`.
   *
   * With `issuer` and `subject` (OpenID Connect `iss` and `sub`, always both) the person is found
   * by {@link personBySubject} from then on. Whoever has that subject already is the answer,
   * under the handle that they have: of two first sign-ins at once both get the one person.
   */
  addPerson(
    input: { readonly handle: string; readonly issuer?: string; readonly subject?: string },
    now: Millis,
  ): Promise<Person | null>
  /** Who signed in with that issuer (`iss`) under that name (`sub`), compared exactly. `null`: nobody. */
  personBySubject(issuer: string, subject: string): Promise<Person | null>
  /** Finds by handle in any case of letters. `null`: there is no such person. */
  personByHandle(handle: string): Promise<Person | null>
  person(id: string): Promise<Person | null>
  /** The id of the person's channel. `null`: there is no such person. */
  channelOf(person: string): Promise<string | null>
  /** Rejects with `not_found` when there is no such person. */
  createSignInLink(input: { readonly hash: string; readonly person: string; readonly expiresAt: Millis }): Promise<void>
  /** Spends the link: of any number of callers one gets the person. `null`: unknown, used or expired. */
  useSignInLink(hash: string, now: Millis): Promise<Person | null>
  /** Rejects with `not_found` when there is no such person. Clears the person's expired sessions away. */
  createSession(input: {
    readonly hash: string
    readonly person: string
    readonly createdAt: Millis
    readonly expiresAt: Millis
  }): Promise<void>
  /** `null`: there is no such session, or it has expired. */
  session(hash: string, now: Millis): Promise<SignedIn | null>
  /** Signs out. Idempotent. */
  deleteSession(hash: string): Promise<void>
  /** Deletes the sessions and the sign-in links, used or not, that have expired at `now`. */
  sweep(now: Millis): Promise<void>
}
