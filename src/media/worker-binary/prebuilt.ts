import { chmod, copyFile, mkdir, mkdtemp, rename, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import type { Environment, MediasoupPackage } from './cache.ts'
import { faultOf } from './probe.ts'

export interface PrebuiltOptions {
  readonly mediasoup: MediasoupPackage
  /** Where the program goes. */
  readonly out: string
  readonly env: Environment
  /** How long the download may take, in milliseconds. */
  readonly deadline?: number
}

/**
 * Fetches mediasoup's prebuilt worker with mediasoup's own install script. Answers whether it
 * came and runs here; a machine without a way out answers `false`, and so does one that is
 * too slow.
 *
 * The script works in its current folder, so it runs in an empty one and the installed package
 * stays as it is. Where the download fails it would go on to build by itself, with further
 * downloads through Python: it is given a Python that does nothing.
 */
export async function fetchPrebuilt(options: PrebuiltOptions): Promise<boolean> {
  const { mediasoup, out, env, deadline = 15_000 } = options
  const folder = await mkdtemp(join(tmpdir(), 'footlight-prebuilt-'))
  try {
    const script = Bun.spawn(
      [Bun.which('node') ?? process.execPath, join(mediasoup.folder, 'npm-scripts.mjs'), 'postinstall'],
      {
        cwd: folder,
        env: scriptEnvironment(env),
        stdio: ['ignore', 'ignore', 'ignore'],
        timeout: deadline,
        killSignal: 'SIGKILL',
      },
    )
    if ((await script.exited) !== 0) return false
    const fetched = join(folder, 'worker/out/Release/mediasoup-worker')
    if ((await faultOf(fetched)) !== undefined) return false
    // The temporary folder may be on another file system, where a rename is not possible.
    await mkdir(dirname(out), { recursive: true })
    const beside = `${out}.${process.pid}`
    await copyFile(fetched, beside)
    await chmod(beside, 0o755)
    await rename(beside, out)
    return true
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

/** The environment without what would make the script skip its download or build instead. */
function scriptEnvironment(env: Environment): Record<string, string | undefined> {
  const kept = Object.entries(env).filter(
    ([name]) => name === 'MEDIASOUP_WORKER_PREBUILT_DOWNLOAD_BASE_URL' || !/^(mediasoup|npm_package)_/i.test(name),
  )
  return { ...Object.fromEntries(kept), PYTHON: '/bin/false' }
}
