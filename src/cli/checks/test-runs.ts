import { longStep } from '../setup/long-step.ts'
import type { CheckResult } from './check.ts'
import type { TestGroup } from './groups.ts'
import { run } from './run.ts'
import { readSummary, type Tally, tallyLine } from './tally.ts'

/**
 * Runs a group in a `bun test` process of its own; failures are shown as they come.
 *
 * A group that wants a network of its own gets one from the kernel, empty, where this process may
 * make one (as root on Linux): what the tests do to it, such as making a link slow, nobody else feels,
 * and it ends with them. `FOOTLIGHT_TEST_OWN_NETWORK` tells them.
 */
export async function runTests(
  root: string,
  group: Omit<TestGroup, 'name'> & { readonly name: string },
  env: Readonly<Record<string, string | undefined>>,
): Promise<CheckResult> {
  const name = `tests: ${group.name}`
  console.log(`\n== ${name}`)
  if (group.paths.length === 0) {
    console.log('skipped: there are none yet')
    return { name, state: 'skipped', note: 'there are none yet', milliseconds: 0 }
  }
  const begun = performance.now()
  using step = longStep(name)
  const ownNetwork = group.ownNetwork === true && canUnshare()
  const result = await run({
    command: [
      ...(ownNetwork ? unshare : []),
      ...[process.execPath, 'test', '--only-failures', `--timeout=${group.testTimeout}`],
      ...group.paths,
    ],
    cwd: root,
    env: { ...env, FOOTLIGHT_TEST_OWN_NETWORK: ownNetwork ? '1' : undefined },
    timeout: group.groupTimeout,
    onOutput: (text) => {
      step.aside('') // the progress line gives way: what failed belongs to the report on stdout
      process.stdout.write(text)
    },
  })
  const tally = tallyOf(readSummary(result.output), result.ok)
  if (result.ok) step.done()
  return {
    name,
    state: result.ok ? 'passed' : 'failed',
    note: result.fault && result.fault !== 'exit code 1' ? `${tallyLine(tally)} (${result.fault})` : tallyLine(tally),
    milliseconds: performance.now() - begun,
    tally,
  }
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
