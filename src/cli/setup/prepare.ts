import { ensureWorker } from '../../media/worker-binary/ensure.ts'
import { findWorker } from '../../media/worker-binary/find.ts'
import { browserPackages, installMissing, type PackageGroup, workerBuildPackages } from './debian-packages.ts'
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

async function getWorker(groups: readonly PackageGroup[]): Promise<string> {
  using step = longStep("getting mediasoup's worker, once (a build takes about five minutes)")
  const path = await ensureWorker({
    onProgress: ({ doing, fraction }) => step.update(doing, fraction),
    beforeBuild: () => installMissing(groups, step.update),
  })
  step.done()
  return path
}
