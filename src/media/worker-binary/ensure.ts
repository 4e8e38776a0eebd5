import { buildWorker } from './build.ts'
import { withBuildLock } from './build-lock.ts'
import { cachedWorkers, cacheFolder, mediasoupPackage } from './cache.ts'
import { type FindOptions, locateCached, locateWorker } from './find.ts'
import { fetchPrebuilt } from './prebuilt.ts'
import type { OnProgress } from './progress.ts'

export interface EnsureOptions extends FindOptions {
  /** Told of every step and, while compiling, of every file. */
  readonly onProgress?: OnProgress
  /** Runs before a build, and only then: where the build's tools are installed. */
  readonly beforeBuild?: () => Promise<void>
}

/**
 * The path of a worker program that runs here: found, else fetched, else built from the
 * source in mediasoup's package (about five minutes on two cores, once; the cache keeps it).
 * Rejects with `WorkerBinaryError` when it cannot be had.
 */
export async function ensureWorker(options: EnsureOptions = {}): Promise<string> {
  const found = await locateWorker(options)
  if (found) return found.path

  const env = options.env ?? process.env
  const onProgress = options.onProgress ?? (() => {})
  const folder = options.cache ?? cacheFolder(env)
  const mediasoup = await mediasoupPackage()
  const cached = await cachedWorkers(folder, mediasoup.version)

  return withBuildLock(folder, onProgress, async () => {
    // Whoever held the lock before us may have built what we need.
    const meanwhile = await locateCached(cached)
    if (meanwhile) return meanwhile.path
    onProgress({ doing: "fetching mediasoup's prebuilt worker" })
    if (await fetchPrebuilt({ mediasoup, out: cached.prebuilt, env })) return cached.prebuilt
    await options.beforeBuild?.()
    await buildWorker({ mediasoup, out: cached.built, onProgress })
    return cached.built
  })
}
