import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import { closeCodes, type ServerMessage } from '../../../src/contracts/broadcast.ts'
import { problems } from '../../../src/contracts/problem.ts'
import { whipOffer } from '../access/requests.ts'
import { headersOf } from '../access/walk.ts'
import { type Stage, startStage, type World } from '../access/world.ts'
import { until } from '../test-server.ts'
import { type CallerName, callerNames, callers } from './attack.ts'
import { hostileJson, hostileText, hostileValue, nearly } from './hostile.ts'

/** How many sockets are attacked; a longer campaign: FOOTLIGHT_FUZZ_RUNS=1000. */
const runs = Number(process.env.FOOTLIGHT_FUZZ_RUNS ?? 120)
const seed = Number(process.env.FOOTLIGHT_FUZZ_SEED ?? Date.now() % 2 ** 31)

let stage: Stage
/** A public stream that is live. */
let world: World

beforeAll(async () => {
  stage = await startStage()
  world = await stage.makeWorld('public')
  const { status } = await stage.server.call('POST', `/whip/agent/${world.stream}`, {
    bearer: world.tickets.current,
    body: whipOffer.text,
    headers: { 'Content-Type': whipOffer.type },
  })
  expect(status).toBe(201)
}, 90_000)
afterAll(() => stage.stop())

type Sent = { readonly text: string } | { readonly bytes: Uint8Array<ArrayBuffer> }

/** One message, right but for what is done to it. `STREAM` stands for the stream's id. */
function message(): fc.Arbitrary<Sent> {
  const id = fc.nat({ max: 100 })
  const parameter = {
    mimeType: 'video/VP8',
    kind: 'video',
    clockRate: 90_000,
    preferredPayloadType: 96,
    rtcpFeedback: [],
  }
  const fingerprints = [{ algorithm: 'sha-256', value: Array(32).fill('AB').join(':') }]
  const good = fc.oneof(
    id.map((id) => ({ type: 'join', id, stream: 'STREAM', vt: 'wvt_x', k: 'k', resume: 'vwr_x' }) as object),
    id.map((id) => ({ type: 'join', id, stream: 'STREAM' }) as object),
    id.map((id) => ({ type: 'consume', id, media: 1, rtpCapabilities: { codecs: [parameter], headerExtensions: [] } })),
    id.map((id) => ({ type: 'connect', id, media: 1, dtlsParameters: { role: 'client', fingerprints } })),
    fc.constant({ type: 'leave' }),
  )
  const wild = good.chain((whole) =>
    fc.oneof(
      { weight: 2, arbitrary: fc.constant(JSON.stringify(whole)) },
      { weight: 3, arbitrary: nearly(whole).map((value) => JSON.stringify(value) ?? 'null') },
      { weight: 1, arbitrary: hostileJson(whole) },
    ),
  )
  // Fits our schema, and is nothing that mediasoup knows.
  const opaque = fc.oneof(
    fc.dictionary(hostileText, hostileValue, { maxKeys: 4 }),
    nearly({ codecs: [parameter], headerExtensions: [] }),
    nearly({ role: 'client', fingerprints }),
  )
  const media = fc
    .record({ type: fc.constantFrom('consume', 'connect'), id, opaque })
    .map(({ type, id, opaque }) =>
      JSON.stringify({ type, id, media: 1, [type === 'consume' ? 'rtpCapabilities' : 'dtlsParameters']: opaque }),
    )
  return fc.oneof(
    // What does not fit the schema closes the socket: most fits, so that more comes after it.
    { weight: 8, arbitrary: good.map((whole) => ({ text: JSON.stringify(whole) })) },
    { weight: 8, arbitrary: media.map((text) => ({ text })) },
    { weight: 2, arbitrary: wild.map((text) => ({ text })) },
    { weight: 1, arbitrary: hostileText.map((text) => ({ text })) },
    { weight: 1, arbitrary: fc.uint8Array({ maxLength: 100 }).map((bytes) => ({ bytes: new Uint8Array(bytes) })) },
    { weight: 1, arbitrary: fc.constantFrom(65_536, 65_537, 500_000).map((size) => ({ text: ' '.repeat(size) })) },
  )
}

/** Sends the messages over one socket and gathers what came back until it is closed, or has answered them all. */
async function play(caller: CallerName, joins: boolean, messages: readonly Sent[]) {
  const { viewTicket: _none, ...shown } = callers[caller](world)
  const headers = headersOf(shown, stage.server.url)
  const socket = new WebSocket(`${stage.server.url.replace('http', 'ws')}/ws/broadcast`, { headers } as never)
  const heard: ServerMessage[] = []
  const last = 999_999
  const over = new Promise<number | null>((resolve) => {
    socket.onclose = ({ code }) => resolve(code)
    socket.onmessage = ({ data }) => {
      const answer = JSON.parse(String(data)) as ServerMessage
      heard.push(answer)
      if ('id' in answer && answer.id === last) resolve(null)
    }
  })
  await new Promise((resolve) => {
    socket.onopen = resolve
  })
  if (joins) socket.send(JSON.stringify({ type: 'join', id: 1, stream: world.stream }))
  for (const sent of messages) {
    socket.send('bytes' in sent ? sent.bytes : sent.text.replaceAll('STREAM', world.stream))
  }
  // Messages are answered one after the other: this one's answer is the last.
  socket.send(JSON.stringify({ type: 'connect', id: last, media: 1, dtlsParameters: {} }))
  const code = await over
  socket.close()
  return { heard, code }
}

describe(`sockets that mean no good (FOOTLIGHT_FUZZ_SEED=${seed})`, () => {
  test('are answered as documented, or closed, and nothing is kept of them', async () => {
    const before = await stage.server.rows()
    const property = fc.asyncProperty(
      fc.constantFrom(...callerNames),
      fc.boolean(),
      fc.array(message(), { minLength: 1, maxLength: 12 }),
      async (caller, joins, messages) => {
        const { heard, code } = await play(caller, joins, messages)
        for (const answer of heard) {
          if (answer.type !== 'problem') continue
          const status = problems[answer.code as keyof typeof problems]?.status ?? `${answer.code} is in no list`
          expect([status, answer.detail, Number(status) < 500]).toEqual([status, answer.detail, true])
        }
        // 1009 (RFC 6455 section 7.4.1): the message was too large; 1006: and the close frame was not waited for.
        expect([null, closeCodes.badMessage, closeCodes.viewTicketRequired, 1009, 1006]).toContain(code)
        const large = messages.some((sent) => 'text' in sent && sent.text.length > 65_536)
        if (code === 1006 || code === 1009) expect(large).toBe(true)
      },
    )
    await fc.assert(property, { numRuns: runs, seed })
    const after = await stage.server.rows()
    for (const table of Object.keys(after)) expect([table, after[table]]).toEqual([table, before[table]])
  }, 600_000)

  test('the server is as well as before, and nobody is left watching', async () => {
    expect((await stage.server.call('GET', '/readyz')).body).toEqual({ ok: true, workers: { up: 1, of: 1 } })
    // A viewer whose socket broke keeps its place for a moment, by the clock.
    const viewers = async () => (await stage.server.call('GET', `/api/streams/agent/${world.stream}`)).body.viewers
    await until(async () => {
      stage.clock.increment(1000)
      return (await viewers()) === 0
    })
    const { body } = await stage.server.call('GET', `/api/streams/agent/${world.stream}`)
    expect([body.id, body.viewers]).toEqual([world.stream, 0])
  })
})
