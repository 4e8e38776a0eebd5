import { afterAll, beforeAll, expect, test } from 'bun:test'
import fc from 'fast-check'
import { RefusedError } from '../../../src/contracts/problem.ts'
import { roomCodecs } from '../../../src/media/codecs.ts'
import { Rooms } from '../../../src/media/rooms/rooms.ts'
import { Workers } from '../../../src/media/workers.ts'
import { workerBin } from '../layer-under-test.ts'
import { clients } from '../sdp-bridge/clients.ts'
import { writeOffer } from '../sdp-bridge/offer-builder.ts'
import { mutatedOffer } from '../sdp-bridge/offer-mutations.ts'
import { Census } from './census.ts'

let workers: Workers
let census: Census
beforeAll(async () => {
  workers = new Workers({ workerBin: workerBin(), listenIp: '127.0.0.1', basePort: 0, requestTimeoutMs: 5000 })
  await workers.start({ worker: 'w1' })
  const host = workers.host('w1')
  if (host === null) throw new Error('the worker is gone')
  census = new Census(host.worker)
})
afterAll(() => workers?.close())

const refusals = ['invalid_sdp', 'unsupported_offer', 'no_compatible_codecs']

test('mutated offers are answered or refused; the worker lives and keeps nothing', async () => {
  const rooms = new Rooms(workers, { codecs: roomCodecs, requestTimeoutMs: 5000 })
  const stream = 'mutations'
  const seen = new Map<string, number>()
  const attempt = async (kind: string, request: Promise<{ answer: string }>) => {
    const outcome = await request.then(
      ({ answer }) => (answer.startsWith('v=0\r\n') ? 'answered' : 'garbled'),
      (error: unknown) => {
        if (error instanceof RefusedError) return error.refusal.code
        throw error
      },
    )
    expect(['answered', ...refusals]).toContain(outcome)
    seen.set(`${kind} ${outcome}`, (seen.get(`${kind} ${outcome}`) ?? 0) + 1)
  }
  await fc.assert(
    fc.asyncProperty(mutatedOffer('whip'), async (offer) => {
      await attempt('whip', rooms.openPublication({ stream, publication: 'p', worker: 'w1', offer, held: false }))
      rooms.closePublication({ stream, publication: 'p' })
    }),
    { numRuns: 500 },
  )
  const offer = writeOffer(clients.chromium)
  await rooms.openPublication({ stream, publication: 'desk', worker: 'w1', offer, held: false })
  const before = await census.counts()
  await fc.assert(
    fc.asyncProperty(mutatedOffer('whep'), async (each) => {
      await attempt('whep', rooms.openWhepViewer({ stream, viewer: 'v', offer: each }))
      rooms.closeViewer({ stream, viewer: 'v' })
    }),
    { numRuns: 500 },
  )
  expect(await census.counts()).toEqual(before)
  rooms.closeRoom({ stream })
  expect(await census.counts()).toEqual({ routers: 0, transports: 0, producers: 0, consumers: 0 })
  for (const kind of ['whip', 'whep']) {
    expect(seen.get(`${kind} answered`) ?? 0).toBeGreaterThan(50)
    expect(seen.get(`${kind} invalid_sdp`) ?? 0).toBeGreaterThan(10)
  }
}, 120_000)
