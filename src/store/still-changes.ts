import { and, eq, lt, ne, or, sql } from 'drizzle-orm'
import type { Still } from '../actors/ports/store.ts'
import { RefusedError, refuse } from '../contracts/problem.ts'
import type { Database } from './database.ts'
import { managedStreams } from './schema/managed-streams.ts'
import { stills } from './schema/stills.ts'
import { type LockedStream, streamEnded } from './stream-row.ts'

/** How long bytes may wait for the change that names them, in ms: far longer than a call may take. */
export const unnamedStillMs = 60_000

/**
 * Names the stream's last still, and deletes the bytes of the one before and of every other,
 * but for what came within the last minute: those are another upload's, under way to its own
 * naming. A stream never names bytes that are not there: rejects with `wrong_order` when they are
 * not kept, or not any more. The caller holds the stream's row.
 */
export async function changeStill(transaction: Database, stream: string, still: Still, row: LockedStream) {
  if (row.ended) {
    // The one that it keeps, said again, is right already; any other comes too late.
    if (row.stillHash === still.hash) return
    throw streamEnded()
  }
  const [kept] = await transaction
    .select({ hash: stills.hash })
    .from(stills)
    .where(and(eq(stills.stream, stream), eq(stills.hash, still.hash)))
  if (!kept) {
    throw new RefusedError(refuse('wrong_order', 'Another frame came in between. Send this one again.'))
  }
  await transaction
    .update(managedStreams)
    .set({ stillHash: still.hash, stillType: still.type, stillSize: still.size, stillAt: still.at })
    .where(eq(managedStreams.id, stream))
  const before = row.stillHash === null ? undefined : eq(stills.hash, row.stillHash)
  await transaction
    .delete(stills)
    .where(
      and(
        eq(stills.stream, stream),
        ne(stills.hash, still.hash),
        or(before, lt(stills.keptAt, still.at - unnamedStillMs)),
      ),
    )
}

/** Deletes all bytes of a stream but those of the still that it names. */
export async function forgetUnnamedStills(transaction: Database, stream: string): Promise<void> {
  await transaction
    .delete(stills)
    .where(
      and(
        eq(stills.stream, stream),
        sql`${stills.hash} is distinct from (select ${managedStreams.stillHash} from ${managedStreams} where ${managedStreams.id} = ${stream})`,
      ),
    )
}

/** The still of a row: its four columns are set together or not at all. */
export function stillOf(row: typeof managedStreams.$inferSelect): Still | null {
  const { stillHash: hash, stillType: type, stillSize: size, stillAt: at } = row
  return hash === null || type === null || size === null || at === null ? null : { hash, type, size, at }
}
