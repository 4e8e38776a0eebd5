import { Database, SQLiteError } from 'bun:sqlite'
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import type { OnProgress } from './progress.ts'

const LOOK_AGAIN_MS = 500

/**
 * Runs `work` while no other process works in the same cache folder, so that two starts at once
 * build once. This only saves work: a build goes to a folder of its own and arrives by a
 * rename, so two at once would be slow but right.
 *
 * The lock is the operating system's (`fcntl`, which SQLite takes on an empty file): it is
 * given back when its holder is gone, however it went, so none is ever left behind.
 */
export async function withBuildLock<T>(folder: string, onProgress: OnProgress, work: () => Promise<T>): Promise<T> {
  await mkdir(folder, { recursive: true })
  const lock = new Database(join(folder, 'worker.lock'), { create: true, readwrite: true })
  try {
    lock.exec('PRAGMA busy_timeout = 0')
    while (!take(lock)) {
      onProgress({ doing: 'waiting for the worker that another Footlight is getting' })
      await Bun.sleep(LOOK_AGAIN_MS)
    }
    return await work()
  } finally {
    lock.close()
  }
}

function take(lock: Database): boolean {
  try {
    lock.exec('BEGIN EXCLUSIVE')
    return true
  } catch (error) {
    if (error instanceof SQLiteError && error.code === 'SQLITE_BUSY') return false
    throw error
  }
}
