import { readdir } from 'node:fs/promises'
import { homedir } from 'node:os'
import { dirname, join, resolve } from 'node:path'

export type Environment = Readonly<Record<string, string | undefined>>

/** Where Footlight keeps what it can make again: `$XDG_CACHE_HOME/footlight` or `~/.cache/footlight`. */
export function cacheFolder(env: Environment): string {
  return join(env.XDG_CACHE_HOME || join(env.HOME || homedir(), '.cache'), 'footlight')
}

/** The installed mediasoup package, whose source the worker is built from. */
export interface MediasoupPackage {
  readonly folder: string
  readonly version: string
}

/** Finds the installed mediasoup package the way an import of it would. */
export async function mediasoupPackage(): Promise<MediasoupPackage> {
  // `mediasoup/package.json` is not among the package's exports, its entry is node/lib/index.js.
  const folder = resolve(dirname(Bun.resolveSync('mediasoup', import.meta.dir)), '../..')
  const { version } = (await Bun.file(join(folder, 'package.json')).json()) as { version: string }
  return { folder, version }
}

/** The files that the cache holds of one mediasoup version on one architecture. */
export interface CachedWorkers {
  readonly built: string
  readonly prebuilt: string
}

/**
 * Names the cached workers. A build's name carries a hash of the recipe, so that a changed
 * recipe is a new build and an old program is never taken for it.
 */
export async function cachedWorkers(folder: string, version: string): Promise<CachedWorkers> {
  const stem = join(folder, `worker-${version}-${process.arch}`)
  return { built: `${stem}-${await recipeHash()}`, prebuilt: `${stem}-prebuilt` }
}

const recipeFolder = join(import.meta.dir, 'recipe')

async function recipeHash(): Promise<string> {
  const hash = new Bun.CryptoHasher('sha256')
  const entries = await readdir(recipeFolder, { recursive: true, withFileTypes: true })
  const files = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name))
  for (const file of files.sort()) {
    hash.update(`${file.slice(recipeFolder.length)}\0`)
    hash.update(await Bun.file(file).bytes())
  }
  return hash.digest('hex').slice(0, 12)
}
