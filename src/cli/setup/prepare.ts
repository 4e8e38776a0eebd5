import { ensureWorker } from '../../media/worker-binary/ensure.ts'
import { findWorker } from '../../media/worker-binary/find.ts'
import { CommandError } from '../command-error.ts'
import {
  browserPackages,
  clientPackages,
  installMissing,
  type PackageGroup,
  workerBuildPackages,
} from './debian-packages.ts'
import { longStep } from './long-step.ts'

/** `worker`: mediasoup's program. `browser`: Chromium and ffmpeg. */
export type Need = 'worker' | 'browser'

/**
 * Gets what a command needs beyond bun and the packages, and says so on stderr while it takes
 * long. Afterwards `MEDIASOUP_WORKER_BIN` names the worker, for this process and its children.
 * Rejects with a sentence that says what to do.
 */
export async function prepare(needs: readonly Need[]): Promise<void> {
  const groups = needs.includes('browser') ? [browserPackages] : []
  if (needs.includes('worker')) {
    process.env.MEDIASOUP_WORKER_BIN =
      // All missing packages at once: who has to type the command by hand types it once.
      (await findWorker()) ?? (await getWorker([workerBuildPackages, ...groups]))
  }
  await installMissing(groups)
}

/**
 * Gets the other clients that the server is tested with, where this process may install them. Without
 * them there is less to test: what to do about it is said, and the tests say what they skip.
 */
export async function prepareClients(): Promise<void> {
  await installMissing([clientPackages]).catch((error: unknown) => {
    if (!(error instanceof CommandError)) throw error
    console.log(`The tests skip clients that are not there. ${error.message}`)
  })
}

async function getWorker(groups: readonly PackageGroup[]): Promise<string> {
  using step = longStep("getting mediasoup's worker, once (a build takes about five minutes)")
  const path = await ensureWorker({
    onProgress: ({ doing, fraction }) => step.update(doing, fraction),
    beforeBuild: () => installMissing(groups, step.update),
  })
  step.done()
  return path
}
