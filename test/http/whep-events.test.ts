import { afterAll, afterEach, beforeAll, describe, expect, test } from 'bun:test'
import { clients } from '../media/sdp-bridge/clients.ts'
import { type OfferDescription, writeOffer } from '../media/sdp-bridge/offer-builder.ts'
import { startTestServer, type TestServer, until } from './test-server.ts'

let server: TestServer
let ada: Awaited<ReturnType<TestServer['person']>>
const live: string[] = []

beforeAll(async () => {
  server = await startTestServer()
  ada = await server.person('ada')
}, 60_000)
afterAll(() => server.stop())
/** One live stream a person: each test leaves none. */
afterEach(async () => {
  for (const path of live.splice(0)) await server.call('POST', `${path}/end`, { cookie: ada.cookie })
})

const sdp = { 'Content-Type': 'application/sdp' }
const desk = writeOffer(clients.chromium as OfferDescription)
const player = writeOffer({ sections: [{ kind: 'video', mid: '0', direction: 'recvonly' }] })

type Made = Awaited<ReturnType<TestServer['stream']>>

async function publish(on = server, owner = ada): Promise<Made & { whip: string }> {
  const made = await on.stream(owner, 'public')
  if (on === server) live.push(made.path)
  const reply = await on.call('POST', `/whip/agent/${made.id}`, { bearer: made.ticket, body: desk, headers: sdp })
  return { ...made, whip: reply.headers.get('location') as string }
}

async function play({ id }: { id: string }, on = server): Promise<{ session: string; events: string }> {
  const reply = await on.call('POST', `/whep/agent/${id}`, { body: player, headers: sdp })
  const session = reply.headers.get('location') as string
  return { session, events: `${session}/events` }
}

/** Reads an event stream as it comes. */
async function listen(path: string, on = server) {
  const abort = new AbortController()
  const response = await fetch(on.url + path, { signal: abort.signal })
  const told: string[] = []
  const state = { text: '', ended: false }
  const reading = (async () => {
    const decoder = new TextDecoder()
    try {
      for await (const chunk of response.body ?? []) {
        state.text += decoder.decode(chunk, { stream: true })
        const blocks = state.text.split('\n\n')
        state.text = blocks.pop() ?? ''
        for (const block of blocks) {
          const [, event, data] = /^event: (\w+)\ndata: (.*)$/.exec(block) ?? []
          if (event !== undefined) told.push(data === '{}' ? event : `${event} ${data}`)
        }
      }
    } catch {}
    state.ended = true
  })()
  return {
    status: response.status,
    headers: response.headers,
    told,
    has: (count: number) => until(() => told.length >= count),
    ended: () => until(() => state.ended),
    async hangUp() {
      abort.abort()
      await reading
    },
  }
}

async function eventsOf(events: string, wanted?: unknown, on = server) {
  const reply = await on.call('POST', events, wanted === undefined ? {} : { body: wanted })
  return { status: reply.status, code: reply.body?.code, location: reply.headers.get('location') ?? '', reply }
}

describe('the events of a WHEP session', () => {
  test('are told of in the 201, and begin with what is true', async () => {
    const made = await publish()
    const reply = await server.call('POST', `/whep/agent/${made.id}`, { body: player, headers: sdp })
    const session = reply.headers.get('location') as string
    expect(reply.headers.get('link')).toBe(
      `<${session}/events>; rel="urn:ietf:params:whep:ext:core:server-sent-events"; events="active,inactive,viewercount,reconnect"`,
    )
    const { status, location, reply: created } = await eventsOf(`${session}/events`, ['active', 'viewercount'])
    expect([status, created.headers.get('access-control-allow-origin')]).toEqual([201, '*'])
    expect(location).toMatch(new RegExp(`^${session}/events/[A-Za-z0-9_-]{22}$`))
    const stream = await listen(location)
    expect([stream.status, stream.headers.get('content-type')]).toEqual([200, 'text/event-stream'])
    expect(stream.headers.get('access-control-allow-origin')).toBe('*')
    await stream.has(2)
    expect(stream.told).toEqual(['active', 'viewercount {"viewercount":1}'])
    await stream.hangUp()
  })

  test('follow the curtain, the count, and end with the desk', async () => {
    const made = await publish()
    const { events } = await play(made)
    const { location } = await eventsOf(events)
    const stream = await listen(location)
    await stream.has(2)
    const curtain = (up: boolean) => server.call('POST', `${made.path}/curtain`, { cookie: ada.cookie, body: { up } })
    await curtain(true)
    await stream.has(3)
    await curtain(false)
    await stream.has(4)
    await play(made)
    await stream.has(5)
    await server.call('DELETE', made.whip, { bearer: made.ticket })
    await stream.ended()
    expect(stream.told).toEqual([
      'active',
      'viewercount {"viewercount":1}',
      'inactive',
      'active',
      'viewercount {"viewercount":2}',
      'inactive',
    ])
    expect((await server.call('GET', location)).body.code).toBe('session_not_found')
  })

  test('do not begin with inactive: a session behind the curtain hears of it when it comes down', async () => {
    const made = await publish()
    const curtain = (up: boolean) => server.call('POST', `${made.path}/curtain`, { cookie: ada.cookie, body: { up } })
    await curtain(true)
    const { events } = await play(made)
    const stream = await listen((await eventsOf(events, ['active', 'inactive'])).location)
    await curtain(false)
    await stream.has(1)
    expect(stream.told).toEqual(['active'])
    await stream.hangUp()
  })

  test('are those that were asked for', async () => {
    const made = await publish()
    const { events } = await play(made)
    const stream = await listen((await eventsOf(events, ['inactive'])).location)
    await play(made)
    await server.call('POST', `${made.path}/curtain`, { cookie: ada.cookie, body: { up: true } })
    await stream.has(1)
    expect(stream.told).toEqual(['inactive'])
    await stream.hangUp()
  })

  test('are told anew to who comes back, and one reader at a time', async () => {
    const made = await publish()
    const { location } = await eventsOf((await play(made)).events, ['active', 'inactive'])
    const first = await listen(location)
    await first.has(1)
    await first.hangUp()
    await server.call('POST', `${made.path}/curtain`, { cookie: ada.cookie, body: { up: true } })
    const second = await listen(location)
    await second.has(1)
    expect(second.told).toEqual(['inactive'])
    const third = await listen(location)
    await second.ended()
    await third.has(1)
    expect(third.told).toEqual(['inactive'])
    await third.hangUp()
  })

  test('end with DELETE, and with the session', async () => {
    const made = await publish()
    const { session, events } = await play(made)
    const [first, second] = [await eventsOf(events), await eventsOf(events)]
    const stream = await listen(first.location)
    expect((await server.call('DELETE', first.location)).status).toBe(200)
    await stream.ended()
    for (const method of ['GET', 'DELETE']) {
      const { status, body } = await server.call(method, first.location)
      expect([status, body.code]).toEqual([404, 'session_not_found'])
    }
    const other = await listen(second.location)
    await server.call('DELETE', session)
    await other.ended()
    expect((await server.call('GET', second.location)).status).toBe(404)
    expect((await eventsOf(events)).code).toBe('session_not_found')
  })

  test('refuse what is no list of them, unknown sessions, and more streams than a player needs', async () => {
    const made = await publish()
    const { events } = await play(made)
    for (const wanted of [{}, [], ['layers'], ['active', 'active'], 'active', [1]]) {
      expect((await eventsOf(events, wanted)).status).toBeOneOf([415, 422])
    }
    for (const path of [`/whep/agent/${made.id}/nobody/events`, '/whep/agent/x/nobody/events']) {
      expect((await eventsOf(path)).code).toBe('session_not_found')
    }
    const made4 = await Promise.all([1, 2, 3, 4, 5, 6].map(() => eventsOf(events)))
    expect(made4.map(({ status }) => status).sort()).toEqual([201, 201, 201, 201, 429, 429])
    const preflight = await server.call('OPTIONS', events)
    expect([preflight.status, preflight.headers.get('allow')]).toEqual([200, 'POST, OPTIONS'])
  })

  test('of a player that does not read pile up nowhere', async () => {
    const made = await publish()
    const { location } = await eventsOf((await play(made)).events, ['active', 'inactive'])
    const { hostname, port } = new URL(server.url)
    let received = ''
    const socket = await Bun.connect({
      hostname,
      port: Number(port),
      socket: {
        data: (_socket, data) => {
          received += data.toString()
        },
        open: (opened) => {
          opened.write(`GET ${location} HTTP/1.1\r\nHost: x\r\n\r\n`)
        },
      },
    })
    await until(() => received.includes('event: active'))
    const curtain = (up: boolean) => server.call('POST', `${made.path}/curtain`, { cookie: ada.cookie, body: { up } })
    socket.pause()
    for (let turn = 0; turn < 5; turn++) {
      await curtain(true)
      await curtain(false)
    }
    await curtain(true)
    socket.resume()
    await until(() => received.lastIndexOf('event: inactive') > received.lastIndexOf('event: active'))
    expect(received.match(/^event: /gm)?.length).toBeLessThanOrEqual(12)
    socket.end()
  })
})

describe('a server that stops', () => {
  test('tells players to reconnect, and does not wait for those who do not listen', async () => {
    const stopping = await startTestServer()
    const owner = await stopping.person('bo')
    const made = await publish(stopping, owner)
    const streams = []
    for (let count = 0; count < 20; count++) {
      const { events } = await play(made, stopping)
      streams.push(await listen((await eventsOf(events, ['reconnect'], stopping)).location, stopping))
    }
    const { events } = await play(made, stopping)
    const unread = await eventsOf(events, undefined, stopping)
    expect(unread.status).toBe(201)
    await stopping.stop()
    for (const stream of streams) {
      await stream.ended()
      expect(stream.told).toEqual(['reconnect'])
    }
  }, 60_000)
})
