import type { CheckResult } from './check.ts'
import type { TestGroup } from './groups.ts'
import { run } from './run.ts'
import { readSummary, type Tally, tallyLine } from './tally.ts'

/** How a group went, and what its process had to say. */
export interface TestRun {
  readonly result: CheckResult
  readonly output: string
}

/**
 * Runs a group in a `bun test` process of its own.
 *
 * A group that wants a network of its own gets one from the kernel, empty, where this process may
 * make one (as root on Linux): what the tests do to it, such as making a link slow, nobody else feels,
 * and it ends with them. `FOOTLIGHT_TEST_OWN_NETWORK` tells them.
 */
export async function runTests(
  root: string,
  group: Omit<TestGroup, 'name'> & { readonly name: string },
  env: Readonly<Record<string, string | undefined>>,
): Promise<TestRun> {
  const name = `tests: ${group.name}`
  if (group.paths.length === 0) {
    const note = 'there are none yet'
    return { result: { name, state: 'skipped', note, milliseconds: 0 }, output: `skipped: ${note}\n` }
  }
  const begun = performance.now()
  const ownNetwork = group.ownNetwork === true && canUnshare()
  const ended = await run({
    command: [
      ...(ownNetwork ? unshare : []),
      ...[process.execPath, 'test', '--only-failures', `--timeout=${group.testTimeout}`],
      ...group.paths,
    ],
    cwd: root,
    env: { ...env, FOOTLIGHT_TEST_OWN_NETWORK: ownNetwork ? '1' : undefined },
    timeout: group.groupTimeout,
  })
  const tally = tallyOf(readSummary(ended.output), ended.ok)
  const result: CheckResult = {
    name,
    state: ended.ok ? 'passed' : 'failed',
    note: ended.fault && ended.fault !== 'exit code 1' ? `${tallyLine(tally)} (${ended.fault})` : tallyLine(tally),
    milliseconds: performance.now() - begun,
    tally,
  }
  return { result, output: ended.output }
}

const unshare = ['unshare', '--net', '--'] as const

function canUnshare(): boolean {
  if (!Bun.which('unshare')) return false
  return Bun.spawnSync([...unshare, 'true'], { stdio: ['ignore', 'ignore', 'ignore'] }).success
}

/** A run that failed without naming a failed test, as in a crash, counts as one that failed. */
function tallyOf(summary: Tally | undefined, ok: boolean): Tally {
  const tally = summary ?? { passed: 0, failed: 0, skipped: 0 }
  return ok || tally.failed > 0 ? tally : { ...tally, failed: 1 }
}
