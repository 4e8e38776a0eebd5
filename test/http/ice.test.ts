import { afterAll, afterEach, beforeAll, describe, expect, test } from 'bun:test'
import { readSdpFragment, sdpFragmentType, writeSdpFragment } from '../../src/contracts/sdp-fragment.ts'
import { clients } from '../media/sdp-bridge/clients.ts'
import { type OfferDescription, writeOffer } from '../media/sdp-bridge/offer-builder.ts'
import { type Reply, startTestServer, type TestServer } from './test-server.ts'

let server: TestServer
let ada: Awaited<ReturnType<TestServer['person']>>
const live: string[] = []

const turn = 'turn:turn.example:3478?transport=udp'
beforeAll(async () => {
  server = await startTestServer({
    FOOTLIGHT_ICE_SERVERS: `stun:stun.example ${turn}`,
    FOOTLIGHT_TURN_SECRET: 'north',
    FOOTLIGHT_WORKER_CONSUMERS: '5',
  })
  ada = await server.person('ada')
}, 60_000)
afterAll(() => server.stop())
/** One live stream a person: each test leaves none. */
afterEach(async () => {
  for (const path of live.splice(0)) await server.call('POST', `${path}/end`, { cookie: ada.cookie })
})

const sdp = { 'Content-Type': 'application/sdp' }
const desk = writeOffer(clients.chromium as OfferDescription)
const player = writeOffer({
  sections: [
    { kind: 'video', mid: '0', direction: 'recvonly' },
    { kind: 'audio', mid: '1', direction: 'recvonly' },
  ],
})
/** The credentials that the offers carry, and others. */
const same = { ufrag: 'ufr1', pwd: '0123456789abcdef01234567' }
const fresh = { ufrag: 'other', pwd: 'another/password+of24chars' }
const trickle = writeSdpFragment({
  ...same,
  section: { line: 'video 9 UDP/TLS/RTP/SAVPF 96', mid: '0' },
  candidates: [
    '1 1 udp 2122260223 192.0.2.1 61764 typ host',
    '2 1 sctp 2122260223 192.0.2.1 61764 typ host',
    '3 1 udp 2122260223 nowhere.local 61764 typ host',
  ],
})
const restart = writeSdpFragment(fresh)

async function publish(offer = desk) {
  const made = await server.stream(ada, 'public')
  live.push(made.path)
  const reply = await server.call('POST', `/whip/agent/${made.id}`, { bearer: made.ticket, body: offer, headers: sdp })
  expect(reply.status).toBe(201)
  return { ...made, reply, session: reply.headers.get('location') as string }
}

/** A desk's session and a player's: both keep the same rules. */
const kinds = {
  async WHIP() {
    const { ticket, reply, session } = await publish()
    return { reply, session, bearer: ticket }
  },
  async WHEP() {
    const { id } = await publish()
    const reply = await server.call('POST', `/whep/agent/${id}`, { body: player, headers: sdp })
    expect(reply.status).toBe(201)
    return { reply, session: reply.headers.get('location') as string, bearer: undefined }
  },
}

async function open(kind: keyof typeof kinds) {
  const { reply, session, bearer } = await kinds[kind]()
  const call = (method: string, options: { body?: string; type?: string; match?: string } = {}) =>
    server.call(method, session, {
      ...(bearer === undefined ? {} : { bearer }),
      ...(options.body === undefined ? {} : { body: options.body }),
      headers: {
        ...(options.body === undefined ? {} : { 'Content-Type': options.type ?? sdpFragmentType }),
        ...(options.match === undefined ? {} : { 'If-Match': options.match }),
      },
    })
  const patch = (body: string, match?: string, type?: string) =>
    call('PATCH', { body, ...(match === undefined ? {} : { match }), ...(type === undefined ? {} : { type }) })
  return { reply, session, call, patch, etag: reply.headers.get('etag') as string }
}

const seen = ({ status, body }: Reply) => [status, body === '' ? '' : body.code]

describe.each(['WHIP', 'WHEP'] as const)('a %s session', (kind) => {
  test('has a strong tag of its own, and says how it is patched', async () => {
    const { reply, etag, session } = await open(kind)
    expect(etag).toMatch(/^"[A-Za-z0-9]{16,}"$/)
    expect(reply.body).toContain(`a=ice-ufrag:${etag.slice(1, -1)}`)
    expect(reply.headers.get('accept-patch')).toBe(sdpFragmentType)
    const preflight = await server.call('OPTIONS', session)
    expect([preflight.status, preflight.headers.get('accept-patch')]).toEqual([200, sdpFragmentType])
    expect(preflight.headers.get('access-control-allow-methods')).toContain('PATCH')
    expect(preflight.headers.get('access-control-allow-headers')).toContain('If-Match')
  })

  test('takes candidates with 204, no body and no tag', async () => {
    const { patch, etag } = await open(kind)
    for (const match of [etag, '*', `"stale", ${etag}`]) {
      const { status, body, headers } = await patch(trickle, match)
      expect([status, body, headers.get('etag')]).toEqual([204, '', null])
      expect(headers.get('access-control-allow-origin')).toBe('*')
    }
    const typed = await patch(trickle, etag, 'Application/Trickle-ICE-sdpfrag; charset=utf-8')
    expect(typed.status).toBe(204)
  })

  test('wants the right type, a whole fragment and the tag, in this order', async () => {
    const { patch, etag } = await open(kind)
    const wrong = await patch(trickle, etag, 'application/json')
    expect([...seen(wrong), wrong.headers.get('accept-patch')]).toEqual([
      415,
      'unsupported_media_type',
      sdpFragmentType,
    ])
    expect(seen(await patch('hello', etag))).toEqual([400, 'invalid_sdp_fragment'])
    expect(seen(await patch('', etag))).toEqual([400, 'invalid_sdp_fragment'])
    expect(seen(await patch('hello'))).toEqual([400, 'invalid_sdp_fragment'])
    expect(seen(await patch(trickle))).toEqual([428, 'precondition_required'])
    for (const stale of ['"stale"', `W/${etag}`, etag.slice(1, -1), '"*"']) {
      expect([stale, ...seen(await patch(trickle, stale))]).toEqual([stale, 412, 'precondition_failed'])
    }
    expect(seen(await patch(restart, '"stale"'))).toEqual([412, 'precondition_failed'])
  })

  test('restarts ICE: 200, our new half as a fragment, a new tag', async () => {
    const { reply, patch, call, etag } = await open(kind)
    const tags = [etag]
    for (const [at, match] of ['*', '"*"'].entries()) {
      const again = await patch(writeSdpFragment({ ...fresh, ufrag: `other${at}` }), match)
      expect([again.status, again.headers.get('content-type')]).toEqual([200, sdpFragmentType])
      const tag = again.headers.get('etag') as string
      expect(tag).toMatch(/^"[A-Za-z0-9]{16,}"$/)
      const fragment = readSdpFragment(again.body)
      expect([fragment.ufrag, fragment.iceLite, fragment.iceOptions]).toEqual([tag.slice(1, -1), true, ['ice2']])
      expect(reply.body).toContain('a=ice-lite')
      expect(reply.body).toContain('a=ice-options:ice2')
      expect(reply.body).not.toContain(`a=ice-pwd:${fragment.pwd}`)
      // Every candidate of the answer, as they were.
      const candidates = (text: string) => [...new Set(text.match(/^a=candidate:.*$/gm))].map((line) => line.trim())
      expect(candidates(again.body)).toEqual(candidates(reply.body))
      expect(again.body).toMatch(/a=group:BUNDLE 0 1\r\nm=(audio|video) 9 UDP\/TLS\/RTP\/SAVPF [0-9 ]+\r\na=mid:0\r\n/)
      expect(seen(await patch(trickle, tags.at(-1)))).toEqual([412, 'precondition_failed'])
      tags.push(tag)
    }
    expect(new Set(tags).size).toBe(3)
    expect((await patch(writeSdpFragment({ ...fresh, ufrag: 'other1' }), tags.at(-1))).status).toBe(204)
    expect((await call('GET')).status).toBe(204)
  })

  test('outlives a restart that fails, and is not renegotiated', async () => {
    const { patch, call, etag } = await open(kind)
    expect(seen(await patch('a=ice-ufrag:other\r\n', '*'))).toEqual([400, 'invalid_sdp_fragment'])
    const reoffer = await patch(desk, etag, 'application/sdp')
    expect(seen(reoffer)).toEqual([415, 'unsupported_media_type'])
    expect(reoffer.body.detail).toContain('not renegotiated')
    const whole = await patch(desk, etag)
    expect(seen(whole)).toEqual([400, 'invalid_sdp_fragment'])
    expect(whole.body.detail).toContain('not renegotiated')
    const posted = await call('POST', { body: desk, type: 'application/sdp' })
    expect(seen(posted)).toEqual([405, 'method_not_allowed'])
    expect(posted.headers.get('allow')).toBe('DELETE, GET, HEAD, OPTIONS, PATCH')
    expect((await patch(trickle, etag)).status).toBe(204)
  })

  test('ends whatever tag the DELETE carries, and is gone then', async () => {
    const { patch, call } = await open(kind)
    expect([(await call('GET')).status, (await call('HEAD')).status]).toEqual([204, 204])
    expect((await call('DELETE', { match: '"stale"' })).status).toBe(200)
    for (const reply of [
      await call('GET'),
      await call('DELETE'),
      await patch(trickle, '*'),
      await patch(restart, '*'),
    ]) {
      expect(seen(reply)).toEqual([404, 'session_not_found'])
    }
  })

  test('comes with its ICE servers, which no preflight tells', async () => {
    const { reply, session } = await open(kind)
    const link = reply.headers.get('link') ?? ''
    expect(link).toContain('<stun:stun.example>; rel="ice-server"')
    const [, expiry, name, credential] =
      /<turn:turn.example:3478\?transport=udp>; rel="ice-server"; username="(\d+):([^"]+)"; credential="([^"]+)"; credential-type="password"/.exec(
        link,
      ) ?? []
    expect(session).toContain(`/${name}/`)
    expect(Math.abs(Number(expiry) - Date.now() / 1000 - 86_400)).toBeLessThan(60)
    expect(credential).toBe(new Bun.CryptoHasher('sha1', 'north').update(`${expiry}:${name}`).digest('base64'))
    const endpoint = session.split('/').slice(0, -1).join('/')
    for (const path of [endpoint, session]) {
      const preflight = await server.call('OPTIONS', path, {
        headers: { Origin: 'https://player.example', 'Access-Control-Request-Method': 'POST' },
      })
      expect([preflight.status, preflight.headers.get('link')]).toEqual([200, null])
    }
  })
})

describe('a WHIP session', () => {
  test('is patched with the ticket alone', async () => {
    const { session, reply } = await publish()
    const other = await server.stream(ada, 'public')
    for (const bearer of [undefined, other.ticket, 'wpt_wrong']) {
      const patched = await server.call('PATCH', session, {
        ...(bearer === undefined ? {} : { bearer }),
        body: trickle,
        headers: { 'Content-Type': sdpFragmentType, 'If-Match': reply.headers.get('etag') as string },
      })
      expect(seen(patched)).toEqual([401, 'invalid_ticket'])
    }
  })

  test('of a client that names no mid restarts, too', async () => {
    const { session, ticket } = await publish(writeOffer(clients.ffmpeg as OfferDescription))
    const again = await server.call('PATCH', session, {
      bearer: ticket,
      body: restart,
      headers: { 'Content-Type': sdpFragmentType, 'If-Match': '*' },
    })
    expect(again.status).toBe(200)
    expect(again.body).not.toContain('a=mid')
    expect(readSdpFragment(again.body).candidates.length).toBe(2)
  })
})

describe('endpoints', () => {
  test('answer GET and HEAD, and nothing else that they do not know', async () => {
    const { id } = await publish()
    for (const kind of ['whip', 'whep']) {
      const path = `/${kind}/agent/${id}`
      const [get, head] = [await server.call('GET', path), await server.call('HEAD', path)]
      expect([get.status, get.body]).toEqual([204, ''])
      expect([head.status, head.body, head.headers.get('content-type')]).toEqual(
        kind === 'whep' ? [200, '', 'application/sdp'] : [204, '', null],
      )
      for (const method of ['PUT', 'PATCH', 'DELETE', 'PROPFIND']) {
        const { status, headers } = await server.call(method, path)
        expect([method, status, headers.get('allow')]).toEqual([method, 405, 'GET, HEAD, OPTIONS, POST'])
        expect(headers.get('access-control-allow-origin')).toBe('*')
      }
    }
  })

  test('expose every header that a page needs', async () => {
    const { reply } = await publish()
    const exposed = (reply.headers.get('access-control-expose-headers') ?? '').split(', ')
    expect(exposed).toEqual(expect.arrayContaining(['Location', 'ETag', 'Link', 'Accept-Post', 'Retry-After']))
  })

  test('send a viewer away for a while when the worker is full, and take them when there is room', async () => {
    const { id, path } = await publish()
    const play = () => server.call('POST', `/whep/agent/${id}`, { body: player, headers: sdp })
    const [first, second] = [await play(), await play()]
    expect([first.status, second.status]).toEqual([201, 201])
    const third = await play()
    expect(seen(third)).toEqual([503, 'server_full'])
    expect(Number(third.headers.get('retry-after'))).toBeGreaterThan(0)
    expect((await server.call('GET', path)).body.viewers).toBe(2)
    await server.call('DELETE', first.headers.get('location') as string)
    expect((await play()).status).toBe(201)
  })

  test('say when to come back to a stream that is not live', async () => {
    const made = await server.stream(ada, 'public')
    live.push(made.path)
    const early = await server.call('POST', `/whep/agent/${made.id}`, { body: player, headers: sdp })
    expect(seen(early)).toEqual([409, 'not_live'])
    expect(Number(early.headers.get('retry-after'))).toBeGreaterThan(0)
  })
})

describe('rate limits', () => {
  test('hold for patching and ending sessions', async () => {
    const strict = await startTestServer({
      FOOTLIGHT_RATE_WHIP_SESSION: '2/60',
      FOOTLIGHT_RATE_WHEP_SESSION: '2/60',
    })
    try {
      const person = await strict.person('bo')
      const made = await strict.stream(person, 'public')
      const whip = await strict.call('POST', `/whip/agent/${made.id}`, {
        bearer: made.ticket,
        body: desk,
        headers: sdp,
      })
      const whep = await strict.call('POST', `/whep/agent/${made.id}`, { body: player, headers: sdp })
      for (const { headers } of [whip, whep]) {
        const session = headers.get('location') as string
        const patch = () =>
          strict.call('PATCH', session, {
            bearer: made.ticket,
            body: trickle,
            headers: { 'Content-Type': sdpFragmentType, 'If-Match': headers.get('etag') as string },
          })
        expect([(await patch()).status, (await patch()).status]).toEqual([204, 204])
        for (const method of ['PATCH', 'DELETE']) {
          const limited =
            method === 'PATCH' ? await patch() : await strict.call(method, session, { bearer: made.ticket })
          expect(seen(limited)).toEqual([429, 'too_many_requests'])
          expect(Number(limited.headers.get('retry-after'))).toBeGreaterThan(0)
        }
      }
    } finally {
      await strict.stop()
    }
  }, 60_000)
})
