import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { cp, mkdir, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'

const root = resolve(import.meta.dir, '..')

/** Import lines that the rule must refuse, each in a file of its own under src/. */
const refused: readonly (readonly [file: string, line: string])[] = [
  ['contracts/a.ts', "import { x } from '../actors/ports/media.ts'"],
  ['contracts/a.ts', "import { x } from '../config.ts'"],
  ['actors/a.ts', "import { x } from '../store/database.ts'"],
  ['actors/stream/a.ts', "import type { x } from '../../media/pool/pool.ts'"],
  ['actors/stream/deep/a.ts', "export * from '../../../http/app.ts'"],
  ['actors/a.ts', "export const x = await import('../media/pool.ts')"],
  ['actors/a.ts', "import { Elysia as x } from 'elysia'"],
  ['actors/a.ts', "import { createWorker as x } from 'mediasoup'"],
  ['actors/a.ts', "import type { x } from 'mediasoup/types'"],
  ['actors/a.ts', "import { eq as x } from 'drizzle-orm'"],
  ['actors/a.ts', "import { pgTable as x } from 'drizzle-orm/pg-core'"],
  ['actors/a.ts', "import { readFile as x } from 'node:fs/promises'"],
  ['media/a.ts', "import { x } from '../store/database.ts'"],
  ['media/a.ts', "import { x } from '../actors/stream/stream-machine.ts'"],
  ['media/pool/a.ts', "import { x } from '../worker-binary/find.ts'"],
  ['media/a.ts', "import { x } from './worker-binary/find.ts'"],
  ['store/a.ts', "import { x } from '../media/pool.ts'"],
  ['store/a.ts', "import { x } from '../actors/registry/registry.ts'"],
  ['http/whip/a.ts', "import { x } from '../../media/pool.ts'"],
  ['http/a.ts', "import { x } from '../main.ts'"],
  ['web/player/a.ts', "import { x } from '../../http/app.ts'"],
  ['web/a.ts', "import { x } from '../desk/desk.ts'"],
  ['desk/a.ts', "import { x } from '../web/player.ts'"],
  ['desk/a.ts', "import { x } from '../cli/main.ts'"],
  ['conformance/a.ts', "import { x } from '../http/app.ts'"],
  ['conformance/checks/a.ts', "import { x } from '../../media/sdp-bridge/whip.ts'"],
  ['http/a.ts', "import { x } from '../conformance/suites.ts'"],
  ['media/sdp-bridge/a.ts', "import { x } from '../../conformance/offer-builder.ts'"],
]

/** Import lines of the same shapes that are right. */
const allowed: readonly (readonly [file: string, line: string])[] = [
  ['contracts/a.ts', "import { x } from './ids.ts'"],
  ['actors/stream/a.ts', "import { x } from '../../contracts/ids.ts'"],
  ['actors/stream/a.ts', "import { x } from '../ports/media.ts'"],
  ['media/pool/a.ts', "import type { x } from '../../actors/ports/media.ts'"],
  ['media/worker-binary/a.ts', "import { x } from './find.ts'"],
  ['media/a.ts', "import { x } from 'mediasoup'"],
  ['store/a.ts', "import { x } from '../actors/ports/store.ts'"],
  ['http/a.ts', "import { x } from '../store/people.ts'"],
  ['http/a.ts', "import { x } from '../web/pages.ts'"],
  ['web/a.ts', "import { x } from '../contracts/broadcast.ts'"],
  ['desk/a.ts', "import { x } from '../contracts/broadcast.ts'"],
  ['conformance/checks/a.ts', "import { x } from '../../contracts/sdp-fragment.ts'"],
  ['cli/a.ts', "import { x } from '../conformance/suites.ts'"],
  ['cli/a.ts', "import { x } from '../media/worker-binary/find.ts'"],
  ['main.ts', "import { x } from './media/pool.ts'"],
]

let folder = ''
/** The paths that Biome refused, one for each line above. */
let complaints: readonly string[] = []

const pathOf = (kind: string, index: number, file: string) =>
  file.includes('/')
    ? `src/${dirname(file)}/${kind}-${index}.ts`
    : `src/${kind === 'allowed' ? file : `${kind}-${index}.ts`}`

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'footlight-layers-'))
  await cp(join(root, 'biome.json'), join(folder, 'biome.json'))
  for (const [kind, list] of Object.entries({ refused, allowed })) {
    for (const [index, [file, line]] of list.entries()) {
      const path = join(folder, pathOf(kind, index, file))
      await mkdir(dirname(path), { recursive: true })
      await Bun.write(path, `${line}\n`)
    }
  }
  const biome = join(root, 'node_modules/.bin/biome')
  const args = ['lint', '--only=style/noRestrictedImports', '--reporter=json', '--max-diagnostics=none', '.']
  const run = Bun.spawn([process.execPath, biome, ...args], { cwd: folder, stdio: ['ignore', 'pipe', 'ignore'] })
  const report = (await new Response(run.stdout).json()) as {
    diagnostics: { category: string; location: { path: string | { file: string } } }[]
  }
  complaints = report.diagnostics
    .filter(({ category }) => category === 'lint/style/noRestrictedImports')
    .map(({ location: { path } }) => (typeof path === 'string' ? path : path.file))
})

afterAll(() => rm(folder, { recursive: true, force: true }))

describe('the import rule between layers', () => {
  for (const [index, [file, line]] of refused.entries()) {
    test(`refuses in src/${file}: ${line}`, () => {
      expect(complaints.filter((path) => path.endsWith(pathOf('refused', index, file)))).toHaveLength(1)
    })
  }

  test('refuses nothing else', () => {
    expect(complaints).toHaveLength(refused.length)
  })

  for (const [index, [file, line]] of allowed.entries()) {
    test(`allows in src/${file}: ${line}`, () => {
      expect(complaints.filter((path) => path.endsWith(pathOf('allowed', index, file)))).toEqual([])
    })
  }
})
