import { afterAll, beforeAll, expect, test } from 'bun:test'
import { cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, truncateSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { newId } from '../../src/contracts/ids.ts'
import { openStore, type Store } from '../../src/store/open-store.ts'
import { StoreStartError } from '../../src/store/store-start-error.ts'
import { sha256 } from './sha256.ts'
import { spawnScript } from './spawn-script.ts'

let root: string
/** A data folder with an empty database: copied, as making one takes seconds. */
let prepared: string

beforeAll(async () => {
  root = mkdtempSync(join(tmpdir(), 'footlight-data-'))
  prepared = join(root, 'prepared')
  await (await openStore({ dataFolder: prepared })).close()
}, 60_000)
afterAll(() => rmSync(root, { recursive: true, force: true }))

function newFolder(name: string): string {
  const folder = join(root, name)
  cpSync(prepared, folder, { recursive: true })
  return folder
}

async function startSentence(opening: Promise<Store>): Promise<string> {
  try {
    await (await opening).close()
  } catch (error) {
    if (error instanceof StoreStartError) return error.message
    throw error
  }
  throw new Error('it started')
}

test('what was acknowledged is there after SIGKILL, again and again', async () => {
  const folder = newFolder('killed')
  const acknowledged: { id: string; count: number }[] = []
  for (let round = 0; round < 5; round++) {
    const writer = spawnScript('data-folder-writer.ts', [folder, String(round)])
    const id = await writer.line()
    // A different moment each round; lines that it printed on top of these count as well.
    for (let n = 0; n < 7 + round * 20; n++) await writer.line()
    await writer.kill()
    const rest = await writer.rest()
    acknowledged.push({ id, count: 7 + round * 20 + rest.length })
  }
  const store = await openStore({ dataFolder: folder })
  for (const [round, { id, count }] of acknowledged.entries()) {
    const record = await store.streams.loadStream(id)
    expect(record?.workedMs).toBeGreaterThanOrEqual(count)
    // The write that was under way may be there too; never half of it, never two.
    expect(record?.workedMs).toBeLessThanOrEqual(count + 1)
    const minted = Number(record?.ticket?.expiresAt) - 1e15
    expect(record?.ticket?.hash).toBe(sha256(`${round} ${minted}`))
    expect(record?.replacedTickets).toHaveLength(minted)
    for (let n = 1; n <= count; n++) {
      expect(await store.identity.personByHandle(`r${round}-n${n}`)).not.toBeNull()
      const ticket = await store.viewTickets.find(sha256(`view ${round} ${n}`), n)
      expect([ticket?.stream, ticket?.expiresAt]).toEqual([id, 1e15 + n])
    }
    const through = (n: number) => Array.from({ length: n }, (_, at) => `r${round}-n${at + 1}`)
    const either = [through(count), through(count + 1)]
    expect(either).toContainEqual((await store.sharing.list(id)).map(({ handle }) => handle))
    expect(either).toContainEqual((await store.moderators.list(record?.channel ?? '')).map(({ handle }) => handle))
    const rotated = [count, count + 1].findIndex((n) => record?.linkKeyHash === sha256(`key ${round} ${n}`))
    expect(rotated).not.toBe(-1)
    const named = Number(record?.still?.at)
    expect([count, count + 1]).toContain(named)
    const picture = `still ${round} ${named}`
    expect(record?.still).toEqual({ hash: sha256(picture), type: 'image/jpeg', size: picture.length, at: named })
    const bytes = await store.stills.get(id, sha256(picture))
    expect(new TextDecoder().decode(bytes ?? new Uint8Array())).toBe(picture)
    const visibilities = [count, count + 1].map((n) => (n % 2 ? 'public' : 'unlisted') as string)
    expect(visibilities.slice(rotated)).toContain(record?.visibility ?? '')
  }
  await store.close()
}, 120_000)

test('a first start that is killed in the middle leaves nothing in the way of the next', async () => {
  const folder = join(root, 'half')
  const half = join(folder, 'pglite.new')
  const first = spawnScript('data-folder-writer.ts', [folder, 'first'])
  while (!existsSync(join(half, 'PG_VERSION'))) await Bun.sleep(1)
  await first.kill()
  expect(existsSync(half)).toBe(true)
  expect(existsSync(join(folder, 'pglite'))).toBe(false)
  const store = await openStore({ dataFolder: folder })
  expect(await store.identity.addPerson({ handle: 'ada' }, 1)).not.toBeNull()
  await store.close()
  expect(readdirSync(folder).toSorted()).toEqual(['footlight.lock', 'footlight.pid', 'pglite'])
}, 60_000)

test('a data folder in use is refused and left alone; closed, it opens again with all that was kept', async () => {
  const folder = newFolder('twice')
  const store = await openStore({ dataFolder: folder })
  const ada = await store.identity.addPerson({ handle: 'ada' }, 1)
  expect(await startSentence(openStore({ dataFolder: folder }))).toBe(
    `The data folder ${folder} is in use by another Footlight (process ${process.pid}). Stop it, or set FOOTLIGHT_DATA to another folder.`,
  )
  await store.ping()
  await Promise.all([store.close(), store.close()])
  const again = await openStore({ dataFolder: folder })
  expect(await again.identity.personByHandle('ada')).toEqual(ada)
  await again.close()
}, 30_000)

test('a database that is spoilt is named in one sentence, and the folder is given back', async () => {
  const folder = newFolder('spoilt')
  truncateSync(join(folder, 'pglite', 'global', 'pg_control'), 10)
  const sentence = await startSentence(openStore({ dataFolder: folder }))
  expect(sentence).toStartWith(`The database in ${join(folder, 'pglite')} cannot be opened (`)
  expect(sentence).toEndWith('Restore it from a backup, or move it away to begin an empty one.')
  expect(sentence).not.toContain('\n')
  rmSync(join(folder, 'pglite'), { recursive: true })
  cpSync(join(prepared, 'pglite'), join(folder, 'pglite'), { recursive: true })
  await (await openStore({ dataFolder: folder })).close()
}, 30_000)

test('no secret is in any file of the data folder, write-ahead log included', async () => {
  const folder = newFolder('secrets')
  const store = await openStore({ dataFolder: folder })
  const secrets = ['wpt_', 'wpt_', 'session_', 'link_', 'wvt_', 'key_', 'key_', 'key_'].map(
    (kind) => `${kind}${crypto.randomUUID()}`,
  )
  const [first = '', second = '', session = '', link = '', view = '', key = '', rotated = '', came = ''] = secrets
  const ada = await store.identity.addPerson({ handle: 'ada' }, 1)
  if (!ada) throw new Error('taken')
  const id = newId('agentStream')
  await store.streams.createStream({
    id,
    owner: ada.id,
    task: { source: 'desk', ref: 'r', title: 'Keep no secret' },
    visibility: 'private',
    ticket: { hash: sha256(first), expiresAt: 9 },
    linkKeyHash: sha256(key),
    createdAt: 1,
  })
  await store.streams.keep(id, {
    type: 'ticket_minted',
    ticket: { hash: sha256(second), expiresAt: 9 },
    at: 1,
    replacedUntil: 2,
  })
  await store.identity.createSession({ hash: sha256(session), person: ada.id, createdAt: 1, expiresAt: 9 })
  await store.identity.createSignInLink({ hash: sha256(link), person: ada.id, expiresAt: 9 })
  await store.identity.useSignInLink(sha256(link), 2)
  await store.streams.keep(id, { type: 'link_rotated', linkKeyHash: sha256(rotated) })
  await store.viewTickets.mint({
    hash: sha256(view),
    stream: id,
    right: { type: 'link', key: sha256(came) },
    firstMintedAt: 1,
    expiresAt: 9,
  })
  await store.close()

  const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile())
  const bytes = Buffer.concat(files.map((file) => readFileSync(join(file.parentPath, file.name))))
  for (const secret of secrets) {
    expect(bytes.includes(secret)).toBe(false)
    // The proof that the search would find it: its hash is there.
    expect(bytes.includes(sha256(secret))).toBe(true)
  }
}, 30_000)

test('a backup of the closed folder is a whole store', async () => {
  const folder = newFolder('backed-up')
  const store = await openStore({ dataFolder: folder })
  const ada = await store.identity.addPerson({ handle: 'ada' }, 1)
  await store.close()
  const copy = join(root, 'restored')
  mkdirSync(copy)
  cpSync(folder, copy, { recursive: true })
  const restored = await openStore({ dataFolder: copy })
  expect(await restored.identity.personByHandle('ada')).toEqual(ada)
  await restored.close()
}, 30_000)
