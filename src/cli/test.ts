import { existsSync } from 'node:fs'
import { relative, resolve } from 'node:path'
import type { CheckResult } from './checks/check.ts'
import { type GroupName, groupNames, type TestGroup, testGroups } from './checks/groups.ts'
import { staticChecks } from './checks/static-checks.ts'
import { add, nothing, tallyLine } from './checks/tally.ts'
import { runTests } from './checks/test-runs.ts'
import { CommandError } from './command-error.ts'
import { elapsed } from './setup/long-step.ts'
import { postgresFault, testDatabaseUrl } from './setup/postgres-answers.ts'
import { prepare, prepareClients } from './setup/prepare.ts'
import { table } from './setup/table.ts'

const root = resolve(import.meta.dir, '../..')

/**
 * `footlight test`: every check and every test, or those that `what` names: groups, or paths
 * under test/. The last line that it prints is `N passed, N failed`, of tests. Answers exit
 * code 1 when a check or a test failed.
 */
export async function test(what: readonly string[]): Promise<number> {
  const begun = performance.now()
  const groups = await chosenGroups(what)
  await prepare(['worker', 'browser'])
  if (groups.some(({ paths }) => paths.some((path) => path.startsWith('./test/clients')))) await prepareClients()
  const env = await testEnvironment()

  const results: CheckResult[] = []
  if (what.length === 0) for (const check of staticChecks) results.push(await check(root))
  for (const group of groups) results.push(await runTests(root, group, env))

  const rows = results.map(({ name, state, note, milliseconds }) => [name, state, elapsed(milliseconds), note])
  console.log(`\n== all in ${elapsed(performance.now() - begun)}\n${table(rows)}`)
  if (!env.FOOTLIGHT_TEST_DATABASE_URL) console.log('The PostgreSQL half of the store tests was skipped: see above.')
  console.log(`\n${tallyLine(results.reduce((sum, { tally }) => add(sum, tally ?? nothing), nothing))}`)
  return results.some(({ state }) => state === 'failed') ? 1 : 0
}

/** The groups that `what` names, and one more for its paths. */
async function chosenGroups(what: readonly string[]): Promise<(Omit<TestGroup, 'name'> & { name: string })[]> {
  const groups = await testGroups(root)
  if (what.length === 0) return groups
  const paths = what.filter((each) => !groupNames.includes(each as GroupName))
  for (const path of paths) {
    if (!existsSync(resolve(root, path))) {
      throw new CommandError(`There is no ${path}: name a path under test/, or one of ${groupNames.join(', ')}.`)
    }
  }
  const named = groups.filter(({ name }) => what.includes(name))
  if (paths.length === 0) return named
  const longest = Math.max(...groups.map(({ groupTimeout }) => groupTimeout))
  const slowest = Math.max(...groups.map(({ testTimeout }) => testTimeout))
  const chosenPaths = paths.map((path) => `./${relative(root, resolve(root, path))}`)
  const chosen = {
    name: 'chosen',
    paths: chosenPaths,
    testTimeout: slowest,
    groupTimeout: longest,
    ownNetwork: chosenPaths.every((path) => path.startsWith('./test/clients')),
  }
  return [...named, chosen]
}

/**
 * What the tests run with. `DATABASE_URL` is withheld: it may name a database that somebody
 * needs, and the tests empty theirs.
 */
async function testEnvironment(): Promise<Record<string, string | undefined>> {
  const url = process.env.FOOTLIGHT_TEST_DATABASE_URL || testDatabaseUrl
  const fault = await postgresFault(url)
  if (fault === undefined) console.log('PostgreSQL answers: the store tests run on it and on PGlite.')
  else console.log(`PostgreSQL does not answer (${fault}): the store tests run on PGlite alone.`)
  return {
    ...process.env,
    DATABASE_URL: undefined,
    FOOTLIGHT_TEST_DATABASE_URL: fault === undefined ? url : undefined,
  }
}
