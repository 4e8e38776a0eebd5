import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'bun:test'
import { RefusedError } from '../../../src/contracts/problem.ts'
import { roomCodecs } from '../../../src/media/codecs.ts'
import { Rooms } from '../../../src/media/rooms/rooms.ts'
import { Workers } from '../../../src/media/workers.ts'
import { workerBin } from '../layer-under-test.ts'
import { clients } from '../sdp-bridge/clients.ts'
import { vp8, writeOffer } from '../sdp-bridge/offer-builder.ts'
import { Census } from './census.ts'

const desk = writeOffer(clients.chromium)
const player = writeOffer({
  sections: [
    { kind: 'video', mid: '0', direction: 'recvonly', ssrcs: [] },
    { kind: 'audio', mid: '1', direction: 'recvonly', ssrcs: [] },
  ],
})
/** Speaks other payload types than {@link player}. */
const otherPlayer = writeOffer({
  sections: [
    { kind: 'video', mid: '0', direction: 'recvonly', ssrcs: [], codecs: [{ ...vp8, payload: 120, rtx: 124 }] },
  ],
})
const nothing = { routers: 0, transports: 0, producers: 0, consumers: 0 }

let workers: Workers
let rooms: Rooms
let census: Census
beforeAll(async () => {
  workers = new Workers({ workerBin: workerBin(), listenIp: '127.0.0.1', basePort: 0, requestTimeoutMs: 3000 })
  await workers.start({ worker: 'w1' })
  census = censusOf('w1')
})
beforeEach(() => {
  rooms = new Rooms(workers, { codecs: roomCodecs, requestTimeoutMs: 3000 })
})
afterAll(() => workers?.close())

function censusOf(worker: string): Census {
  const host = workers.host(worker)
  if (host === null) throw new Error(`no worker ${worker}`)
  return new Census(host.worker)
}

const stream = 's1'
const publish = (
  publication = 'p1',
  options: { held?: boolean; offer?: string; worker?: string; stream?: string } = {},
) => rooms.openPublication({ stream, publication, worker: 'w1', offer: desk, held: false, ...options })
const view = (viewer: string) => rooms.openViewer({ stream, viewer, rtpCapabilities: rooms.rtpCapabilities })
const viewWhep = (viewer: string, offer = player) => rooms.openWhepViewer({ stream, viewer, offer })

async function refusal(attempt: Promise<unknown>): Promise<string> {
  try {
    await attempt
  } catch (error) {
    if (error instanceof RefusedError) return error.refusal.code
    throw error
  }
  return 'not refused'
}

/** Waits until the worker has exactly this: what came too late is closed when it comes. */
async function settled(expected: Awaited<ReturnType<Census['counts']>>, of = census): Promise<void> {
  for (let look = 0; look < 100; look += 1) {
    if (Bun.deepEquals(await of.counts(), expected)) return
    await Bun.sleep(10)
  }
  expect(await of.counts()).toEqual(expected)
}

/** What is observed, in order. */
function notes<Fact extends { type: string }>(observe: (tell: (fact: Fact) => void) => () => void): string[] {
  const told: string[] = []
  observe(({ type }) => void told.push(type))
  return told
}

describe('what is opened is there, and what is closed is gone', () => {
  test('a publication', async () => {
    await publish()
    expect(await census.counts()).toEqual({ routers: 1, transports: 1, producers: 2, consumers: 0 })
    const told = notes((tell) => rooms.observePublication({ publication: 'p1' }, tell))
    rooms.closePublication({ stream, publication: 'p1' })
    rooms.closePublication({ stream, publication: 'p1' })
    expect(told).toEqual(['closed'])
    expect(await census.counts()).toEqual({ ...nothing, routers: 1 })
    rooms.closeRoom({ stream })
    rooms.closeRoom({ stream })
    expect(await census.counts()).toEqual(nothing)
  })

  test('viewers of both kinds, and the dialects that only they needed', async () => {
    await publish()
    const { consumers, transport } = await view('v1')
    expect(consumers.map(({ kind }) => kind).sort()).toEqual(['audio', 'video'])
    expect(transport.iceCandidates.length).toBe(2)
    await Promise.all([viewWhep('v2'), viewWhep('v3'), viewWhep('v4', otherPlayer)])
    // Two dialects: a router and two pipe ends each; a piped audio and video for one, a video for the other.
    expect(await census.counts()).toEqual({
      routers: 3,
      transports: 1 + 4 + 2 * 2,
      producers: 2 + 2 + 1,
      consumers: 2 + 2 + 2 + 1 + (2 + 1),
    })
    const told = notes((tell) => rooms.observeViewer({ viewer: 'v2' }, tell))
    rooms.closeViewer({ stream, viewer: 'v2' })
    rooms.closeViewer({ stream, viewer: 'v4' })
    expect(told).toEqual(['closed'])
    expect(await census.counts()).toEqual({ routers: 2, transports: 1 + 2 + 2, producers: 4, consumers: 2 + 2 + 2 })
    rooms.closeViewer({ stream, viewer: 'v1' })
    rooms.closeViewer({ stream, viewer: 'v3' })
    expect(await census.counts()).toEqual({ routers: 1, transports: 1, producers: 2, consumers: 0 })
    rooms.closeRoom({ stream })
    expect(await census.counts()).toEqual(nothing)
  })

  test('a viewer who opens again replaces itself', async () => {
    await publish()
    await view('v1')
    await view('v1')
    await viewWhep('v1')
    await view('v1')
    expect(await census.counts()).toEqual({ routers: 1, transports: 2, producers: 2, consumers: 2 })
    rooms.closeRoom({ stream })
  })

  test('a desk that comes back, in either order', async () => {
    await publish('p1')
    await viewWhep('v1')
    await publish('p2')
    const { consumers } = await view('v2')
    rooms.closePublication({ stream, publication: 'p1' })
    // The new publication's producers are what v2 has; v1's went with the old one.
    expect((await census.counts()).producers).toBe(2)
    const there = (await census.valves()).map(({ id }) => id)
    expect(consumers.every(({ id }) => there.includes(id))).toBe(true)
    rooms.closePublication({ stream, publication: 'p2' })
    await publish('p3')
    expect((await census.counts()).producers).toBe(2)
    rooms.closeRoom({ stream })
    expect(await census.counts()).toEqual(nothing)
  })

  test('a room that closes while things are being opened', async () => {
    const opening = [publish('p1')]
    rooms.closeRoom({ stream })
    opening.push(publish('p2'))
    await Bun.sleep(0)
    rooms.closePublication({ stream, publication: 'p2' })
    expect(await Promise.all(opening.map(refusal))).toEqual(['media_unavailable', 'media_unavailable'])
    await publish('p3')
    const viewing = [view('v1'), viewWhep('v2'), viewWhep('v3', otherPlayer)]
    rooms.closeViewer({ stream, viewer: 'v2' })
    await Bun.sleep(0)
    rooms.closeRoom({ stream })
    expect(new Set(await Promise.all(viewing.map(refusal)))).toEqual(new Set(['media_unavailable']))
    expect(await census.counts()).toEqual(nothing)
  })
})

describe('refusals leave nothing behind', () => {
  test('of a publication', async () => {
    expect(await refusal(publish('p1', { offer: 'garbage' }))).toBe('invalid_sdp')
    expect(await refusal(publish('p1', { worker: 'nobody' }))).toBe('media_unavailable')
    const sameSsrc = writeOffer({
      sections: [
        { kind: 'audio', mid: '0', ssrcs: [5] },
        { kind: 'video', mid: '1', ssrcs: [5] },
      ],
    })
    expect(await refusal(publish('p1', { offer: sameSsrc }))).toBe('unsupported_offer')
    expect(await census.counts()).toEqual(nothing)
  })

  test('of a viewer', async () => {
    expect(await refusal(view('v1'))).toBe('not_live')
    expect(await refusal(viewWhep('v1'))).toBe('not_live')
    expect(await refusal(rooms.startViewer({ stream, viewer: 'v1' }))).toBe('not_live')
    await publish()
    const before = await census.counts()
    expect(await refusal(rooms.openViewer({ stream, viewer: 'v1', rtpCapabilities: { codecs: 'all' } }))).toBe(
      'invalid_request',
    )
    expect(await refusal(rooms.openViewer({ stream, viewer: 'v1', rtpCapabilities: { codecs: [7] } }))).toBe(
      'invalid_request',
    )
    expect(await refusal(rooms.openViewer({ stream, viewer: 'v1', rtpCapabilities: {} }))).toBe('no_compatible_codecs')
    expect(await refusal(viewWhep('v1', '{}'))).toBe('invalid_sdp')
    const h264Only = writeOffer({
      sections: [{ kind: 'video', mid: '0', direction: 'recvonly', codecs: [{ payload: 102, name: 'H264/90000' }] }],
    })
    expect(await refusal(viewWhep('v1', h264Only))).toBe('no_compatible_codecs')
    expect(await census.counts()).toEqual(before)
    rooms.closeRoom({ stream })
  })

  test('of a connect', async () => {
    await publish()
    const dtlsParameters = {
      role: 'client',
      fingerprints: [{ algorithm: 'sha-256', value: Array(32).fill('AB').join(':') }],
    }
    expect(await refusal(rooms.connectViewer({ stream, viewer: 'v1', dtlsParameters }))).toBe('wrong_order')
    await view('v1')
    for (const bad of [
      {},
      { role: 'boss', fingerprints: [] },
      { fingerprints: [{ algorithm: 'sha-256', value: 'x' }] },
    ]) {
      expect(await refusal(rooms.connectViewer({ stream, viewer: 'v1', dtlsParameters: bad }))).toBe('invalid_request')
    }
    await rooms.connectViewer({ stream, viewer: 'v1', dtlsParameters })
    expect(await refusal(rooms.connectViewer({ stream, viewer: 'v1', dtlsParameters }))).toBe('wrong_order')
    rooms.closeRoom({ stream })
  })

  test('of a worker that is frozen: in time, and gone when it wakes', async () => {
    await workers.start({ worker: 'w2' })
    const pid = workers.host('w2')?.worker.pid as number
    const frozen = censusOf('w2')
    rooms = new Rooms(workers, { codecs: roomCodecs, requestTimeoutMs: 200 })
    await publish('p1', { worker: 'w2' })
    await view('v1')
    process.kill(pid, 'SIGSTOP')
    const attempts = [
      publish('p2', { worker: 'w2' }),
      publish('p3', { worker: 'w2', stream: 's2' }),
      view('v2'),
      viewWhep('v3'),
      rooms.hold({ stream }),
      rooms.startViewer({ stream, viewer: 'v1' }),
    ]
    const codes = await Promise.all(attempts.map(refusal))
    // startViewer asked nothing of the worker: the room is held.
    expect(codes).toEqual([...Array(5).fill('media_unavailable'), 'not refused'])
    process.kill(pid, 'SIGCONT')
    await workers.beat({ worker: 'w2' })
    await settled({ routers: 1, transports: 2, producers: 2, consumers: 2 }, frozen)
    workers.kill({ worker: 'w2' })
  })
})

describe('a worker dies', () => {
  test('its rooms say closed and are forgotten; the others stay', async () => {
    await workers.start({ worker: 'w2' })
    await publish('p1', { worker: 'w2' })
    await view('v1')
    await viewWhep('v2')
    await publish('p2', { stream: 's2' })
    const told = [
      notes((tell) => rooms.observePublication({ publication: 'p1' }, tell)),
      notes((tell) => rooms.observeViewer({ viewer: 'v1' }, tell)),
      notes((tell) => rooms.observeViewer({ viewer: 'v2' }, tell)),
    ]
    const spared = notes((tell) => rooms.observePublication({ publication: 'p2' }, tell))
    const opening = viewWhep('v3', otherPlayer)
    const dead = new Promise<void>((resolve) => void workers.observe({ worker: 'w2' }, resolve))
    process.kill(workers.host('w2')?.worker.pid as number, 'SIGKILL')
    await dead
    expect(await refusal(opening)).toBe('media_unavailable')
    expect(told).toEqual([['closed'], ['closed'], ['closed']])
    expect(await refusal(view('v1'))).toBe('not_live')
    await rooms.hold({ stream })
    await rooms.release({ stream })
    rooms.closeRoom({ stream })
    expect(spared).toEqual([])
    expect(await census.counts()).toEqual({ routers: 1, transports: 1, producers: 2, consumers: 0 })
    // The stream finds another worker.
    await publish('p1')
    rooms.closeRoom({ stream })
    rooms.closeRoom({ stream: 's2' })
    expect(await census.counts()).toEqual(nothing)
  })

  test('who observes what is gone already is told so', async () => {
    const told = [
      notes((tell) => rooms.observePublication({ publication: 'gone' }, tell)),
      notes((tell) => rooms.observeViewer({ viewer: 'gone' }, tell)),
    ]
    expect(told).toEqual([[], []])
    await Promise.resolve()
    expect(told).toEqual([['closed'], ['closed']])
  })
})
