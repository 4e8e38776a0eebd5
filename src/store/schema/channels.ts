import { sql } from 'drizzle-orm'
import { index, pgTable, primaryKey, text, uniqueIndex } from 'drizzle-orm/pg-core'
import { millis } from './columns.ts'
import { people } from './people.ts'

export const channels = pgTable(
  'channels',
  {
    id: text('id').primaryKey(),
    owner: text('owner')
      .notNull()
      .references(() => people.id),
    handle: text('handle').notNull(),
    createdAt: millis('created_at').notNull(),
  },
  (table) => [
    // One channel a person, for now.
    uniqueIndex('channels_owner').on(table.owner),
    uniqueIndex('channels_handle').on(sql`lower(${table.handle})`),
  ],
)

export const channelModerators = pgTable(
  'channel_moderators',
  {
    channel: text('channel')
      .notNull()
      .references(() => channels.id),
    person: text('person')
      .notNull()
      .references(() => people.id),
    addedAt: millis('added_at').notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.channel, table.person] }),
    index('channel_moderators_person').on(table.person),
  ],
)
