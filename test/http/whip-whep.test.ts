import { afterAll, afterEach, beforeAll, describe, expect, test } from 'bun:test'
import { clients } from '../media/sdp-bridge/clients.ts'
import { type OfferDescription, writeOffer } from '../media/sdp-bridge/offer-builder.ts'
import { startTestServer, type TestServer, until } from './test-server.ts'

let server: TestServer
let ada: Awaited<ReturnType<TestServer['person']>>
const live: Awaited<ReturnType<TestServer['stream']>>[] = []

beforeAll(async () => {
  server = await startTestServer()
  ada = await server.person('ada')
}, 60_000)
afterAll(() => server.stop())
/** One live stream a person: each test leaves none. */
afterEach(async () => {
  for (const { path } of live.splice(0)) await server.call('POST', `${path}/end`, { cookie: ada.cookie })
})

const sdp = { 'Content-Type': 'application/sdp' }
const chromium = writeOffer(clients.chromium as OfferDescription)
const player = writeOffer({
  sections: [
    { kind: 'video', mid: '0', direction: 'recvonly' },
    { kind: 'audio', mid: '1', direction: 'recvonly' },
  ],
})

async function stream(visibility: 'public' | 'private' = 'public') {
  const made = await server.stream(ada, visibility)
  live.push(made)
  return made
}

function publish({ id, ticket }: { id: string; ticket: string }, body = chromium) {
  return server.call('POST', `/whip/agent/${id}`, { bearer: ticket, body, headers: sdp })
}

describe('WHIP', () => {
  test('answers 201, the answer and an address that is absolute, unguessable and tagged', async () => {
    const made = await stream()
    const { status, headers, body } = await publish(made)
    expect(status).toBe(201)
    expect(headers.get('content-type')).toBe('application/sdp')
    expect(headers.get('location')).toMatch(new RegExp(`^/whip/agent/${made.id}/[A-Za-z0-9_-]{22}$`))
    expect(headers.get('etag')).toMatch(/^"[^"]+"$/)
    expect(headers.get('access-control-allow-origin')).toBe('*')
    expect(headers.get('access-control-expose-headers')).toContain('Location')
    expect(body).toStartWith('v=0\r\n')
    expect(body.match(/^a=recvonly\r$/gm)?.length).toBe(2)
    expect(body).toContain('a=ice-lite')
    expect(body).toContain('a=setup:passive')
    const seen = await server.call('GET', made.path)
    expect([seen.body.state, seen.body.link]).toEqual(['live', 'connecting'])
    expect(seen.body.started_at).not.toBeNull()
  })

  test('takes one session at a time; DELETE ends it, and the ticket is good for the next', async () => {
    const made = await stream()
    const session = (await publish(made)).headers.get('location') as string
    const second = await publish(made)
    expect([second.status, second.body.code]).toEqual([409, 'already_publishing'])
    const check = (bearer: string) => server.call('GET', session, { bearer }).then(({ status }) => status)
    expect(await check(made.ticket)).toBe(204)
    expect((await server.call('DELETE', session)).status).toBe(401)
    expect((await server.call('DELETE', session, { bearer: made.ticket })).status).toBe(200)
    expect(await check(made.ticket)).toBe(404)
    expect((await server.call('DELETE', session, { bearer: made.ticket })).body.code).toBe('session_not_found')
    expect((await server.call('GET', made.path)).body.state).toBe('idle')
    expect((await publish(made)).status).toBe(201)
  })

  test('of many offers at once takes exactly one', async () => {
    const made = await stream()
    const replies = await Promise.all(Array.from({ length: 50 }, () => publish(made)))
    const statuses = replies.map(({ status }) => status)
    expect(statuses.filter((status) => status === 201).length).toBe(1)
    expect(statuses.filter((status) => status === 409).length).toBe(49)
  })

  test('refuses a second live stream of the same person, until the first is off air', async () => {
    const first = await stream()
    const second = await stream()
    await publish(first)
    const refused = await publish(second)
    expect([refused.status, refused.body.code]).toEqual([409, 'live.agent_stream_limit'])
    await server.call('POST', `${first.path}/end`, { cookie: ada.cookie })
    expect((await publish(second)).status).toBe(201)
  })

  test('the kill switch ends the session at once', async () => {
    const made = await stream()
    const session = (await publish(made)).headers.get('location') as string
    expect((await server.call('DELETE', `${made.path}/ticket`, { cookie: ada.cookie })).status).toBe(200)
    expect((await server.call('GET', made.path)).body.state).toBe('idle')
    expect((await server.call('GET', session, { bearer: made.ticket })).body.code).toBe('invalid_ticket')
    expect((await publish(made)).body.code).toBe('invalid_ticket')
  })

  test('a renewal goes on with the same session, under either ticket', async () => {
    const made = await stream()
    const session = (await publish(made)).headers.get('location') as string
    const renewed = await server.call('POST', `${made.path}/ticket`, { bearer: made.ticket })
    for (const bearer of [made.ticket, renewed.body.ticket]) {
      expect((await server.call('GET', session, { bearer })).status).toBe(204)
    }
  })

  test('refuses what is no usable offer, and stays idle', async () => {
    const made = await stream()
    const outcomes: [number, string][] = []
    for (const offer of ['', 'hello', '{"sdp":1}', 'v=0', writeOffer({ sections: [] }), player]) {
      const { status, body } = await publish(made, offer)
      outcomes.push([status, body.code])
    }
    expect(outcomes).toEqual([
      [400, 'invalid_sdp'],
      [400, 'invalid_sdp'],
      [400, 'invalid_sdp'],
      [400, 'invalid_sdp'],
      [400, 'invalid_sdp'],
      [422, 'unsupported_offer'],
    ])
    expect((await server.call('GET', made.path)).body.state).toBe('idle')
  })

  test('a preflight needs no token, and GET has no content', async () => {
    for (const path of ['/whip/agent/x', '/whip/agent/x/y', '/whep/agent/x', '/whep/agent/x/y']) {
      const { status, headers } = await server.call('OPTIONS', path)
      expect([path, status, headers.get('accept-post')]).toEqual([path, 200, 'application/sdp'])
      expect(headers.get('access-control-allow-headers')).toContain('Authorization')
    }
    expect((await server.call('GET', '/whip/agent/x')).status).toBe(204)
  })
})

describe('WHEP', () => {
  test('answers a player, counts it, and lets it leave', async () => {
    const made = await stream()
    const play = (body = player, caller: object = {}) =>
      server.call('POST', `/whep/agent/${made.id}`, { ...caller, body, headers: sdp })
    const early = await play()
    expect([early.status, early.body.code]).toEqual([409, 'not_live'])
    expect(Number(early.headers.get('retry-after'))).toBeGreaterThan(0)
    await publish(made)
    const { status, headers, body } = await play()
    expect(status).toBe(201)
    expect(headers.get('location')).toMatch(new RegExp(`^/whep/agent/${made.id}/[A-Za-z0-9_-]{22}$`))
    expect(body.match(/^a=sendonly\r$/gm)?.length).toBe(2)
    expect(body.match(/^m=(video|audio) /gm)).toEqual(['m=video ', 'm=audio '])
    expect(body).toContain('a=setup:passive')
    const state = () => server.call('GET', `${made.path}/state`, { bearer: made.ticket }).then((reply) => reply.body)
    expect((await state()).viewers).toBe(1)
    expect((await server.call('DELETE', headers.get('location') as string)).status).toBe(200)
    expect((await state()).viewers).toBe(0)
    expect((await server.call('GET', made.path)).body.state).toBe('live')
    const twice = await server.call('DELETE', headers.get('location') as string)
    expect([twice.status, twice.body.code]).toEqual([404, 'session_not_found'])
  })

  test('refuses an offer with no codec in common, and bad offers, counting nobody', async () => {
    const made = await stream()
    await publish(made)
    const strange = writeOffer({
      sections: [{ kind: 'video', mid: '0', direction: 'recvonly', codecs: [{ payload: 96, name: 'THEORA/90000' }] }],
    })
    const outcomes: [number, string][] = []
    for (const offer of [strange, 'v=0', '{}', chromium]) {
      const { status, body } = await server.call('POST', `/whep/agent/${made.id}`, { body: offer, headers: sdp })
      outcomes.push([status, body.code])
    }
    expect(outcomes).toEqual([
      [406, 'no_compatible_codecs'],
      [400, 'invalid_sdp'],
      [400, 'invalid_sdp'],
      [422, 'unsupported_offer'],
    ])
    await until(async () => (await server.call('GET', made.path)).body.viewers === 0)
  })

  test('of a private stream is for who may view it; a viewer makes the desk encode', async () => {
    const made = await stream('private')
    await publish(made)
    const play = (caller: object) =>
      server.call('POST', `/whep/agent/${made.id}`, { ...caller, body: player, headers: sdp })
    expect((await play({})).status).toBe(404)
    const bare = await play({ cookie: ada.cookie })
    expect([bare.status, bare.body.code]).toEqual([401, 'view_ticket_required'])
    const encode = () =>
      server.call('GET', `${made.path}/state`, { bearer: made.ticket }).then(({ body }) => body.encode)
    expect(await encode()).toBe(false)
    const ticket = await server.call('POST', `${made.path}/view-ticket`, { cookie: ada.cookie })
    expect(ticket.status).toBe(201)
    expect((await play({ bearer: ticket.body.ticket })).status).toBe(201)
    expect(await encode()).toBe(true)
  })
})
