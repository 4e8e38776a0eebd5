import { afterEach, expect, test } from 'bun:test'
import { roomCodecs } from '../../../src/media/codecs.ts'
import { Rooms } from '../../../src/media/rooms/rooms.ts'
import { Workers } from '../../../src/media/workers.ts'
import { workerBin } from '../layer-under-test.ts'
import { clients } from '../sdp-bridge/clients.ts'
import { writeOffer } from '../sdp-bridge/offer-builder.ts'
import { Census } from './census.ts'

const desk = writeOffer(clients.chromium)
const player = writeOffer({ sections: [{ kind: 'video', mid: '0', direction: 'recvonly', ssrcs: [] }] })
const stream = 's1'

let workers: Workers | null = null
let census: Census | null = null
afterEach(() => workers?.close())

/** A stream with audio and video on a worker that carries so many consumers. */
async function live(consumersPerWorker: number): Promise<Rooms> {
  await workers?.close()
  const limits = { requestTimeoutMs: 3000, consumersPerWorker }
  workers = new Workers({ workerBin: workerBin(), listenIp: '127.0.0.1', basePort: 0, ...limits })
  await workers.start({ worker: 'w1' })
  const host = workers.host('w1')
  if (host === null) throw new Error('no worker')
  census = new Census(host.worker)
  const rooms = new Rooms(workers, { codecs: roomCodecs, requestTimeoutMs: 3000 })
  await rooms.openPublication({ stream, publication: 'p1', worker: 'w1', offer: desk, held: false })
  return rooms
}

const code = (attempt: Promise<unknown>) =>
  attempt.then(
    () => 'done',
    (error) => error.refusal.code,
  )

test('a worker that is full refuses viewers of both kinds and new streams, and leaves nothing of them', async () => {
  // Room for one player with a picture and one of ours with sound, too.
  const rooms = await live(3)
  const whep = (viewer: string) => rooms.openWhepViewer({ stream, viewer, offer: player })
  const ours = (viewer: string) => rooms.openViewer({ stream, viewer, rtpCapabilities: rooms.rtpCapabilities })
  const other = { stream: 's2', publication: 'p2', worker: 'w1', offer: desk, held: false }
  await ours('v1')
  await whep('v2')
  expect(await workers?.beat({ worker: 'w1' })).toEqual({ full: true })
  const full = await census?.counts()
  expect([await code(whep('v3')), await code(ours('v4')), await code(rooms.openPublication(other))]).toEqual([
    'server_full',
    'server_full',
    'server_full',
  ])
  expect(await census?.counts()).toEqual(full as never)
  // A desk that comes back to its own room is not sent away.
  await rooms.openPublication({ ...other, stream, publication: 'p1' })
  rooms.closeViewer({ stream, viewer: 'v1' })
  expect(await workers?.beat({ worker: 'w1' })).toEqual({ full: false })
  await rooms.openPublication(other)
  expect(await code(whep('v3'))).toBe('done')
})

test('many at once take no more than there is', async () => {
  const rooms = await live(5)
  const outcomes = await Promise.all(
    Array.from({ length: 20 }, (_, at) => code(rooms.openWhepViewer({ stream, viewer: `v${at}`, offer: player }))),
  )
  expect(outcomes.filter((outcome) => outcome === 'done').length).toBe(5)
  expect(outcomes.filter((outcome) => outcome === 'server_full').length).toBe(15)
  const others = await live(1)
  expect(await code(others.openWhepViewer({ stream, viewer: 'v', offer: player }))).toBe('done')
})
