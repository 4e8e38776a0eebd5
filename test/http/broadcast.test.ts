import { afterAll, afterEach, beforeAll, describe, expect, test } from 'bun:test'
import { wireGrace } from '../../src/actors/viewer/viewer-machine.ts'
import type { ServerMessage } from '../../src/contracts/broadcast.ts'
import { clients } from '../media/sdp-bridge/clients.ts'
import { type OfferDescription, writeOffer } from '../media/sdp-bridge/offer-builder.ts'
import { startTestServer, type TestServer, until } from './test-server.ts'

let server: TestServer
let ada: Awaited<ReturnType<TestServer['person']>>
const open: WebSocket[] = []

beforeAll(async () => {
  server = await startTestServer()
  ada = await server.person('ada')
}, 60_000)
afterAll(() => server.stop())
afterEach(() => {
  for (const socket of open.splice(0)) socket.close()
})

/** A player's socket that keeps what it is told. */
async function connect(headers: Record<string, string> = {}) {
  const socket = new WebSocket(`${server.url.replace('http', 'ws')}/ws/broadcast`, { headers } as never)
  open.push(socket)
  const messages: ServerMessage[] = []
  const closed = new Promise<{ code: number }>((resolve) => {
    socket.onclose = ({ code }) => resolve({ code })
  })
  socket.onmessage = ({ data }) => messages.push(JSON.parse(String(data)))
  await new Promise((resolve) => {
    socket.onopen = resolve
  })
  const find = <T extends ServerMessage['type']>(type: T) =>
    messages.findLast((message): message is Extract<ServerMessage, { type: T }> => message.type === type)
  return {
    socket,
    messages,
    closed,
    say: (message: object | string) => socket.send(typeof message === 'string' ? message : JSON.stringify(message)),
    find,
    async heard<T extends ServerMessage['type']>(type: T) {
      await until(() => find(type) !== undefined)
      return find(type) as Extract<ServerMessage, { type: T }>
    },
  }
}

async function publish({ id, ticket }: { id: string; ticket: string }) {
  const { status, headers } = await server.call('POST', `/whip/agent/${id}`, {
    bearer: ticket,
    body: writeOffer(clients.chromium as OfferDescription),
    headers: { 'Content-Type': 'application/sdp' },
  })
  expect(status).toBe(201)
  return headers.get('location') as string
}

describe('/ws/broadcast', () => {
  test('a player joins, is told of every change, consumes, and is counted until it leaves', async () => {
    const stream = await server.stream(ada, 'public')
    const player = await connect()
    player.say({ type: 'join', id: 1, stream: stream.id })
    const joined = await player.heard('joined')
    expect(joined.id).toBe(1)
    expect(joined.resumed).toBe(false)
    expect(joined.media).toBeNull()
    expect(joined.stream.state).toBe('idle')
    expect(joined.stream.viewers).toBe(1)
    expect(JSON.stringify(joined.rtpCapabilities)).toContain('video/H264')

    await publish(stream)
    await until(() => player.find('stream')?.media === 1)
    expect(player.find('stream')?.stream.state).toBe('live')
    player.say({ type: 'consume', id: 2, media: 1, rtpCapabilities: joined.rtpCapabilities })
    const consumed = await player.heard('consumed')
    expect([consumed.id, consumed.media]).toEqual([2, 1])
    expect(consumed.consumers.map(({ kind }) => kind).sort()).toEqual(['audio', 'video'])
    expect(consumed.transport.iceCandidates.length).toBeGreaterThan(0)
    const fingerprints = [{ algorithm: 'sha-256', value: Array(32).fill('AB').join(':') }]
    player.say({ type: 'connect', id: 3, media: 1, dtlsParameters: { role: 'client', fingerprints } })
    expect((await player.heard('connected')).id).toBe(3)

    await server.call('POST', `${stream.path}/curtain`, { cookie: ada.cookie, body: { up: true, reason: 'site' } })
    await until(() => player.find('stream')?.stream.curtain.up === true)
    expect(JSON.stringify(player.messages)).not.toContain('"site"')

    player.say({ type: 'leave' })
    await until(async () => (await server.call('GET', stream.path)).body.viewers === 0)
    await server.call('POST', `${stream.path}/end`, { cookie: ada.cookie })
  })

  test('keeps a viewer’s place while its socket is away', async () => {
    const stream = await server.stream(ada, 'public')
    const first = await connect()
    first.say({ type: 'join', id: 1, stream: stream.id })
    const { viewer } = await first.heard('joined')
    first.socket.close()
    await first.closed
    const second = await connect()
    second.say({ type: 'join', id: 1, stream: stream.id, resume: viewer })
    const joined = await second.heard('joined')
    expect([joined.viewer, joined.resumed, joined.stream.viewers]).toEqual([viewer, true, 1])
    const stranger = await connect()
    stranger.say({ type: 'join', id: 1, stream: stream.id, resume: 'constructor' })
    expect((await stranger.heard('joined')).resumed).toBe(false)
  })

  test('keeps a viewer’s place though the socket that it had before breaks late', async () => {
    const stream = await server.stream(ada, 'public')
    const first = await connect()
    first.say({ type: 'join', id: 1, stream: stream.id })
    const { viewer } = await first.heard('joined')
    const second = await connect()
    second.say({ type: 'join', id: 1, stream: stream.id, resume: viewer })
    expect((await second.heard('joined')).resumed).toBe(true)
    first.socket.close()
    await first.closed
    // Longer than a viewer without a socket is kept.
    await Bun.sleep(wireGrace + 1000)
    expect((await server.call('GET', stream.path)).body.viewers).toBe(1)
  }, 30_000)

  test('tells every socket of an end', async () => {
    const stream = await server.stream(ada, 'public')
    const players = await Promise.all(Array.from({ length: 5 }, () => connect()))
    for (const player of players) player.say({ type: 'join', id: 1, stream: stream.id })
    for (const player of players) await player.heard('joined')
    await server.call('POST', `${stream.path}/end`, { cookie: ada.cookie })
    for (const player of players) await until(() => player.find('stream')?.stream.state === 'ended')
    const late = await connect()
    late.say({ type: 'join', id: 1, stream: stream.id })
    expect((await late.heard('joined')).stream.state).toBe('ended')
  })

  test('a private stream is closed to strangers with 4003, and looks like none at all', async () => {
    const stream = await server.stream(ada)
    const bob = await server.person('bob')
    const refusals: unknown[] = []
    for (const [id, headers] of [
      [stream.id, {}],
      ['ags_01ARZ3NDEKTSV4RRFFQ69G5FAV', {}],
      [stream.id, { Cookie: bob.cookie, Origin: server.url }],
      // The owner's own browser, but on a page of another site.
      [stream.id, { Cookie: ada.cookie, Origin: 'https://evil.example' }],
    ] as const) {
      const player = await connect(headers)
      player.say({ type: 'join', id: 7, stream: id })
      const problem = await player.heard('problem')
      refusals.push([problem.id, problem.code, (await player.closed).code])
    }
    expect(refusals).toEqual(Array(4).fill([7, 'not_found', 4003]))
    const bare = await connect({ Cookie: ada.cookie, Origin: server.url })
    bare.say({ type: 'join', id: 7, stream: stream.id })
    expect([(await bare.heard('problem')).code, (await bare.closed).code]).toEqual(['view_ticket_required', 4003])
    const { body } = await server.call('POST', `${stream.path}/view-ticket`, { cookie: ada.cookie })
    const owner = await connect()
    owner.say({ type: 'join', id: 1, stream: stream.id, vt: body.ticket })
    expect((await owner.heard('joined')).stream.id).toBe(stream.id)
  })

  test('a moderator who is one no more is gone before that is answered', async () => {
    const stream = await server.stream(ada, 'unlisted')
    const mira = await server.person('mira')
    const moderators = `/api/channels/${ada.channel}/moderators`
    const added = await server.call('PUT', moderators, { cookie: ada.cookie, body: { handle: 'mira' } })
    expect(added.status).toBe(200)
    const { body } = await server.call('POST', `${stream.path}/view-ticket`, { cookie: mira.cookie })
    const player = await connect()
    player.say({ type: 'join', id: 1, stream: stream.id, vt: body.ticket })
    await player.heard('joined')
    expect((await server.call('DELETE', `${moderators}?handle=mira`, { cookie: ada.cookie })).status).toBe(200)
    expect((await player.closed).code).toBe(4003)
    expect((await server.call('GET', stream.path, { cookie: ada.cookie })).body.viewers).toBe(0)
  })

  test('answers messages out of order, and closes on what is no message', async () => {
    const stream = await server.stream(ada, 'public')
    const player = await connect()
    player.say({ type: 'consume', id: 4, media: 1, rtpCapabilities: {} })
    expect(await player.heard('problem')).toEqual({
      type: 'problem',
      id: 4,
      code: 'wrong_order',
      detail: 'Join a stream first.',
    })
    player.say({ type: 'leave' })
    player.say({ type: 'join', id: 5, stream: stream.id })
    await player.heard('joined')
    player.say({ type: 'join', id: 6, stream: stream.id })
    await until(() => player.find('problem')?.id === 6)
    player.say({ type: 'consume', id: 8, media: 1, rtpCapabilities: {} })
    await until(() => player.find('problem')?.id === 8)
    expect(player.find('problem')?.code).toBe('not_live')
    await publish(stream)
    player.say({ type: 'consume', id: 9, media: 1, rtpCapabilities: { codecs: 'nonsense' } })
    await until(() => player.find('problem')?.id === 9)
    expect((await server.call('GET', stream.path)).body.state).toBe('live')
    for (const nonsense of [
      '',
      'hello',
      '[]',
      '{"type":"join"}',
      '{"type":"nothing"}',
      '{"type":"leave","x":1}',
      'null',
    ]) {
      const other = await connect()
      other.say(nonsense)
      expect([nonsense, (await other.heard('problem')).code, (await other.closed).code]).toEqual([
        nonsense,
        'invalid_request',
        4000,
      ])
    }
    await server.call('POST', `${stream.path}/end`, { cookie: ada.cookie })
  })
})
