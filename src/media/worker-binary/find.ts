import { type CachedWorkers, cachedWorkers, cacheFolder, type Environment, mediasoupPackage } from './cache.ts'
import { faultOf } from './probe.ts'
import { WorkerBinaryError } from './worker-binary-error.ts'

export interface FindOptions {
  /** Defaults to `process.env`. */
  readonly env?: Environment
  /** Where builds are kept. Defaults to Footlight's cache folder. */
  readonly cache?: string
}

export interface FoundWorker {
  readonly path: string
  readonly origin: 'MEDIASOUP_WORKER_BIN' | 'own build' | 'prebuilt'
}

/**
 * Finds a worker program that runs here, in a few milliseconds, without fetching or building:
 * `MEDIASOUP_WORKER_BIN` first, then our own build in the cache, then a fetched prebuilt one.
 * Rejects with {@link WorkerBinaryError} when `MEDIASOUP_WORKER_BIN` names what is no worker:
 * who sets it means it, and another worker would hide the mistake.
 */
export async function locateWorker(options: FindOptions = {}): Promise<FoundWorker | undefined> {
  const env = options.env ?? process.env
  const named = env.MEDIASOUP_WORKER_BIN
  if (named) {
    const fault = await faultOf(named)
    if (fault === undefined) return { path: named, origin: 'MEDIASOUP_WORKER_BIN' }
    throw new WorkerBinaryError(
      `MEDIASOUP_WORKER_BIN is ${named}, but ${fault}: correct it, or unset it and Footlight finds or builds one.`,
    )
  }
  const { version } = await mediasoupPackage()
  return locateCached(await cachedWorkers(options.cache ?? cacheFolder(env), version))
}

/** The same as {@link locateWorker}, the path alone. */
export async function findWorker(options: FindOptions = {}): Promise<string | undefined> {
  return (await locateWorker(options))?.path
}

/** The first of the cached programs that runs here. */
export async function locateCached(cached: CachedWorkers): Promise<FoundWorker | undefined> {
  if ((await faultOf(cached.built)) === undefined) return { path: cached.built, origin: 'own build' }
  if ((await faultOf(cached.prebuilt)) === undefined) return { path: cached.prebuilt, origin: 'prebuilt' }
  return undefined
}
