import { and, eq } from 'drizzle-orm'
import type { Millis } from '../actors/ports/store.ts'
import { isId } from '../contracts/ids.ts'
import type { Queries } from './queries.ts'
import { stills } from './schema/stills.ts'
import { lockStream, streamEnded } from './stream-row.ts'
import type { StillStore } from './viewing-store.ts'

/** {@link StillStore} in the database: what naming a still does to the others, `still-changes.ts` says. */
export class DatabaseStillStore implements StillStore {
  constructor(private readonly queries: Queries) {}

  async put(stream: string, hash: string, bytes: Uint8Array, now: Millis): Promise<void> {
    await this.queries.write(async (transaction) => {
      // Beside other uploads, but not beside a change: one that ends the stream must not miss these bytes.
      const { ended } = await lockStream(transaction, stream, 'key share')
      if (ended) throw streamEnded()
      await transaction
        .insert(stills)
        .values({ stream, hash, bytes, keptAt: now })
        // The same picture again: its bytes are there, and are waited for anew.
        .onConflictDoUpdate({ target: [stills.stream, stills.hash], set: { keptAt: now } })
    })
  }

  async get(stream: string, hash: string): Promise<Uint8Array<ArrayBuffer> | null> {
    if (!isId('agentStream', stream)) return null
    return await this.queries.read(async (database) => {
      const [found] = await database.select({ bytes: stills.bytes }).from(stills).where(still(stream, hash))
      // A copy: a driver's bytes are a piece of what it read from the wire.
      return found ? new Uint8Array(found.bytes) : null
    })
  }

  async drop(stream: string, hash: string): Promise<void> {
    await this.queries.write(async (transaction) => {
      const { stillHash } = await lockStream(transaction, stream)
      if (stillHash !== hash) await transaction.delete(stills).where(still(stream, hash))
    })
  }
}

function still(stream: string, hash: string) {
  return and(eq(stills.stream, stream), eq(stills.hash, hash))
}
