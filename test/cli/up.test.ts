import { afterEach, expect, setDefaultTimeout, test } from 'bun:test'
import { mkdtemp } from 'node:fs/promises'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { findWorker } from '../../src/media/worker-binary/find.ts'

const root = resolve(import.meta.dir, '../..')
const worker = await findWorker()
if (worker === undefined) throw new Error('There is no media worker: start these tests with ./footlight test.')

// A whole server starts in each of these, and a new database is made for it.
setDefaultTimeout(60_000)

const started: Bun.Subprocess[] = []
afterEach(() => {
  for (const each of started.splice(0)) each.kill('SIGKILL')
})

/** `footlight up` in a folder of its own, on ports that the system picks unless `env` says otherwise. */
async function up(env: Record<string, string> = {}) {
  const server = Bun.spawn([process.execPath, 'src/cli/main.ts', 'up'], {
    cwd: root,
    env: {
      ...process.env,
      DATABASE_URL: undefined,
      MEDIASOUP_WORKER_BIN: worker,
      FOOTLIGHT_DATA: join(await mkdtemp(join(tmpdir(), 'footlight-up-')), 'data'),
      FOOTLIGHT_PORT: '0',
      FOOTLIGHT_MEDIA_PORT: '0',
      FOOTLIGHT_WORKERS: '1',
      ...env,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  started.push(server)
  return server
}

for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  test(`it says where it is, serves there, and ends with 0 on ${signal}`, async () => {
    const server = await up()
    let out = ''
    let url: string | undefined
    for await (const text of server.stdout.pipeThrough(new TextDecoderStream())) {
      out += text
      const found = /^Footlight is ready at (http:\S+)\n/m.exec(out)?.[1]
      if (!found || url !== undefined) continue
      url = found
      expect((await fetch(`${url}/healthz`)).status).toBe(200)
      server.kill(signal)
    }
    expect(await server.exited).toBe(0)
    expect(server.signalCode).toBeNull()
    expect(out).toBe(`Footlight is ready at ${url}\nFootlight is stopping\n`)
    expect(await new Response(server.stderr).text()).toBe('')
    await expect(fetch(`${url}/healthz`)).rejects.toThrow()
  })
}

/** How `up` ends when it cannot start. */
async function refusal(env: Record<string, string>) {
  const server = await up(env)
  const [out, err] = await Promise.all([new Response(server.stdout).text(), new Response(server.stderr).text()])
  return { out, lines: err.trimEnd().split('\n'), code: await server.exited }
}

test('a port in use is one sentence and exit code 1', async () => {
  const taken = createServer()
  const port = await new Promise<number>((resolve) =>
    taken.listen(0, '127.0.0.1', () => resolve((taken.address() as { port: number }).port)),
  )
  const { out, lines, code } = await refusal({ FOOTLIGHT_PORT: String(port) })
  taken.close()
  expect(out).toBe('')
  expect(lines).toHaveLength(1)
  expect(lines[0]).toStartWith(`footlight: Port ${port} on 127.0.0.1 is in use.`)
  expect(code).toBe(1)
})

test('a data folder that cannot be written is one sentence and exit code 1', async () => {
  const { out, lines, code } = await refusal({ FOOTLIGHT_DATA: '/dev/null/data' })
  expect(out).toBe('')
  expect(lines).toHaveLength(1)
  expect(lines[0]).toStartWith('footlight: The data folder /dev/null/data cannot be written')
  expect(code).toBe(1)
})

test('a database that does not answer is one sentence without its password, and exit code 1', async () => {
  const { out, lines, code } = await refusal({ DATABASE_URL: 'postgres://someone:geheim@127.0.0.1:1/live' })
  expect(out).toBe('')
  expect(lines).toHaveLength(1)
  expect(lines[0]).toStartWith('footlight: ')
  expect(lines[0]).not.toContain('geheim')
  expect(code).toBe(1)
})

test('every wrong setting is a sentence of its own', async () => {
  const { lines, code } = await refusal({ FOOTLIGHT_PORT: 'http', FOOTLIGHT_WORKERS: '0' })
  expect(lines).toHaveLength(2)
  for (const line of lines) expect(line).toStartWith('footlight: FOOTLIGHT_')
  expect(code).toBe(1)
})
