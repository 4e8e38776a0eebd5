import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { longStep } from '../setup/long-step.ts'
import type { CheckResult } from './check.ts'
import { migrationsFault } from './migrations.ts'
import { run } from './run.ts'

/** What is checked without running the program: format and lint, types, layers, migrations. */
export const staticChecks: readonly ((root: string) => Promise<CheckResult>)[] = [
  (root) => command(root, 'format and lint', ['biome', 'ci', '--error-on-warnings', '.']),
  (root) => command(root, 'types', ['tsc', '--noEmit']),
  (root) => command(root, 'layers', ['biome', 'lint', '--only=style/noRestrictedImports', 'src']),
  migrations,
]

const TIMEOUT_MS = 180_000

/** Runs a package's program, by bun as node may be old. Its output is shown when it fails. */
async function command(root: string, name: string, [program = '', ...args]: string[]): Promise<CheckResult> {
  return timed(name, async () => {
    const result = await run({
      command: [process.execPath, join(root, 'node_modules/.bin', program), ...args],
      cwd: root,
      timeout: TIMEOUT_MS,
    })
    if (!result.ok) console.log(result.output.trimEnd())
    return result.fault
  })
}

async function migrations(root: string): Promise<CheckResult> {
  const name = 'migrations'
  if (!existsSync(join(root, 'drizzle.config.ts'))) {
    console.log(`\n== ${name}\nskipped: there is no drizzle.config.ts`)
    return { name, state: 'skipped', note: 'no drizzle.config.ts', milliseconds: 0 }
  }
  return timed(name, () => migrationsFault(root))
}

/** Prints the heading and the outcome around `check`, which answers what is wrong or nothing. */
async function timed(name: string, check: () => Promise<string | undefined>): Promise<CheckResult> {
  console.log(`\n== ${name}`)
  const begun = performance.now()
  using step = longStep(name)
  const fault = await check()
  if (fault === undefined) step.done()
  const milliseconds = performance.now() - begun
  return fault === undefined
    ? { name, state: 'passed', note: '', milliseconds }
    : { name, state: 'failed', note: fault, milliseconds }
}
