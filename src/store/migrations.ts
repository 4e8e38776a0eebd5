import { join } from 'node:path'
import { sql } from 'drizzle-orm'
import type { Database } from './database.ts'
import { sqlState } from './database-error.ts'
import journal from './migrations/meta/_journal.json'
import { StoreStartError } from './store-start-error.ts'

/** Where drizzle-kit writes them; they are part of the source. */
export const migrationsFolder = join(import.meta.dir, 'migrations')

/** The advisory lock that a PostgreSQL migration holds. Any number, but always this one. */
export const migrationsLock = 0x666f6f74 // "foot"

/** What `drizzle.__drizzle_migrations` calls the newest committed migration. */
const newest = Math.max(...journal.entries.map((entry) => entry.when))

/**
 * Asks with one query whether the newest migration was applied, so that a start on a current
 * database need not run the migrator. Rejects with {@link StoreStartError} when the tables
 * are newer than this program.
 */
export async function isUpToDate(database: Database): Promise<boolean> {
  const applied = await newestApplied(database)
  if (applied !== null && applied > newest) {
    throw new StoreStartError(
      'The database was written by a newer Footlight. Start that one, or restore the backup from before it.',
    )
  }
  return applied === newest
}

async function newestApplied(database: Database): Promise<number | null> {
  try {
    const [row] = await database
      .select({ at: sql<string | null>`max(created_at)` })
      .from(sql`drizzle.__drizzle_migrations`)
    return row?.at == null ? null : Number(row.at)
  } catch (error) {
    const state = sqlState(error)
    // No such table, no such schema: a fresh database.
    if (state === '42P01' || state === '3F000') return null
    throw error
  }
}
