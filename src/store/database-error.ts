import { RefusedError, refuse } from '../contracts/problem.ts'

/** Seconds after which a caller may try again. */
const retryAfter = 2

/** The refusal of a store that cannot be asked now. */
export function storeUnavailable(cause?: unknown): RefusedError {
  const error = new RefusedError(
    refuse('store_unavailable', 'The database does not answer. Try again in a moment.', retryAfter),
  )
  if (cause !== undefined) error.cause = cause
  return error
}

/**
 * The SQLSTATE of a database's own error (five characters, PostgreSQL appendix A), looked for
 * through whatever wraps it. `null`: the error is not the database's.
 */
export function sqlState(error: unknown): string | null {
  for (let at = error; at instanceof Error; at = at.cause) {
    if ('code' in at && typeof at.code === 'string' && /^[0-9A-Z]{5}$/.test(at.code)) return at.code
  }
  return null
}

/** The innermost error: Drizzle's wrapper repeats the statement and its parameters, which no log needs. */
export function rootCause(error: unknown): unknown {
  let at = error
  while (at instanceof Error && at.cause instanceof Error) at = at.cause
  return at
}

/**
 * SQLSTATEs that say "not now" and not "not like this": 08 connection, 28 sign-in refused,
 * 3D no such database, 40 rolled back, 53 out of resources, 55P03 lock not available, 57
 * operator intervention (statement timeout and shutdown included), 58 system error, XX
 * internal; 25006 a standby that became read-only.
 */
const passing = /^(08|28|3D|40|53|57|58|XX)|^(55P03|25006|25P0[23])$/

/** JSON can say U+0000 and half a surrogate pair; PostgreSQL's `text` and `jsonb` have no place for them. */
const unkeepable = /^(22021|22P02|22P05)$/

/**
 * What a failed database call is to the caller: `store_unavailable` for all that may pass by
 * itself, a broken connection first; `invalid_request` for text that it cannot hold; `internal` for a statement that the database
 * understood and refused, which is a mistake of ours.
 */
export function toRefusedError(error: unknown): RefusedError {
  if (error instanceof RefusedError) return error
  const state = sqlState(error)
  if (state === null || passing.test(state)) return storeUnavailable(rootCause(error))
  if (unkeepable.test(state)) {
    return new RefusedError(
      refuse('invalid_request', 'A text holds a character that cannot be kept, such as U+0000. Take it out.'),
    )
  }
  const refused = new RefusedError(
    refuse('internal', `The database refused a statement (SQLSTATE ${state}). Please report it.`),
  )
  refused.cause = rootCause(error)
  return refused
}
