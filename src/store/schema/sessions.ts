import { sql } from 'drizzle-orm'
import { check, index, pgTable, text } from 'drizzle-orm/pg-core'
import { millis, secretHash } from './columns.ts'
import { people } from './people.ts'

/** Who is signed in: the hash is that of the cookie's token. */
export const sessions = pgTable(
  'sessions',
  {
    hash: secretHash('hash').primaryKey(),
    person: text('person')
      .notNull()
      .references(() => people.id),
    createdAt: millis('created_at').notNull(),
    expiresAt: millis('expires_at').notNull(),
  },
  (table) => [
    index('sessions_person').on(table.person, table.expiresAt),
    index('sessions_expires').on(table.expiresAt),
    check('sessions_hashed', sql`${table.hash} ~ '^[0-9a-f]{64}$'`),
  ],
)

export const signInLinks = pgTable(
  'sign_in_links',
  {
    hash: secretHash('hash').primaryKey(),
    person: text('person')
      .notNull()
      .references(() => people.id),
    expiresAt: millis('expires_at').notNull(),
    usedAt: millis('used_at'),
  },
  (table) => [
    index('sign_in_links_person').on(table.person, table.expiresAt),
    index('sign_in_links_expires').on(table.expiresAt),
    check('sign_in_links_hashed', sql`${table.hash} ~ '^[0-9a-f]{64}$'`),
  ],
)
