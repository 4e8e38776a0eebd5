import { expect, test } from 'bun:test'
import { mkdtemp } from 'node:fs/promises'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { findings } from '../../src/cli/setup/findings.ts'
import { fakeWorker } from '../media/worker-binary/fake-worker.ts'

/** A machine on which `up` could start: a worker, a folder to write to, ports that the system picks. */
async function settings(changed: Record<string, string> = {}) {
  const folder = await mkdtemp(join(tmpdir(), 'footlight-doctor-'))
  return {
    MEDIASOUP_WORKER_BIN: await fakeWorker(join(folder, 'worker')),
    FOOTLIGHT_DATA: join(folder, 'not/made/yet'),
    FOOTLIGHT_PORT: '0',
    FOOTLIGHT_MEDIA_PORT: '0',
    ...changed,
  }
}

/** What stands in the way of `up`, by name. */
async function inTheWay(env: Record<string, string>) {
  const found = await findings(env)
  return found.filter(({ neededForUp, state }) => neededForUp && state !== 'present' && state !== 'free')
}

async function listening() {
  const server = createServer()
  const port = await new Promise<number>((resolve) =>
    server.listen(0, '127.0.0.1', () => resolve((server.address() as { port: number }).port)),
  )
  return { port, [Symbol.dispose]: () => void server.close() }
}

test('nothing stands in the way where all is there', async () => {
  expect(await inTheWay(await settings())).toEqual([])
})

test('a port in use is told, for HTTP and for media, with the way to find who has it', async () => {
  using taken = await listening()
  const port = String(taken.port)
  const [http, ...others] = await inTheWay(await settings({ FOOTLIGHT_PORT: port }))
  expect(others).toEqual([])
  expect(http?.name).toBe(`port ${port}`)
  expect(http?.state).toBe('in use')
  expect(http?.detail).toContain(`ss -lntup 'sport = :${port}'`)

  const media = await inTheWay(await settings({ FOOTLIGHT_MEDIA_PORT: port, FOOTLIGHT_WORKERS: '1' }))
  expect(media.map(({ name, state }) => [name, state])).toEqual([[`port ${port}`, 'in use']])
})

test('a data folder that cannot be made is told', async () => {
  const file = join(await mkdtemp(join(tmpdir(), 'footlight-doctor-')), 'file')
  await Bun.write(file, '')
  const [folder, ...others] = await inTheWay(await settings({ FOOTLIGHT_DATA: join(file, 'data') }))
  expect(others).toEqual([])
  expect(folder?.detail).toBe(`${file} is no folder`)
})

test('a database that does not answer is told without its password', async () => {
  const found = await inTheWay(await settings({ DATABASE_URL: 'postgres://someone:geheim@127.0.0.1:1/live' }))
  expect(found.map(({ name }) => name)).toEqual(['PostgreSQL'])
  expect(found[0]?.detail).toContain('127.0.0.1:1/live')
  expect(JSON.stringify(found)).not.toContain('geheim')
})

test('each wrong setting is a line of its own, and the rest is looked at all the same', async () => {
  const found = await findings(await settings({ FOOTLIGHT_PORT: 'x', FOOTLIGHT_WORKERS: '0' }))
  expect(found.filter(({ name }) => name === 'settings').map(({ detail }) => detail.split(' ')[0])).toEqual([
    'FOOTLIGHT_PORT',
    'FOOTLIGHT_WORKERS',
  ])
  expect(found.map(({ name }) => name)).toContain('worker')
})

test('a worker that is none is told with its reason', async () => {
  const [worker, ...others] = await inTheWay(await settings({ MEDIASOUP_WORKER_BIN: '/nowhere/worker' }))
  expect(others).toEqual([])
  expect(worker?.name).toBe('worker')
  expect(worker?.detail).toContain('there is no such file')
})
