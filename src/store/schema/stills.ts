import { sql } from 'drizzle-orm'
import { check, pgTable, primaryKey, text } from 'drizzle-orm/pg-core'
import { bytea, millis } from './columns.ts'
import { managedStreams } from './managed-streams.ts'

/**
 * The bytes of stills. A stream names its last one in `managed_streams.still_hash`; others
 * are here only for the moment between their upload and that naming.
 */
export const stills = pgTable(
  'stills',
  {
    stream: text('stream')
      .notNull()
      .references(() => managedStreams.id),
    /** SHA-256 of the bytes, hex. */
    hash: text('hash').notNull(),
    bytes: bytea('bytes').notNull(),
    /** When they were last uploaded. */
    keptAt: millis('kept_at').notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.stream, table.hash] }),
    check('stills_hashed', sql`${table.hash} ~ '^[0-9a-f]{64}$'`),
  ],
)
