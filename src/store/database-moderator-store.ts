import { and, asc, eq } from 'drizzle-orm'
import type { Millis } from '../actors/ports/store.ts'
import { isId } from '../contracts/ids.ts'
import { channelMustExist, personMustExist } from './must-exist.ts'
import type { Queries } from './queries.ts'
import { channelModerators } from './schema/channels.ts'
import { people } from './schema/people.ts'
import type { ModeratorStore } from './viewing-store.ts'

/** {@link ModeratorStore} in the database. */
export class DatabaseModeratorStore implements ModeratorStore {
  constructor(private readonly queries: Queries) {}

  async list(channel: string) {
    if (!isId('channel', channel)) return []
    return await this.queries.read((database) =>
      database
        .select({ person: channelModerators.person, handle: people.handle, addedAt: channelModerators.addedAt })
        .from(channelModerators)
        .innerJoin(people, eq(people.id, channelModerators.person))
        .where(eq(channelModerators.channel, channel))
        .orderBy(asc(channelModerators.addedAt), asc(people.handle)),
    )
  }

  async add(channel: string, person: string, now: Millis): Promise<void> {
    await this.queries.write(async (transaction) => {
      await channelMustExist(transaction, channel)
      await personMustExist(transaction, person)
      await transaction.insert(channelModerators).values({ channel, person, addedAt: now }).onConflictDoNothing()
    })
  }

  async remove(channel: string, person: string): Promise<boolean> {
    if (!isId('channel', channel) || !isId('person', person)) return false
    return await this.queries.write(async (transaction) => {
      const removed = await transaction
        .delete(channelModerators)
        .where(moderates(channel, person))
        .returning({ person: channelModerators.person })
      return removed.length > 0
    })
  }

  async isModerator(channel: string, person: string): Promise<boolean> {
    if (!isId('channel', channel) || !isId('person', person)) return false
    return await this.queries.read(async (database) => {
      const found = await database
        .select({ person: channelModerators.person })
        .from(channelModerators)
        .where(moderates(channel, person))
      return found.length > 0
    })
  }
}

function moderates(channel: string, person: string) {
  return and(eq(channelModerators.channel, channel), eq(channelModerators.person, person))
}
