import { existsSync, renameSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { PGlite } from '@electric-sql/pglite'
import { drizzle } from 'drizzle-orm/pglite'
import { migrate } from 'drizzle-orm/pglite/migrator'
import { DataFolderLock } from './data-folder-lock.ts'
import type { Connection } from './database.ts'
import { rootCause } from './database-error.ts'
import { isUpToDate, migrationsFolder } from './migrations.ts'
import { StoreStartError } from './store-start-error.ts'

export interface PgliteOptions {
  /** The database lies in `<dataFolder>/pglite`. Absent: in memory, gone with the process. */
  readonly dataFolder?: string
  /** For an in-memory database: what `PGlite.dumpDataDir` gave, in place of an empty one. */
  readonly template?: Blob
}

/**
 * Opens the embedded PostgreSQL and brings its tables up to date. Rejects with
 * {@link StoreStartError}. A statement that has resolved is with the operating system, so it
 * survives the end of the process, SIGKILL included; PGlite has no `fsync`, so the last
 * moments before a power failure may be lost (docs/store.md).
 */
export async function openPglite(options: PgliteOptions): Promise<Connection> {
  if (options.dataFolder === undefined) {
    const client = await PGlite.create(options.template ? { loadDataDir: options.template } : {})
    await bringUpToDate(client)
    return connection(client, () => {})
  }
  const lock = DataFolderLock.acquire(options.dataFolder)
  const folder = join(options.dataFolder, 'pglite')
  try {
    if (!existsSync(folder)) await prepare(folder)
    const client = await PGlite.create(folder)
    await bringUpToDate(client)
    return connection(client, () => lock.release())
  } catch (error) {
    lock.release()
    if (error instanceof StoreStartError) throw error
    const cause = rootCause(error)
    const why = cause instanceof Error ? cause.message : String(cause)
    throw new StoreStartError(
      `The database in ${folder} cannot be opened (${why}). Restore it from a backup, or move it away to begin an empty one.`,
      { cause },
    )
  }
}

/**
 * Makes a new database beside its place and moves it there whole: the first start takes
 * seconds, and one that is killed in the middle must not leave half a database behind.
 */
async function prepare(folder: string): Promise<void> {
  const half = `${folder}.new`
  rmSync(half, { recursive: true, force: true })
  const client = await PGlite.create(half)
  await bringUpToDate(client)
  await client.close()
  renameSync(half, folder)
}

async function bringUpToDate(client: PGlite): Promise<void> {
  const database = drizzle(client)
  if (!(await isUpToDate(database))) await migrate(database, { migrationsFolder })
}

function connection(client: PGlite, release: () => void): Connection {
  return {
    database: drizzle(client),
    renew() {},
    async close() {
      try {
        if (!client.closed) await client.close()
      } finally {
        release()
      }
    },
  }
}
