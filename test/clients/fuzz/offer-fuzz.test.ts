import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import { observer, type types } from 'mediasoup'
import * as sdpTransform from 'sdp-transform'
import { type ProblemCode, problems } from '../../../src/contracts/problem.ts'
import { Census } from '../../media/rooms/census.ts'
import { clients } from '../../media/sdp-bridge/clients.ts'
import { writeOffer } from '../../media/sdp-bridge/offer-builder.ts'
import { type Air, type OpenAir, openAir } from '../stage/air.ts'
import { mutatedBody } from './mutations.ts'

/**
 * Offers that are changed in every way, over HTTP, to a running server: every one is answered or
 * refused as documented, the worker lives, and nothing is left in it. The whole campaign is
 * FOOTLIGHT_FUZZ_OFFERS=10000; FOOTLIGHT_FUZZ_SEED is what it begins from.
 */

const count = Number(process.env.FOOTLIGHT_FUZZ_OFFERS ?? 1000)
const seed = Number(process.env.FOOTLIGHT_FUZZ_SEED ?? 20_251_130)
/** How many at once, each on a stream of its own. */
const lanes = 4

/** What docs/clients.md promises for an offer that cannot be used. */
const refusals: readonly ProblemCode[] = ['invalid_sdp', 'unsupported_offer', 'no_compatible_codecs']

let air: OpenAir
let worker: types.Worker
let census: Census
const streams: Air[] = []
beforeAll(async () => {
  observer.once('newworker', (started) => {
    worker = started
    census = new Census(started)
  })
  air = await openAir()
  for (let lane = 0; lane < lanes; lane += 1) streams.push(await air.stream())
}, 60_000)
afterAll(() => air?.stop())

const post = (url: string, body: Uint8Array<ArrayBuffer> | string, bearer: Record<string, string>) =>
  fetch(url, { method: 'POST', body, headers: { 'Content-Type': 'application/sdp', ...bearer } })

/** Judges what came back, ends the session if there is one, and says what it was. */
async function judged(response: Response, body: Uint8Array, bearer: Record<string, string>): Promise<string> {
  const text = await response.text()
  if (response.status !== 201) {
    expect(response.headers.get('content-type')).toStartWith('application/problem+json')
    const { code, status, detail } = JSON.parse(text) as { code: ProblemCode; status: number; detail: string }
    expect(refusals).toContain(code)
    expect([response.status, status]).toEqual([problems[code].status, problems[code].status])
    expect(detail).not.toBe('')
    return code
  }
  const answer = sdpTransform.parse(text)
  const offer = sdpTransform.parse(new TextDecoder().decode(body))
  // An answer that works: as many m-lines, at least one of them taken, and all that a link needs.
  expect(answer.media.length).toBe(offer.media.length)
  const taken = answer.media.filter(({ port }) => port !== 0)
  expect(taken.length).toBeGreaterThan(0)
  for (const section of taken) {
    expect([section.iceUfrag, section.icePwd, section.fingerprint?.type]).not.toContain(undefined)
    expect(section.candidates?.length).toBeGreaterThan(0)
    expect(['active', 'passive']).toContain(section.setup ?? '')
  }
  const location = new URL(response.headers.get('location') ?? '', response.url)
  expect((await fetch(location, { method: 'DELETE', headers: bearer })).status).toBe(200)
  return 'answered'
}

async function campaign(
  kind: 'whip' | 'whep',
  number: number,
  send: (lane: number, body: Uint8Array<ArrayBuffer>) => Promise<string>,
): Promise<Map<string, number>> {
  const bodies = fc.sample(mutatedBody(kind), { seed, numRuns: number })
  const outcomes = new Map<string, number>()
  await Promise.all(
    Array.from({ length: lanes }, async (_, lane) => {
      for (let index = lane; index < bodies.length; index += lanes) {
        const body = bodies[index] ?? new Uint8Array()
        const outcome = await send(lane, body).catch((error: unknown) => {
          throw new Error(`${kind} offer ${index} of seed ${seed}: ${JSON.stringify(new TextDecoder().decode(body))}`, {
            cause: error,
          })
        })
        outcomes.set(outcome, (outcomes.get(outcome) ?? 0) + 1)
      }
    }),
  )
  console.log(`${number} mutated ${kind} offers:`, Object.fromEntries([...outcomes].sort()))
  return outcomes
}

const nothing = { routers: 0, transports: 0, producers: 0, consumers: 0 }

describe(`${count} mutated offers over HTTP`, () => {
  test('as WHIP', async () => {
    const outcomes = await campaign('whip', Math.ceil(count / 2), async (lane, body) => {
      const { url, token } = (streams[lane] as Air).publish
      const bearer = { Authorization: `Bearer ${token}` }
      return await judged(await post(url, body, bearer), body, bearer)
    })
    for (const outcome of ['answered', ...refusals]) expect(outcomes.get(outcome) ?? 0).toBeGreaterThan(0)
    expect(await census.counts()).toEqual(nothing)
  }, 600_000)

  test('as WHEP', async () => {
    // Nobody answers these desks' ICE checks, so their sessions are given up after a while: each
    // lane has its desk begin anew long before.
    const sessions: string[] = []
    const desk = async (lane: number) => {
      const { url, token } = (streams[lane] as Air).publish
      const bearer = { Authorization: `Bearer ${token}` }
      if (sessions[lane] !== undefined) await fetch(sessions[lane], { method: 'DELETE', headers: bearer })
      const response = await post(url, writeOffer(clients.chromium), bearer)
      expect(response.status).toBe(201)
      sessions[lane] = new URL(response.headers.get('location') ?? '', url).href
    }
    const allDesks = async () => {
      for (const lane of streams.keys()) await desk(lane)
      return await census.counts()
    }
    const before = await allDesks()
    expect(before.transports).toBe(lanes)
    const sent = streams.map(() => 0)
    const outcomes = await campaign('whep', Math.floor(count / 2), async (lane, body) => {
      sent[lane] = (sent[lane] ?? 0) + 1
      if (sent[lane] % 50 === 0) await desk(lane)
      return await judged(await post((streams[lane] as Air).play.url, body, {}), body, {})
    })
    for (const outcome of ['answered', ...refusals]) expect(outcomes.get(outcome) ?? 0).toBeGreaterThan(0)
    expect(await allDesks()).toEqual(before)
  }, 600_000)

  test('the worker is the same, and empty when the streams end', async () => {
    for (const stream of streams) await air.end(stream)
    expect([worker.closed, worker.died]).toEqual([false, false])
    expect(await census.counts()).toEqual(nothing)
    const stream = await air.stream()
    const good = await post(stream.publish.url, writeOffer(clients.chromium), {
      Authorization: `Bearer ${stream.publish.token}`,
    })
    expect(good.status).toBe(201)
    await air.end(stream)
  })
})
