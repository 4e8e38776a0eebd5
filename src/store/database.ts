import type { PgDatabase, PgQueryResultHKT } from 'drizzle-orm/pg-core'

/** What the repositories work on: PostgreSQL by either driver, or a transaction of one. */
export type Database = PgDatabase<PgQueryResultHKT, Record<string, never>>

/** A database and the way to it. One for postgres.js, one for PGlite. */
export interface Connection {
  /** The database as it is reached now: after {@link renew} another one. */
  readonly database: Database
  /** Called when the database did not answer in time: leave connections that hang, open new ones. */
  renew(): void
  /** Resolves when nothing of it is left. Idempotent. */
  close(): Promise<void>
}
