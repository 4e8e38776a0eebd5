import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { PGlite } from '@electric-sql/pglite'
import { openLocalIssuer } from '../../../src/http/identity/local-issuer.ts'
import { hashSecret } from '../../../src/http/identity/secret.ts'
import { until } from '../test-server.ts'
import { curtainWords, typicalDay, Witness } from './day.ts'
import { Ledger } from './ledger.ts'

const root = resolve(import.meta.dir, '../../..')
const ledger = new Ledger()
let folder: string
let data: string
let statuses: readonly number[]
/** All that the process wrote, to both. */
let output: string
/** What is kept of the publish tickets: their hashes. */
let kept: readonly string[]

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'footlight-secrets-'))
  data = join(folder, 'data')
  const server = Bun.spawn([process.execPath, 'src/cli/main.ts', 'up'], {
    cwd: root,
    env: {
      ...process.env,
      DATABASE_URL: undefined,
      FOOTLIGHT_DATA: data,
      FOOTLIGHT_PORT: '0',
      FOOTLIGHT_MEDIA_PORT: '0',
      FOOTLIGHT_WORKERS: '1',
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const written = Promise.all([new Response(server.stdout).text(), new Response(server.stderr).text()])
  try {
    const address = () => readFile(join(data, 'server.json'), 'utf8').catch(() => null)
    await until(async () => (await address()) !== null || server.exitCode !== null, 60_000)
    const { url } = JSON.parse((await address()) ?? '{}')
    await until(async () => (await fetch(`${url}/readyz`)).ok)
    const issuer = await openLocalIssuer(data)
    const witness = new Witness(url, ledger)
    await typicalDay(witness, async (subject, capability) => {
      const token = await issuer.sign({ subject, capabilities: [capability], audience: 'openvibe.live', minutes: 5 })
      ledger.know(token, 'token')
      return token
    })
    statuses = witness.statuses
  } finally {
    server.kill('SIGTERM')
    output = (await written).join('\n')
  }
  expect(await server.exited).toBe(0)
  kept = ledger.of('publish ticket').map(hashSecret)
}, 120_000)
afterAll(() => rm(folder, { recursive: true, force: true }))

describe('a typical day', () => {
  test('had successes, refusals of all kinds, and secrets of every kind', () => {
    const counts = Object.fromEntries(
      [...new Set(statuses)].sort().map((status) => [status, statuses.filter((each) => each === status).length]),
    )
    for (const status of [200, 201, 204, 303, 400, 401, 403, 404, 409, 410, 413, 415, 422])
      expect([status, counts[status] ?? 0]).not.toEqual([status, 0])
    expect(statuses.filter((status) => status >= 500)).toEqual([])
    expect(Object.keys(ledger.kinds).sort()).toEqual([
      'link key',
      'publish ticket',
      'session',
      'sign-in link',
      'token',
      'view ticket',
    ])
    expect(ledger.count).toBeGreaterThan(18)
  })

  test('shows each secret in its one place, and in no other answer', () => {
    expect(ledger.faults).toEqual([])
  })

  test('leaves no secret and no reason in what the process wrote', () => {
    expect(output).toContain('Footlight is ready')
    const before = ledger.faults.length
    ledger.search('the output', output)
    expect(ledger.faults.slice(before)).toEqual([])
    for (const word of curtainWords) expect(output).not.toContain(word)
  })

  test('leaves no secret in the data folder', async () => {
    const before = ledger.faults.length
    const names = await readdir(data, { recursive: true, withFileTypes: true })
    const files = names.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name))
    expect(files.length).toBeGreaterThan(100)
    let hashes = 0
    for (const file of files) {
      const text = (await readFile(file)).toString('latin1')
      ledger.search(file.slice(data.length), text)
      if (kept.some((hash) => text.includes(hash))) hashes++
    }
    // The search looks where secrets would be: their hashes are there.
    expect(hashes).toBeGreaterThan(0)
    expect(ledger.faults.slice(before)).toEqual([])
  }, 60_000)

  test('leaves no secret in any row of the database, only hashes', async () => {
    const before = ledger.faults.length
    const database = await PGlite.create(join(data, 'pglite'))
    try {
      const { rows: tables } = await database.query<{ name: string }>(
        "select table_name as name from information_schema.tables where table_schema = 'public'",
      )
      let count = 0
      const found = new Set<string>()
      for (const { name } of tables) {
        const { rows } = await database.query<{ row: string }>(`select t::text as row from "${name}" t`)
        count += rows.length
        const text = rows.map(({ row }) => row).join('\n')
        ledger.search(`the table ${name}`, text)
        for (const hash of kept) if (text.includes(hash)) found.add(hash)
      }
      expect(count).toBeGreaterThan(20)
      expect([...found].sort()).toEqual([...kept].sort())
    } finally {
      await database.close()
    }
    expect(ledger.faults.slice(before)).toEqual([])
  }, 60_000)
})
