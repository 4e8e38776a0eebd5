import { and, asc, eq } from 'drizzle-orm'
import type { Millis } from '../actors/ports/store.ts'
import { isId } from '../contracts/ids.ts'
import { personMustExist } from './must-exist.ts'
import type { Queries } from './queries.ts'
import { people } from './schema/people.ts'
import { streamShares } from './schema/stream-shares.ts'
import { lockStream } from './stream-row.ts'
import type { SharedPerson, SharingPort } from './viewing-store.ts'

/** {@link SharingPort} in the database: for a server without the network's sharing service. */
export class DatabaseSharing implements SharingPort {
  constructor(private readonly queries: Queries) {}

  async list(stream: string): Promise<readonly SharedPerson[]> {
    if (!isId('agentStream', stream)) return []
    return await this.queries.read((database) =>
      database
        .select({ person: streamShares.person, handle: people.handle, sharedAt: streamShares.sharedAt })
        .from(streamShares)
        .innerJoin(people, eq(people.id, streamShares.person))
        .where(eq(streamShares.stream, stream))
        .orderBy(asc(streamShares.sharedAt), asc(people.handle)),
    )
  }

  async share(stream: string, person: string, now: Millis): Promise<void> {
    await this.queries.write(async (transaction) => {
      await lockStream(transaction, stream, 'key share')
      await personMustExist(transaction, person)
      await transaction.insert(streamShares).values({ stream, person, sharedAt: now }).onConflictDoNothing()
    })
  }

  async unshare(stream: string, person: string): Promise<boolean> {
    if (!isId('agentStream', stream) || !isId('person', person)) return false
    return await this.queries.write(async (transaction) => {
      const taken = await transaction
        .delete(streamShares)
        .where(sharedWith(stream, person))
        .returning({ person: streamShares.person })
      return taken.length > 0
    })
  }

  async isShared(stream: string, person: string): Promise<boolean> {
    if (!isId('agentStream', stream) || !isId('person', person)) return false
    return await this.queries.read(async (database) => {
      const found = await database
        .select({ person: streamShares.person })
        .from(streamShares)
        .where(sharedWith(stream, person))
      return found.length > 0
    })
  }
}

function sharedWith(stream: string, person: string) {
  return and(eq(streamShares.stream, stream), eq(streamShares.person, person))
}
