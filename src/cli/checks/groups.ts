import { join } from 'node:path'

/** Tests that run together in one `bun test` process. */
export interface TestGroup {
  readonly name: GroupName
  /** Folders and files, relative to the repository's root. */
  readonly paths: readonly string[]
  /** For one test, in ms. */
  readonly testTimeout: number
  /** For all of the group, in ms: a hang ends here. */
  readonly groupTimeout: number
  /** Whether it runs in a network of its own, where this machine lets it: see {@link runTests}. */
  readonly ownNetwork?: boolean
}

export type GroupName = 'unit' | 'store' | 'api' | 'faults' | 'browser' | 'clients'

const minute = 60_000

/**
 * In the order in which they run: the quick ones that tell most first. The limits end a hang; they
 * are several times what a quiet machine needs, so that a busy one fails nothing.
 */
const limits: Record<GroupName, Pick<TestGroup, 'testTimeout' | 'groupTimeout' | 'ownNetwork'>> = {
  unit: { testTimeout: 60_000, groupTimeout: 15 * minute },
  store: { testTimeout: 60_000, groupTimeout: 10 * minute },
  api: { testTimeout: 120_000, groupTimeout: 15 * minute },
  faults: { testTimeout: 120_000, groupTimeout: 10 * minute },
  browser: { testTimeout: 120_000, groupTimeout: 15 * minute },
  clients: { testTimeout: 120_000, groupTimeout: 12 * minute, ownNetwork: true },
}

export const groupNames = Object.keys(limits) as GroupName[]

/** Folders of test/ with a group of their own; everything else there is `unit`, so that no test is left out. */
const groupOfFolder: Readonly<Record<string, GroupName>> = {
  store: 'store',
  http: 'api',
  conformance: 'api',
  faults: 'faults',
  e2e: 'browser',
  clients: 'clients',
}

/**
 * The groups of the tests that are in `root`/test now, in their order. A group without a test
 * file has no paths.
 */
export async function testGroups(root: string): Promise<TestGroup[]> {
  const paths = new Map<GroupName, Set<string>>(groupNames.map((name) => [name, new Set()]))
  const files = await Array.fromAsync(new Bun.Glob('**/*.{test,spec}.{ts,tsx}').scan({ cwd: join(root, 'test') }))
  for (const file of files.sort()) {
    const [first = file, ...rest] = file.split('/')
    const isFolder = rest.length > 0
    paths.get((isFolder && groupOfFolder[first]) || 'unit')?.add(`./test/${first}${isFolder ? '/' : ''}`)
  }
  return groupNames.map((name) => ({ name, paths: [...(paths.get(name) ?? [])], ...limits[name] }))
}
