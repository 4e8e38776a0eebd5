import { afterAll, beforeAll, expect, test } from 'bun:test'
import { answerAs, httpCall } from '../../src/desk/http-call.ts'
import { givesUp, sessionIsGone, waitAfter } from '../../src/desk/patience.ts'
import { SetbackError, setbackOf } from '../../src/desk/setback.ts'
import { checkSession, postOffer } from '../../src/desk/whip-client.ts'

const ticket = 'wpt_secret-of-the-desk'
let server: Bun.Server<undefined>

beforeAll(() => {
  server = Bun.serve({
    hostname: '127.0.0.1',
    port: 0,
    routes: {
      '/problem': () =>
        Response.json(
          { code: 'ask_timeout', detail: `Try again, ${ticket}.` },
          { status: 503, headers: { 'retry-after': '3' } },
        ),
      '/bare': () => new Response('<html>', { status: 502 }),
      '/slow': () => new Promise<Response>(() => {}),
      '/moved': () => new Response('', { status: 302, headers: { location: '/ok' } }),
      '/ok': () => new Response('not json'),
      '/whip': () => new Response('v=0\r\n', { status: 201, headers: { location: '/whip/s1' } }),
      '/whip/s1': () => new Response(null, { status: 204 }),
    },
    fetch: () => new Response('', { status: 404 }),
  })
})
afterAll(() => server.stop(true))

const url = (path: string) => new URL(path, server.url).href

async function setbackFrom(work: Promise<unknown>) {
  const error = await work.then(
    () => null,
    (error: unknown) => error,
  )
  expect(error).toBeInstanceOf(SetbackError)
  return setbackOf(error)
}

test('a problem response comes as its code and sentence, the ticket taken out', async () => {
  const setback = await setbackFrom(httpCall({ method: 'GET', url: url('/problem'), bearer: ticket, limit: 2000 }))
  expect(setback).toEqual({
    kind: 'refused',
    status: 503,
    code: 'ask_timeout',
    sentence: 'Try again, wpt_….',
    retryAfterMs: 3000,
  })
})

test('an answer that is no problem response keeps its status', async () => {
  for (const [path, status] of [
    ['/bare', 502],
    ['/moved', 302],
    ['/nothing', 404],
  ] as const) {
    const setback = await setbackFrom(httpCall({ method: 'GET', url: url(path), limit: 2000 }))
    expect([
      setback.kind,
      setback.kind === 'refused' && setback.status,
      setback.kind === 'refused' && setback.code,
    ]).toEqual(['refused', status, ''])
  }
})

test('no server and no answer are told apart', async () => {
  expect((await setbackFrom(httpCall({ method: 'GET', url: url('/slow'), limit: 50 }))).kind).toBe('slow')
  // Port 9 (discard) of the loopback: nothing listens there.
  expect((await setbackFrom(httpCall({ method: 'GET', url: 'http://127.0.0.1:9/', limit: 2000 }))).kind).toBe(
    'unreachable',
  )
})

test('an answer that is not what was asked for is a setback, not a crash', async () => {
  const answer = await httpCall({ method: 'GET', url: url('/ok'), limit: 2000 })
  expect(() => answerAs(answer, 'a desk state', () => true)).toThrow("The server's answer is not a desk state.")
})

test('a WHIP session is known by its absolute address', async () => {
  const session = await postOffer(url('/whip'), ticket, 'v=0')
  expect(session).toEqual({ answer: 'v=0\r\n', location: url('/whip/s1') })
  await checkSession(session.location, ticket)
  const gone = await setbackFrom(checkSession(url('/whip/s2'), ticket))
  expect(sessionIsGone(gone)).toBe(true)
})

test('waits grow to a limit, and keep to what the server asks', () => {
  const down = { kind: 'unreachable', sentence: '' } as const
  expect([1, 2, 3, 4, 9].map((tries) => waitAfter(down, tries))).toEqual([250, 500, 1000, 1000, 1000])
  const busy = { kind: 'refused', status: 409, code: 'already_publishing', sentence: '', retryAfterMs: null } as const
  expect([1, 2, 3, 4, 9].map((tries) => waitAfter(busy, tries))).toEqual([250, 500, 1000, 2000, 2000])
  const full = { kind: 'refused', status: 503, code: 'media_unavailable', sentence: '', retryAfterMs: 5000 } as const
  expect(waitAfter(full, 1)).toBe(5000)
  expect(waitAfter({ ...full, retryAfterMs: 3_600_000 }, 1)).toBe(10_000)
})

test('only what a wait cannot mend ends the desk', () => {
  const refusal = (status: number, code: string) =>
    givesUp({ kind: 'refused', status, code, sentence: 'No.', retryAfterMs: null })?.why ?? null
  expect(refusal(409, 'already_publishing')).toBeNull()
  expect(refusal(429, 'too_many_requests')).toBeNull()
  expect(refusal(503, 'stream_restarting')).toBeNull()
  expect(refusal(401, 'invalid_ticket')).toBe('ticket_refused')
  expect(refusal(409, 'stream_ended')).toBe('ended')
  expect(refusal(409, 'live.agent_stream_limit')).toBe('stream_limit')
  expect(refusal(404, 'not_found')).toBe('refused')
  expect(givesUp({ kind: 'unreachable', sentence: '' })).toBeNull()
})
