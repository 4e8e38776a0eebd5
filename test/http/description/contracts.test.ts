import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { FormatRegistry, type Static, type TSchema } from '@sinclair/typebox'
import { Value } from '@sinclair/typebox/value'
import type { ServerMessage } from '../../../src/contracts/broadcast.ts'
import { ClientMessage, ServerMessageSchema } from '../../../src/contracts/broadcast.ts'
import { publishedContracts } from '../../../src/contracts/published.ts'
import { operatorCapability } from '../../../src/http/operator/operator-capability.ts'
import { clients } from '../../media/sdp-bridge/clients.ts'
import { type OfferDescription, writeOffer } from '../../media/sdp-bridge/offer-builder.ts'
import { type Reply, startTestServer, type TestServer, until } from '../test-server.ts'

const byName = new Map(publishedContracts.map((schema) => [String(schema.$id), schema]))

/** RFC 3339 section 5.6, in UTC: what the contracts promise, and more than `Date.parse` asks. */
FormatRegistry.Set('date-time', (text) => /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z$/.test(text))

let server: TestServer
let ada: Awaited<ReturnType<TestServer['person']>>
/** The contracts that some body was held against. */
const seen = new Set<string>()

beforeAll(async () => {
  server = await startTestServer()
  ada = await server.person('ada')
  await server.person('bob')
}, 60_000)
afterAll(() => server.stop())

/** Closed to fields that it does not name: an answer must have no more than its contract says. */
function closed(schema: TSchema): TSchema {
  const copy = { ...schema }
  if (copy.type === 'object' && copy.properties !== undefined) {
    copy.additionalProperties = false
    copy.properties = Object.fromEntries(
      Object.entries(copy.properties as Record<string, TSchema>).map(([name, field]) => [name, closed(field)]),
    )
  }
  if (copy.items !== undefined) copy.items = closed(copy.items)
  if (copy.anyOf !== undefined) copy.anyOf = (copy.anyOf as TSchema[]).map(closed)
  return copy
}

function mustFit(name: string, body: unknown): void {
  const schema = byName.get(name)
  if (schema === undefined) throw new Error(`${name} is not published`)
  const faults = [...Value.Errors(closed(schema), body)].map(({ path, message }) => `${path}: ${message}`)
  expect([name, faults]).toEqual([name, []])
  seen.add(name)
}

/** Asks, holds the body against the contract that the answer names, and gives the body back. */
async function ask(method: string, path: string, options: Parameters<TestServer['call']>[2] = {}): Promise<Reply> {
  const reply = await server.call(method, path, options)
  const [, name] = /^<\/contracts\/([^>]+)>; rel="describedby"$/.exec(reply.headers.get('link') ?? '') ?? []
  if (name === undefined) throw new Error(`${method} ${path} answered ${reply.status} and names no contract`)
  mustFit(name, reply.body)
  return reply
}

/** Sends a body that must fit the request's contract. */
async function send(name: string, method: string, path: string, body: unknown, caller: object): Promise<Reply> {
  mustFit(name, body)
  return await ask(method, path, { ...caller, body })
}

describe('the contracts', () => {
  test('have names of their own, and each is served under it', async () => {
    const names = publishedContracts.map(({ $id }) => String($id))
    expect(new Set(names).size).toBe(names.length)
    expect(names.filter((name) => !/^live\.[a-z-]+@[1-9]\d*$/.test(name))).toEqual([])
    const { body } = await ask('GET', '/contracts')
    expect(body.contracts.sort()).toEqual(names.map((name) => `/contracts/${name}`).sort())
    for (const name of names) {
      const { status, headers, body: schema } = await server.call('GET', `/contracts/${name}`)
      expect([status, headers.get('content-type')]).toEqual([200, 'application/schema+json'])
      const { $schema, $id, ...rest } = schema
      expect([$schema, $id]).toEqual(['https://json-schema.org/draft/2020-12/schema', `/contracts/${name}`])
      const { $id: _own, ...written } = JSON.parse(JSON.stringify(byName.get(name)))
      expect(rest).toEqual(written)
    }
  })

  test('have examples that fit', () => {
    const examples = publishedContracts.flatMap((schema) =>
      ((schema.examples ?? []) as unknown[]).map((example) => [String(schema.$id), example] as const),
    )
    expect(examples.length).toBeGreaterThan(5)
    for (const [name, example] of examples) mustFit(name, example)
  })

  test('are what streams, tickets, links, sharing and the curtain answer', async () => {
    const owner = { cookie: ada.cookie }
    const create = { task: { source: 'codes', ref: 'job', title: 'T', url: 'https://a.example/1' } } as const
    const created = await send('live.agent-stream-create@1', 'POST', '/api/streams/agent', create, owner)
    const unlisted = { ...create, visibility: 'unlisted' }
    const second = await send('live.agent-stream-create@1', 'POST', '/api/streams/agent', unlisted, owner)
    expect(second.body.link.url).toContain('?k=')
    const { id, channel } = created.body.stream
    const path = `/api/streams/agent/${id}`
    const desk = { bearer: created.body.publish.ticket }
    await ask('GET', path, owner)
    await ask('GET', '/api/streams/agent', owner)
    await send('live.agent-stream-update@1', 'PATCH', path, { visibility: 'public' }, owner)
    await ask('GET', `${path}/state`, desk)
    await send('live.agent-curtain-request@1', 'POST', `${path}/curtain`, { up: true, reason: 'site' }, desk)
    await ask('GET', path, owner)
    await ask('GET', `${path}/state`, desk)
    expect((await ask('GET', `${path}/curtain`, owner)).body.holds.length).toBe(1)
    await send('live.agent-curtain-request@1', 'POST', `${path}/curtain`, { up: false }, owner)
    const { body } = await send('live.agent-view-ticket-request@1', 'POST', `${path}/view-ticket`, {}, owner)
    const renew = { renew: body.ticket }
    await send('live.agent-view-ticket-request@1', 'POST', `${path}/view-ticket`, renew, {})
    await ask('POST', `${path}/rotate-link`, owner)
    await send('live.named-person@1', 'PUT', `${path}/share`, { handle: '@bob' }, owner)
    await ask('GET', `${path}/share`, owner)
    await ask('DELETE', `${path}/share?handle=bob`, owner)
    await send('live.named-person@1', 'PUT', `/api/channels/${channel}/moderators`, { handle: 'bob' }, owner)
    await ask('GET', `/api/channels/${channel}/moderators`, owner)
    await ask('POST', `${path}/ticket`, owner)
    await ask('DELETE', `${path}/ticket`, owner)
    const ended = await ask('POST', `${path}/end`, owner)
    expect([ended.body.state, ended.body.ended_why]).toEqual(['ended', 'owner'])
  })

  test('are what the server and the operator’s calls answer', async () => {
    for (const path of ['/healthz', '/readyz', '/.well-known/jwks.json', '/problems', '/problems/not_live']) {
      expect((await ask('GET', path)).status).toBe(200)
    }
    const subject = 'svc:test'
    const { audience } = server.config
    const bearer = await server.issuer.sign({ subject, capabilities: [operatorCapability], audience, minutes: 1 })
    await send('live.operator-person-create@1', 'POST', '/api/operator/people', { handle: 'carol' }, { bearer })
    await ask('GET', '/api/operator/people/carol', { bearer })
    await ask('POST', '/api/operator/people/carol/sign-in-link', { bearer })
  })

  test('are what refusals answer, on every kind of address', async () => {
    const stream = await server.stream(ada)
    const sdp = { 'Content-Type': 'application/sdp' }
    const outcomes = [
      await ask('GET', '/api/streams/agent/ags_01ARZ3NDEKTSV4RRFFQ69G5FAV'),
      await ask('GET', '/nothing'),
      await ask('PUT', '/healthz'),
      await ask('POST', '/api/streams/agent', { cookie: ada.cookie, body: { task: {}, color: 'red' } }),
      await ask('POST', '/api/streams/agent', {
        bearer: 'x',
        body: { task: { source: 'desk', ref: 'r', title: 'T' } },
      }),
      await ask('POST', `/whip/agent/${stream.id}`, { bearer: stream.ticket, body: 'x', headers: sdp }),
      await ask('POST', `/whep/agent/${stream.id}`, { body: 'x', headers: sdp }),
    ]
    expect(outcomes.map(({ status }) => status)).toEqual([404, 404, 405, 422, 401, 400, 404])
    expect(outcomes[3]?.body.errors.length).toBeGreaterThan(1)
  })

  test('are what a player sends and is sent', async () => {
    const stream = await server.stream(ada, 'public')
    const socket = new WebSocket(`${server.url.replace('http', 'ws')}/ws/broadcast`)
    const messages: ServerMessage[] = []
    socket.onmessage = ({ data }) => messages.push(JSON.parse(String(data)))
    await new Promise((resolve) => {
      socket.onopen = resolve
    })
    const say = (message: Static<typeof ClientMessage>) => {
      mustFit('live.broadcast-client-message@1', message)
      socket.send(JSON.stringify(message))
    }
    const heard = async <T extends ServerMessage['type']>(type: T) => {
      const find = () =>
        messages.find((message): message is Extract<ServerMessage, { type: T }> => message.type === type)
      await until(() => find() !== undefined)
      return find() as Extract<ServerMessage, { type: T }>
    }
    const offer = writeOffer(clients.chromium as OfferDescription)
    const headers = { 'Content-Type': 'application/sdp' }
    await server.call('POST', `/whip/agent/${stream.id}`, { bearer: stream.ticket, body: offer, headers })
    say({ type: 'consume', id: 1, media: 1, rtpCapabilities: {} })
    await heard('problem')
    say({ type: 'join', id: 2, stream: stream.id })
    const { rtpCapabilities, media } = await heard('joined')
    say({ type: 'consume', id: 3, media: media ?? 0, rtpCapabilities })
    const { transport, consumers } = await heard('consumed')
    expect(consumers.length).toBe(2)
    // The player is the client of DTLS: `active` (RFC 8842).
    say({ type: 'connect', id: 4, media: media ?? 0, dtlsParameters: { ...transport.dtlsParameters, role: 'client' } })
    await heard('connected')
    await server.call('POST', `${stream.path}/curtain`, { bearer: stream.ticket, body: { up: true } })
    await until(() => messages.some((message) => message.type === 'stream' && message.stream.curtain.up))
    say({ type: 'leave' })
    socket.close()
    for (const message of messages) mustFit('live.broadcast-server-message@1', message)
    const types = new Set(messages.map(({ type }) => type))
    expect([...types].sort()).toEqual(['connected', 'consumed', 'joined', 'problem', 'stream'])
  })

  test('are all held against something real by the tests before this one', () => {
    expect([...byName.keys()].filter((name) => !seen.has(name))).toEqual([])
  })

  test('are not so wide that anything fits', () => {
    for (const [name, schema] of byName) {
      expect([name, Value.Check(schema, null), Value.Check(schema, 'text')]).toEqual([name, false, false])
    }
    expect(Value.Check(ClientMessage, { type: 'join', id: 1, stream: 'ags_x' })).toBe(false)
    expect(Value.Check(ServerMessageSchema, { type: 'joined', id: 1 })).toBe(false)
  })
})

/** What the schema lets through is what the code takes a message for. Compiles, or does not. */
export const readAsMessage = (message: Static<typeof ServerMessageSchema>): ServerMessage => message
