import { afterEach, describe, expect, setSystemTime, test } from 'bun:test'
import { newId } from '../../../src/contracts/ids.ts'
import { RefusedError } from '../../../src/contracts/problem.ts'
import { createRateLimits } from '../../../src/http/rate-limits/rate-limits.ts'
import { type RateRules, rateDefaults } from '../../../src/http/rate-limits/rate-settings.ts'

afterEach(() => {
  setSystemTime()
})

function limits(rules: Partial<RateRules> = {}, trustedProxies = 0) {
  return createRateLimits({ rules: { ...rateDefaults, ...rules }, trustedProxies })
}

/** `ok`, or the seconds to wait. */
async function take(from: ReturnType<typeof limits>, kind: keyof RateRules, key: string): Promise<'ok' | number> {
  try {
    await from.take(kind, key)
    return 'ok'
  } catch (error) {
    if (!(error instanceof RefusedError)) throw error
    expect(error.refusal.code).toBe('too_many_requests')
    expect(error.refusal.detail).toContain(`${error.refusal.retryAfter} s`)
    return error.refusal.retryAfter ?? 0
  }
}

describe('a limit', () => {
  test('lets exactly so many through of a thousand at once', async () => {
    const own = limits({ view_ticket: { calls: 137, seconds: 60 } })
    const outcomes = await Promise.all(Array.from({ length: 1000 }, () => take(own, 'view_ticket', 'a')))
    expect(outcomes.filter((outcome) => outcome === 'ok').length).toBe(137)
    expect(outcomes.slice(0, 137).every((outcome) => outcome === 'ok')).toBe(true)
  })

  test('says how long to wait, in whole seconds, and is over then', async () => {
    const own = limits({ whip: { calls: 1, seconds: 10 } })
    const start = new Date('2026-11-30T12:00:00Z')
    const at = (ms: number) => setSystemTime(new Date(start.getTime() + ms))
    const outcomes = []
    for (const ms of [0, 1, 1500, 9001, 9999, 10_000, 10_001]) {
      at(ms)
      outcomes.push(await take(own, 'whip', 'a'))
    }
    expect(outcomes).toEqual(['ok', 10, 9, 1, 1, 'ok', 10])
  })

  test('counts each key and each kind by itself', async () => {
    const own = limits({ whip: { calls: 1, seconds: 60 }, whep: { calls: 1, seconds: 60 } })
    const outcomes = []
    for (const kind of ['whip', 'whep'] as const) {
      for (const key of ['a', 'b', 'a']) outcomes.push((await take(own, kind, key)) === 'ok')
    }
    expect(outcomes).toEqual([true, true, false, true, true, false])
  })

  test('that is off lets all through', async () => {
    const own = limits({ whip: null })
    const outcomes = await Promise.all(Array.from({ length: 1000 }, () => take(own, 'whip', 'a')))
    expect(new Set(outcomes)).toEqual(new Set(['ok']))
  })

  test('by default lets a hundred WHIP posts at once through', async () => {
    const own = limits()
    const outcomes = await Promise.all(Array.from({ length: 100 }, () => take(own, 'whip', 'a')))
    expect(new Set(outcomes)).toEqual(new Set(['ok']))
  })
})

describe('the key of a caller', () => {
  const server = { requestIP: () => ({ address: '203.0.113.9' }) }
  const request = new Request('http://x/', { headers: { 'X-Forwarded-For': '198.51.100.7' } })

  test('is the person or the ticket, else the address', () => {
    const own = limits()
    const person = newId('person')
    const key = (principal: Parameters<typeof own.callerKey>[0]) => own.callerKey(principal, request, server)
    expect([
      key({ kind: 'anonymous' }),
      key({ kind: 'person', person, handle: 'ada', channel: newId('channel') }),
      key({ kind: 'service', person, capabilities: [] }),
      key({ kind: 'service', person: null, capabilities: [] }),
      key({ kind: 'desk', ticket: 'h1' }),
      key({ kind: 'viewer_ticket', hash: 'h2' }),
    ]).toEqual(['address 203.0.113.9', person, person, 'address 203.0.113.9', 'ticket h1', 'ticket h2'])
    expect(limits({}, 1).addressKey(request, server)).toBe('address 198.51.100.7')
  })
})
