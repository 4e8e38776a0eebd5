import { eq } from 'drizzle-orm'
import { isId } from '../contracts/ids.ts'
import { RefusedError, refuse } from '../contracts/problem.ts'
import type { Database } from './database.ts'
import { channels } from './schema/channels.ts'
import { people } from './schema/people.ts'

// Nothing that these look for is ever deleted, so what is there stays there until the write is done.

/** Rejects with `not_found` when there is no such person. */
export async function personMustExist(database: Database, person: string): Promise<void> {
  const found = isId('person', person)
    ? await database.select({ id: people.id }).from(people).where(eq(people.id, person))
    : []
  if (found.length === 0) throw new RefusedError(refuse('not_found', 'There is no such person. Add them first.'))
}

/** Rejects with `not_found` when there is no such channel. */
export async function channelMustExist(database: Database, channel: string): Promise<void> {
  const found = isId('channel', channel)
    ? await database.select({ id: channels.id }).from(channels).where(eq(channels.id, channel))
    : []
  if (found.length === 0) throw new RefusedError(refuse('not_found', 'There is no such channel. Check its id.'))
}
