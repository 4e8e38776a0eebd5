import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Clock, systemClock } from '../../src/actors/clock.ts'
import { loadConfig } from '../../src/config.ts'
import type { AgentStream, CreatedAgentStream } from '../../src/contracts/agent-stream.ts'
import { publishCapability } from '../../src/http/access/access.ts'
import { openLocalIssuer } from '../../src/http/identity/local-issuer.ts'
import { mintSecret } from '../../src/http/identity/secret.ts'
import { startServer } from '../../src/main.ts'
import type { Person } from '../../src/store/identity-store.ts'
import { documentedBy } from './documented.ts'
import { openReadableStore } from './readable-store.ts'

/** What came back: status, headers and the parsed body. */
export interface Reply {
  readonly status: number
  readonly headers: Headers
  // biome-ignore lint/suspicious/noExplicitAny: tests look at any shape of answer
  readonly body: any
}

/** A whole server for one test file: real workers, a store in memory, any free port. */
export async function startTestServer(env: Record<string, string> = {}, clock: Clock = systemClock) {
  const dataFolder = await mkdtemp(join(tmpdir(), 'footlight-http-'))
  const config = loadConfig({
    FOOTLIGHT_PORT: '0',
    FOOTLIGHT_MEDIA_PORT: '0',
    FOOTLIGHT_WORKERS: '1',
    FOOTLIGHT_DATA: dataFolder,
    MEDIASOUP_WORKER_BIN: process.env.MEDIASOUP_WORKER_BIN,
    ...env,
  })
  const { store, rows } = await openReadableStore()
  const server = await startServer(config, async () => store, clock)
  const { identity } = store
  const issuer = await openLocalIssuer(dataFolder)
  await until(async () => (await fetch(`${server.url}/readyz`)).ok)

  const undocumented = documentedBy(await (await fetch(`${server.url}/openapi.json`)).json())

  /** Every answer must be one that the server's own OpenAPI document names. */
  const call = async (
    method: string,
    path: string,
    options: { bearer?: string; cookie?: string; body?: unknown; headers?: Record<string, string> } = {},
  ): Promise<Reply> => {
    const { bearer, cookie, body } = options
    const headers: Record<string, string> = {
      ...(bearer !== undefined && { Authorization: `Bearer ${bearer}` }),
      ...(cookie !== undefined && { Cookie: cookie, Origin: server.url }),
      ...(body !== undefined && typeof body !== 'string' && { 'Content-Type': 'application/json' }),
      ...options.headers,
    }
    const text = body === undefined ? null : typeof body === 'string' ? body : JSON.stringify(body)
    const response = await fetch(server.url + path, { method, headers, body: text, redirect: 'manual' })
    const answer = await response.text()
    const json = answer !== '' && /json/.test(response.headers.get('content-type') ?? '')
    const reply: Reply = {
      status: response.status,
      headers: response.headers,
      body: json ? JSON.parse(answer) : answer,
    }
    const fault = undocumented(method, path, reply)
    if (fault !== null) throw new Error(fault)
    return reply
  }

  return {
    url: server.url,
    config,
    store,
    rows,
    identity,
    issuer,
    call,
    /** A new person, with a session's cookie and a service token that names them. */
    async person(handle: string): Promise<Person & { cookie: string; token: string }> {
      const person = await identity.addPerson({ handle }, clock.now())
      if (person === null) throw new Error(`${handle} is taken`)
      const { secret, hash } = mintSecret('session')
      const createdAt = clock.now()
      await identity.createSession({ hash, person: person.id, createdAt, expiresAt: createdAt + 3_600_000 })
      const token = await issuer.sign({
        subject: person.id,
        capabilities: [publishCapability],
        audience: config.audience,
        minutes: 5,
      })
      return { ...person, cookie: `footlight_session=${secret}`, token }
    },
    /** A new stream of theirs. */
    async stream(owner: { token: string }, visibility: AgentStream['visibility'] = 'private') {
      const task = { source: 'desk', ref: 'test', title: 'Test the checkout' }
      const { status, body } = await call('POST', '/api/streams/agent', {
        bearer: owner.token,
        body: { task, visibility },
      })
      if (status !== 201) throw new Error(`creating answered ${status} ${JSON.stringify(body)}`)
      const { stream, publish } = body as CreatedAgentStream
      return { id: stream.id, path: `/api/streams/agent/${stream.id}`, ticket: publish.ticket, stream, publish }
    },
    async stop() {
      await server.stop()
      await rm(dataFolder, { recursive: true, force: true })
    },
  }
}

export type TestServer = Awaited<ReturnType<typeof startTestServer>>

/** Waits for a condition, by asking, for `limit` ms at most. */
export async function until(holds: () => Promise<boolean> | boolean, limit = 10_000): Promise<void> {
  const deadline = Date.now() + limit
  while (!(await holds())) {
    if (Date.now() > deadline) throw new Error(`it did not come true within ${limit} ms`)
    await Bun.sleep(20)
  }
}
