import { and, asc, desc, eq, gt, isNotNull, isNull, lt, sql } from 'drizzle-orm'
import { isId } from '../contracts/ids.ts'
import { RefusedError, refuse } from '../contracts/problem.ts'
import type { Database } from './database.ts'
import type { Queries } from './queries.ts'
import { managedStreams } from './schema/managed-streams.ts'
import type { StreamFilter, StreamListing } from './viewing-store.ts'

/** Ids in one answer at most. */
export const listingLimit = 100

/** {@link StreamListing} in the database. */
export class DatabaseStreamListing implements StreamListing {
  constructor(private readonly queries: Queries) {}

  async list(filter: StreamFilter): Promise<readonly string[]> {
    for (const cursor of [filter.after, filter.before]) {
      if (cursor !== undefined && !isId('agentStream', cursor)) {
        throw new RefusedError(
          refuse('invalid_request', '"after" and "before" are ids of streams. Take one from a list.'),
        )
      }
    }
    if (!Number.isInteger(filter.limit) || filter.limit < 1) {
      throw new RefusedError(refuse('invalid_request', `A list has 1 to ${listingLimit} streams. Ask for so many.`))
    }
    if (filter.channel !== undefined && !isId('channel', filter.channel)) return []
    if (filter.owner !== undefined && !isId('person', filter.owner)) return []
    const found = await this.queries.read((database) => listingQuery(database, filter))
    const ids = found.map(({ id }) => id)
    return upwards(filter) ? ids.reverse() : ids
  }
}

/** Only `after`: the page next to that id, which is found from the old end. */
function upwards(filter: StreamFilter): boolean {
  return filter.after !== undefined && filter.before === undefined
}

/**
 * The query of a list: an index of `managed_streams` gives it in order for every filter. What
 * a partial index is about stands in the text and not in a parameter, or no generic plan
 * could use it.
 */
export function listingQuery(database: Database, filter: StreamFilter) {
  const { channel, owner, visibility, ended, after, before, limit } = filter
  const { id, endedAt } = managedStreams
  return database
    .select({ id })
    .from(managedStreams)
    .where(
      and(
        channel === undefined ? undefined : eq(managedStreams.channel, channel),
        owner === undefined ? undefined : eq(managedStreams.owner, owner),
        visibility === undefined ? undefined : sql`${managedStreams.visibility} = 'public'`,
        ended === null ? undefined : ended ? isNotNull(endedAt) : isNull(endedAt),
        after === undefined ? undefined : gt(id, after),
        before === undefined ? undefined : lt(id, before),
      ),
    )
    .orderBy(upwards(filter) ? asc(id) : desc(id))
    .limit(Math.min(limit, listingLimit))
}
