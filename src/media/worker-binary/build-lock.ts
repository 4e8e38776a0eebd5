import { mkdir, open, rm, stat, utimes } from 'node:fs/promises'
import { join } from 'node:path'
import type { OnProgress } from './progress.ts'

const LOOK_AGAIN_MS = 500
/** How often the holder touches its lock. */
const BEAT_MS = 2_000
/** A lock that was not touched for so long belongs to a process that was killed. */
const STALE_MS = 10_000

/**
 * Runs `work` while nobody else works in the same cache folder, so that two starts at once
 * build once. This only saves work: a build goes to a folder of its own and arrives by a
 * rename, so two at once would be slow but right. The holder shows that it lives by the
 * lock's time, not by a process id, which another container or a restart gives out again.
 */
export async function withBuildLock<T>(folder: string, onProgress: OnProgress, work: () => Promise<T>): Promise<T> {
  await mkdir(folder, { recursive: true })
  const lock = join(folder, 'worker.lock')
  while (!(await take(lock))) {
    onProgress({ doing: 'waiting for the worker that another Footlight is getting' })
    if (await isStale(lock)) await rm(lock, { force: true })
    else await Bun.sleep(LOOK_AGAIN_MS)
  }
  const beat = setInterval(() => {
    const now = new Date()
    utimes(lock, now, now).catch(() => {})
  }, BEAT_MS)
  try {
    return await work()
  } finally {
    clearInterval(beat)
    await rm(lock, { force: true })
  }
}

async function take(lock: string): Promise<boolean> {
  try {
    await (await open(lock, 'wx')).close()
    return true
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false
    throw error
  }
}

async function isStale(lock: string): Promise<boolean> {
  const found = await stat(lock).catch(() => undefined)
  return found !== undefined && Date.now() - found.mtimeMs > STALE_MS
}
