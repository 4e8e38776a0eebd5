import { index, pgTable, primaryKey, text } from 'drizzle-orm/pg-core'
import { millis } from './columns.ts'
import { managedStreams } from './managed-streams.ts'
import { people } from './people.ts'

/** Whom a stream is shared with. */
export const streamShares = pgTable(
  'stream_shares',
  {
    stream: text('stream')
      .notNull()
      .references(() => managedStreams.id),
    person: text('person')
      .notNull()
      .references(() => people.id),
    sharedAt: millis('shared_at').notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.stream, table.person] }),
    index('stream_shares_person').on(table.person, table.stream),
  ],
)
