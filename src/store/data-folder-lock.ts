import { Database, SQLiteError } from 'bun:sqlite'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { StoreStartError } from './store-start-error.ts'

/**
 * One process at a time in the data folder: PGlite does not look, and two would ruin the
 * database.
 *
 * The lock is the operating system's own (`fcntl`, which SQLite takes on an empty file and
 * Bun brings along), not a file that is there or not: the kernel gives it back the moment its
 * holder is gone, SIGKILL included, so nothing stale can stay behind, no two can take the same
 * one over, and containers that share the folder see each other, which process ids would not
 * tell. The number of the holder stands beside it, in `footlight.pid`, for the sentence alone.
 */
export class DataFolderLock {
  readonly #lock: Database

  private constructor(lock: Database) {
    this.#lock = lock
  }

  /**
   * Makes the folder when it is not there, and locks it. Throws {@link StoreStartError} when
   * it cannot be written or another process has it; never waits.
   */
  static acquire(dataFolder: string): DataFolderLock {
    const numberFile = join(dataFolder, 'footlight.pid')
    let lock: Database | undefined
    try {
      mkdirSync(dataFolder, { recursive: true, mode: 0o700 })
      lock = new Database(join(dataFolder, 'footlight.lock'), { create: true, readwrite: true })
      lock.exec('PRAGMA busy_timeout = 0')
      lock.exec('BEGIN EXCLUSIVE')
      writeFileSync(numberFile, `${process.pid}\n`)
      return new DataFolderLock(lock)
    } catch (cause) {
      lock?.close()
      if (cause instanceof SQLiteError && cause.code === 'SQLITE_BUSY') {
        throw new StoreStartError(
          `The data folder ${dataFolder} is in use by another Footlight${holder(numberFile)}. Stop it, or set FOOTLIGHT_DATA to another folder.`,
        )
      }
      const why = cause instanceof Error ? cause.message : String(cause)
      throw new StoreStartError(
        `The data folder ${dataFolder} cannot be written (${why}). Correct its permissions, or set FOOTLIGHT_DATA to another folder.`,
        { cause },
      )
    }
  }

  /** Gives the folder back. Idempotent. */
  release(): void {
    this.#lock.close()
  }
}

function holder(numberFile: string): string {
  try {
    const text = readFileSync(numberFile, 'utf8').trim()
    return /^\d+$/.test(text) ? ` (process ${text})` : ''
  } catch {
    return ''
  }
}
