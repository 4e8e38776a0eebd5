import { eq } from 'drizzle-orm'
import { isId } from '../contracts/ids.ts'
import { RefusedError, refuse } from '../contracts/problem.ts'
import type { Database } from './database.ts'
import { managedStreams } from './schema/managed-streams.ts'

/** What a locked stream is, for a decision about it. */
export interface LockedStream {
  readonly ended: boolean
  /** The hash of the still that it names. */
  readonly stillHash: string | null
}

/**
 * Locks the stream's row until the transaction ends, on whichever connection or server. `update`:
 * alone, for changes; `key share`: beside others that only need it to stay as it is.
 * Rejects with `not_found` when there is no such stream.
 */
export async function lockStream(
  transaction: Database,
  stream: string,
  strength: 'update' | 'key share' = 'update',
): Promise<LockedStream> {
  if (!isId('agentStream', stream)) throw noSuchStream()
  const [row] = await transaction
    .select({ endedAt: managedStreams.endedAt, stillHash: managedStreams.stillHash })
    .from(managedStreams)
    .where(eq(managedStreams.id, stream))
    .for(strength)
  if (!row) throw noSuchStream()
  return { ended: row.endedAt !== null, stillHash: row.stillHash }
}

export function noSuchStream(): RefusedError {
  return new RefusedError(refuse('not_found', 'There is no such stream. Create it first.'))
}

export function streamEnded(): RefusedError {
  return new RefusedError(refuse('stream_ended', 'The stream has ended. Create a new one.'))
}
