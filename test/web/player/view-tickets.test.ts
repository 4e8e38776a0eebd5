import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { fetchViewTickets, readTicketAnswer, renewalDelayMs } from '../../../src/web/player/view-tickets.ts'

const date = 'Fri, 06 Nov 2026 10:00:00 GMT'
const now = Date.parse(date)
const grant = (over: Record<string, unknown> = {}) => ({
  ticket: 'wvt_1',
  expires_at: '2026-11-06T10:10:00Z',
  renewable_until: '2026-11-06T14:00:00Z',
  ...over,
})
const answer = (status: number, body: unknown = {}, headers: Record<string, string> = { Date: date }) =>
  readTicketAnswer(Response.json(body, { status, headers }), now)

describe('an answer', () => {
  test('to a mint and to a renewal: how long the ticket stands', async () => {
    for (const status of [200, 201]) {
      expect(await answer(status, grant())).toEqual({
        type: 'granted',
        ticket: 'wvt_1',
        standsFor: 600_000,
        final: false,
      })
    }
  })
  test('is measured by the server’s clock, however wrong this one is', async () => {
    const wrong = now - 3 * 60 * 60 * 1000
    const read = await readTicketAnswer(Response.json(grant(), { headers: { Date: date } }), wrong)
    expect(read.type === 'granted' && read.standsFor).toBe(600_000)
  })
  test('without a date: by this one', async () => {
    const read = await readTicketAnswer(Response.json(grant()), now + 60_000)
    expect(read.type === 'granted' && read.standsFor).toBe(540_000)
  })
  test('is final when the end of all renewals is reached', async () => {
    const read = await answer(200, grant({ expires_at: '2026-11-06T14:00:00Z' }))
    expect(read.type === 'granted' && read.final).toBe(true)
  })
  test('that says no is a refusal', async () => {
    for (const status of [400, 401, 403, 404, 409, 410, 422]) {
      expect(await answer(status)).toEqual({ type: 'refused' })
    }
  })
  test('that says not now is none', async () => {
    for (const status of [408, 429, 500, 502, 503]) {
      expect(await answer(status)).toEqual({ type: 'failed', retryAfter: null })
    }
    const waits = { '7': 7000, '3600': 60_000, soon: null, '-1': null, '1.5': null }
    for (const [header, retryAfter] of Object.entries(waits)) {
      expect(await answer(429, {}, { 'Retry-After': header })).toEqual({ type: 'failed', retryAfter })
    }
  })
  test('that is not what the contract says rejects', async () => {
    for (const body of [
      null,
      7,
      [],
      {},
      grant({ ticket: 7 }),
      grant({ expires_at: 'soon' }),
      grant({ renewable_until: null }),
    ]) {
      expect(await answer(200, body).catch((error: unknown) => error instanceof Error)).toBe(true)
    }
  })
})

describe('when to renew', () => {
  test('two to three minutes before the end; half way through a short life; never in a loop', () => {
    const minute = 60_000
    expect([0, 0.5, 1].map((chance) => renewalDelayMs(10 * minute, chance))).toEqual([8, 7.5, 7].map((m) => m * minute))
    expect([0, 1].map((chance) => renewalDelayMs(2 * minute, chance))).toEqual([minute, minute])
    expect(renewalDelayMs(4000, 1)).toBe(2000)
    expect([0, 1, 1500].map((standsFor) => renewalDelayMs(standsFor, 0.5))).toEqual([1000, 1000, 1000])
  })
})

describe('by fetch', () => {
  const asked: { method: string; path: string; type: string | null; body: unknown }[] = []
  let body: BodyInit = ''
  let server: Bun.Server<undefined>
  beforeAll(() => {
    server = Bun.serve({
      hostname: '127.0.0.1',
      port: 0,
      async fetch(request) {
        const { pathname, search } = new URL(request.url)
        const type = request.headers.get('content-type')
        asked.push({ method: request.method, path: pathname + search, type, body: await request.json() })
        return new Response(body, { status: 201 })
      },
    })
  })
  afterAll(() => server.stop(true))
  const signal = new AbortController().signal

  test('secrets travel in the body, never in the address', async () => {
    const tickets = fetchViewTickets(server.url.origin, 'ags_1')
    body = JSON.stringify(grant())
    asked.length = 0
    expect((await tickets.renew('wvt_old', signal)).type).toBe('granted')
    expect((await tickets.mint('key', signal)).type).toBe('granted')
    expect((await tickets.mint(null, signal)).type).toBe('granted')
    const one = { method: 'POST', path: '/api/streams/agent/ags_1/view-ticket', type: 'application/json' }
    expect(asked).toEqual([
      { ...one, body: { renew: 'wvt_old' } },
      { ...one, body: { k: 'key' } },
      { ...one, body: {} },
    ])
  })
  test('what is no answer is a failure and no exception', async () => {
    body = '<html>'
    const failed = { type: 'failed', retryAfter: null } as const
    expect(await fetchViewTickets(server.url.origin, 'ags_1').mint(null, signal)).toEqual(failed)
    expect(await fetchViewTickets('http://127.0.0.1:1', 'ags_1').mint(null, signal)).toEqual(failed)
    expect(await fetchViewTickets(server.url.origin, 'ags_1').mint(null, AbortSignal.abort())).toEqual(failed)
  })
})
