import { afterAll, beforeAll, expect, test } from 'bun:test'
import { readSdpFragment } from '../../../src/contracts/sdp-fragment.ts'
import { roomCodecs } from '../../../src/media/codecs.ts'
import { Rooms } from '../../../src/media/rooms/rooms.ts'
import { Workers } from '../../../src/media/workers.ts'
import { workerBin } from '../layer-under-test.ts'
import { clients } from '../sdp-bridge/clients.ts'
import { writeOffer } from '../sdp-bridge/offer-builder.ts'
import { Census } from './census.ts'

const desk = writeOffer(clients.chromium)
const player = writeOffer({ sections: [{ kind: 'video', mid: '0', direction: 'recvonly', ssrcs: [] }] })

let workers: Workers
let census: Census
beforeAll(async () => {
  workers = new Workers({ workerBin: workerBin(), listenIp: '127.0.0.1', basePort: 0, requestTimeoutMs: 3000 })
  await workers.start({ worker: 'w1' })
  const host = workers.host('w1')
  if (host === null) throw new Error('no worker')
  census = new Census(host.worker)
})
afterAll(() => workers?.close())

const stream = 's1'
async function opened() {
  const rooms = new Rooms(workers, { codecs: roomCodecs, requestTimeoutMs: 3000 })
  const publication = await rooms.openPublication({
    stream,
    publication: 'p1',
    worker: 'w1',
    offer: desk,
    held: false,
  })
  return { rooms, publication }
}
const code = (attempt: Promise<unknown>) =>
  attempt.then(
    () => 'done',
    (error) => error.refusal.code,
  )

test('ICE is restarted under a new tag, for desks and WHEP players, and nothing is made anew', async () => {
  const { rooms, publication } = await opened()
  const viewer = await rooms.openWhepViewer({ stream, viewer: 'v1', offer: player })
  expect(publication.answer).toContain(`a=ice-ufrag:${publication.ice.tag}\r\n`)
  expect(viewer.answer).toContain(`a=ice-ufrag:${viewer.ice.tag}\r\n`)
  expect([publication.ice.client, viewer.ice.client]).toEqual(['ufr1', 'ufr1'])
  const before = await census.counts()
  const tags = [publication.ice.tag, viewer.ice.tag]
  for (let turn = 0; turn < 3; turn++) {
    const restarts = await Promise.all([
      rooms.restartPublicationIce({ stream, publication: 'p1' }),
      rooms.restartViewerIce({ stream, viewer: 'v1' }),
    ])
    for (const { fragment, tag } of restarts) {
      expect(readSdpFragment(fragment).ufrag).toBe(tag)
      tags.push(tag)
    }
  }
  expect(new Set(tags).size).toBe(8)
  expect(await census.counts()).toEqual(before)
  rooms.closeRoom({ stream })
})

test('what is not there is not restarted: neither what is gone nor our own player’s', async () => {
  const { rooms } = await opened()
  await rooms.openViewer({ stream, viewer: 'ours', rtpCapabilities: rooms.rtpCapabilities })
  expect(await code(rooms.restartPublicationIce({ stream, publication: 'another' }))).toBe('session_not_found')
  expect(await code(rooms.restartViewerIce({ stream, viewer: 'ours' }))).toBe('session_not_found')
  rooms.closePublication({ stream, publication: 'p1' })
  expect(await code(rooms.restartPublicationIce({ stream, publication: 'p1' }))).toBe('session_not_found')
  rooms.closeRoom({ stream })
  expect(await code(rooms.restartPublicationIce({ stream, publication: 'p1' }))).toBe('not_live')
})
