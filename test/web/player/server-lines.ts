import type { AgentStream } from '../../../src/contracts/agent-stream.ts'
import { sampleStream } from '../sample-stream.ts'
import type { FakeSocket, startTestPlayer } from './fake-effects.ts'

/** What the server says to a test's player. */

export type TestPlayer = ReturnType<typeof startTestPlayer>

export function joined(
  socket: FakeSocket,
  over: { media?: number | null; resumed?: boolean; viewer?: string; stream?: Partial<AgentStream> } = {},
) {
  const media = over.media ?? null
  socket.say({
    type: 'joined',
    id: socket.last('join').id,
    viewer: over.viewer ?? 'vwr_1',
    resumed: over.resumed ?? false,
    rtpCapabilities: { codecs: [] },
    stream: sampleStream({ state: media === null ? 'idle' : 'live', ...over.stream }),
    media,
  })
}

export function show(socket: FakeSocket, media: number | null, stream: Partial<AgentStream> = {}) {
  socket.say({ type: 'stream', stream: sampleStream({ state: media === null ? 'idle' : 'live', ...stream }), media })
}

export function consumed(socket: FakeSocket) {
  const { id, media } = socket.last('consume')
  socket.say({
    type: 'consumed',
    id,
    media,
    transport: { id: `transport-${id}`, iceParameters: {}, iceCandidates: [], dtlsParameters: {} },
    consumers: [],
  })
}

/** From nothing to a picture of publication `media`. */
export async function play(test: TestPlayer, media = 1) {
  test.socket().open()
  joined(test.socket(), { media })
  await bringUp(test)
}

/** From a `consume` under way to a picture. */
export async function bringUp(test: TestPlayer) {
  await test.settle()
  consumed(test.socket())
  test.link().dtls()
  test.socket().say({ type: 'connected', id: test.socket().last('connect').id })
  test.link().show()
  test.link().become('connected')
  test.tellPicture({ type: 'picture.fresh' })
}
