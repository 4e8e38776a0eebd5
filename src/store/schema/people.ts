import { sql } from 'drizzle-orm'
import { check, pgTable, text, uniqueIndex } from 'drizzle-orm/pg-core'
import { millis } from './columns.ts'

export const people = pgTable(
  'people',
  {
    id: text('id').primaryKey(),
    handle: text('handle').notNull(),
    createdAt: millis('created_at').notNull(),
    /** Who vouches for the person, and the name it has for them (OpenID Connect `iss` and `sub`). */
    issuer: text('issuer'),
    subject: text('subject'),
  },
  (table) => [
    uniqueIndex('people_handle').on(sql`lower(${table.handle})`),
    uniqueIndex('people_issuer_subject').on(table.issuer, table.subject),
    check('people_issuer_with_subject', sql`(${table.issuer} is null) = (${table.subject} is null)`),
  ],
)
