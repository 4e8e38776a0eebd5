import { sql } from 'drizzle-orm'
import { check, index, jsonb, pgTable, text, uniqueIndex } from 'drizzle-orm/pg-core'
import type { ViewRight } from '../../actors/ports/view-right.ts'
import { millis, secretHash } from './columns.ts'
import { managedStreams } from './managed-streams.ts'
import { people } from './people.ts'

export const publishTickets = pgTable(
  'publish_tickets',
  {
    hash: secretHash('hash').primaryKey(),
    stream: text('stream')
      .notNull()
      .references(() => managedStreams.id),
    mintedAt: millis('minted_at').notNull(),
    expiresAt: millis('expires_at').notNull(),
    /** Set when a newer one took its place: good until then, and no longer. */
    replacedUntil: millis('replaced_until'),
    revokedAt: millis('revoked_at'),
  },
  (table) => [
    index('publish_tickets_stream').on(table.stream),
    // A stream has one current ticket: the database itself refuses a second.
    uniqueIndex('publish_tickets_current')
      .on(table.stream)
      .where(sql`${table.replacedUntil} is null and ${table.revokedAt} is null`),
    check('publish_tickets_hashed', sql`${table.hash} ~ '^[0-9a-f]{64}$'`),
  ],
)

export const viewTickets = pgTable(
  'view_tickets',
  {
    hash: secretHash('hash').primaryKey(),
    stream: text('stream')
      .notNull()
      .references(() => managedStreams.id),
    /** By what right it was minted. A link's key is in it as its hash. */
    right: jsonb('view_right').$type<ViewRight>().notNull(),
    /** Whom the right names, so that it can be taken back from them. Null: it names nobody. */
    person: text('person').references(() => people.id),
    /** Renewals leave it as it is; four hours from it no ticket lives on. */
    firstMintedAt: millis('first_minted_at').notNull(),
    expiresAt: millis('expires_at').notNull(),
    revokedAt: millis('revoked_at'),
  },
  (table) => [
    index('view_tickets_stream').on(table.stream),
    index('view_tickets_expires').on(table.expiresAt),
    check('view_tickets_hashed', sql`${table.hash} ~ '^[0-9a-f]{64}$'`),
    check('view_tickets_link_key_hashed', sql`${table.right} ->> 'key' ~ '^[0-9a-f]{64}$'`),
  ],
)
