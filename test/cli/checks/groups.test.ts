import { expect, test } from 'bun:test'
import { mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { groupNames, testGroups } from '../../../src/cli/checks/groups.ts'

async function groupsOf(...files: string[]) {
  const root = await mkdtemp(join(tmpdir(), 'footlight-groups-'))
  for (const file of ['test/placeholder.txt', ...files]) await Bun.write(join(root, file), '')
  return Object.fromEntries((await testGroups(root)).map(({ name, paths }) => [name, paths]))
}

test('each folder goes to its group, and what has none is a unit test', async () => {
  const groups = await groupsOf(
    'test/layers.test.ts',
    'test/actors/stream/a.test.ts',
    'test/actors/stream/b.test.ts',
    'test/brand-new/a.test.tsx',
    'test/store/a.test.ts',
    'test/http/whip/a.test.ts',
    'test/faults/a.test.ts',
    'test/e2e/a.test.ts',
    'test/clients/a.test.ts',
  )
  expect(groups).toEqual({
    unit: ['./test/actors/', './test/brand-new/', './test/layers.test.ts'],
    store: ['./test/store/'],
    api: ['./test/http/'],
    faults: ['./test/faults/'],
    browser: ['./test/e2e/'],
    clients: ['./test/clients/'],
  })
})

test('a folder without a test file is no group', async () => {
  const groups = await groupsOf('test/store/fixture.ts', 'test/fixtures/offer.sdp')
  expect(Object.values(groups).flat()).toEqual([])
})

test('no test of this repository is left out', async () => {
  const root = resolve(import.meta.dir, '../../..')
  const groups = await testGroups(root)
  const paths = groups.flatMap((group) => group.paths.map((path) => path.slice('./'.length)))
  const files = await Array.fromAsync(new Bun.Glob('test/**/*.{test,spec}.{ts,tsx}').scan({ cwd: root }))
  expect(files.length).toBeGreaterThan(0)
  expect(files.filter((file) => paths.filter((path) => file.startsWith(path)).length !== 1)).toEqual([])
  expect(groups.map(({ name }) => name)).toEqual(groupNames)
})
