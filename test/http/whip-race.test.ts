import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { clients } from '../media/sdp-bridge/clients.ts'
import { type OfferDescription, writeOffer } from '../media/sdp-bridge/offer-builder.ts'
import { startTestServer, type TestServer } from './test-server.ts'

let server: TestServer
const offer = writeOffer(clients.chromium as OfferDescription)

beforeAll(async () => {
  // What is looked at here is the limit of live streams, not the one of posts.
  server = await startTestServer({ FOOTLIGHT_RATE_WHIP: 'off', FOOTLIGHT_LIVE_OWNER: 'olga' })
}, 60_000)
afterAll(() => server.stop())

type Made = Awaited<ReturnType<TestServer['stream']>>

/** A WHIP post on a connection of its own that lacks only its last byte, and what ends it. */
async function nearlyPosted({ id, ticket }: Made): Promise<{ finish: () => void; answer: Promise<string> }> {
  const { hostname, port } = new URL(server.url)
  const socket: Socket = connect(Number(port), hostname)
  const answer = new Promise<string>((resolve, reject) => {
    let text = ''
    socket.setEncoding('utf8')
    socket.on('data', (part) => {
      text += part
    })
    socket.on('end', () => resolve(text))
    socket.on('error', reject)
  })
  await once(socket, 'connect')
  const head = [
    `POST /whip/agent/${id} HTTP/1.1`,
    `Host: ${hostname}:${port}`,
    `Authorization: Bearer ${ticket}`,
    'Content-Type: application/sdp',
    `Content-Length: ${Buffer.byteLength(offer)}`,
    'Connection: close',
  ]
  socket.write(`${head.join('\r\n')}\r\n\r\n${offer.slice(0, -1)}`)
  return { finish: () => socket.write(offer.slice(-1)), answer }
}

/** All the posts, finished in the same moment: how many were answered how. */
async function race(streams: readonly Made[], posts: number): Promise<Record<string, number>> {
  const waiting = await Promise.all(
    Array.from({ length: posts }, (_, at) => nearlyPosted(streams[at % streams.length] as Made)),
  )
  for (const { finish } of waiting) finish()
  const counts: Record<string, number> = {}
  for (const text of await Promise.all(waiting.map(({ answer }) => answer))) {
    const status = /^HTTP\/1\.1 (\d{3})/.exec(text)?.[1] ?? 'none'
    const code = /"code":"([^"]+)"/.exec(text)?.[1]
    const outcome = code === undefined ? status : `${status} ${code}`
    counts[outcome] = (counts[outcome] ?? 0) + 1
  }
  return counts
}

async function liveOf(streams: readonly Made[], cookie: string): Promise<Made[]> {
  const states = await Promise.all(streams.map(({ path }) => server.call('GET', path, { cookie })))
  return streams.filter((_, at) => states[at]?.body.state === 'live')
}

describe('a thousand WHIP posts at once', () => {
  test('on one person’s streams: one is accepted, and every other is told why not', async () => {
    const ada = await server.person('ada')
    const streams = await Promise.all(Array.from({ length: 8 }, () => server.stream(ada)))
    // Twice: the one that was live has gone in between, and left nothing behind.
    for (let turn = 0; turn < 2; turn++) {
      const counts = await race(streams, 1000)
      expect(counts['201']).toBe(1)
      // The stream that won has a session; the others have a person who is live already.
      expect(counts['409 already_publishing']).toBe(124)
      expect(counts['409 live.agent_stream_limit']).toBe(875)
      const live = await liveOf(streams, ada.cookie)
      expect(live.length).toBe(1)
      await server.call('DELETE', `${live[0]?.path}/ticket`, { cookie: ada.cookie })
      streams.splice(streams.indexOf(live[0] as Made), 1, await server.stream(ada))
    }
  }, 120_000)

  test('on the Live owner’s streams: five are accepted', async () => {
    const olga = await server.person('olga')
    const streams = await Promise.all(Array.from({ length: 8 }, () => server.stream(olga)))
    const counts = await race(streams, 400)
    expect(counts['201']).toBe(5)
    expect(counts['409 already_publishing']).toBe(5 * 49)
    expect(counts['409 live.agent_stream_limit']).toBe(3 * 50)
    expect((await liveOf(streams, olga.cookie)).length).toBe(5)
  }, 120_000)
})
