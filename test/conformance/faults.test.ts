import { describe, expect, test } from 'bun:test'
import type { CheckResult } from '../../src/conformance/check.ts'
import { runSuites, whepSuite, whipSuite } from '../../src/conformance/suites.ts'
import { type Fault, faults, startStandIn } from './stand-in.ts'

async function run(fault: Fault | null) {
  const standIn = startStandIn(fault)
  const suites = await runSuites({
    whip: { url: standIn.url('whip'), token: standIn.token },
    whep: { url: standIn.url('whep'), token: standIn.token },
  })
  const left = standIn.left()
  await standIn.stop()
  return { results: suites.map(({ results }) => results), left }
}

const ids = (outcome: CheckResult['outcome'], results: readonly CheckResult[] = []) =>
  results.filter((result) => result.outcome === outcome).map(({ id }) => id)

const all = [...whipSuite, ...whepSuite].map(({ id }) => id)
const whepOnly = ['not-live', 'answer-msid', 'events-link', 'events-stream', 'events-end', 'events-end-with-session']

describe('the suites', () => {
  test('have a name for each check, and a section', () => {
    for (const suite of [whipSuite, whepSuite]) {
      expect(new Set(suite.map(({ id }) => id)).size).toBe(suite.length)
      expect(suite.filter(({ section }) => !/^(RFC \d+|draft-[a-z-]+-\d\d) section [\d.]+$/.test(section))).toEqual([])
    }
  })

  test('pass a server that does all of it, and leave no session', async () => {
    const { results, left } = await run(null)
    expect(results.map((suite) => ids('failed', suite))).toEqual([[], []])
    expect(ids('skipped', results[0])).toEqual([])
    expect(ids('skipped', results[1])).toEqual(['patch-without-token', 'delete-without-token'])
    expect(left).toBe(0)
  })

  test('skip what a server has no part in', async () => {
    const { results } = await run('any token')
    const tokens = ['offer-without-token', 'offer-wrong-token', 'patch-without-token', 'delete-without-token']
    expect(results.map((suite) => ids('failed', suite))).toEqual([[], []])
    expect(results.map((suite) => ids('skipped', suite))).toEqual([tokens, tokens])
  })

  test('say of a POST that is redirected with 302 that it must not be, whatever they look at', async () => {
    const { results } = await run('redirects with 302')
    const whip = results[0]?.find(({ id }) => id === 'answer')
    expect([whip?.outcome, whip?.why]).toEqual(['failed', 'It redirects a POST with 302; 307 is what keeps it a POST.'])
  })

  test('notice, all together, every check’s own fault', () => {
    const noticed = new Set<string>(Object.values(faults).flat())
    expect([...new Set([...all, 'not-live'])].filter((id) => !noticed.has(id))).toEqual([])
  })
})

describe('a fault is noticed by its check, and by no other:', () => {
  for (const [fault, checks] of Object.entries(faults) as [Fault, readonly string[]][]) {
    if (checks.length === 0) continue
    test(fault, async () => {
      const { results } = await run(fault)
      const [whip = [], whep = []] = results
      const expected = (suite: readonly CheckResult[]) => suite.map(({ id }) => id).filter((id) => checks.includes(id))
      if (!checks.some((id) => whepOnly.includes(id))) expect(ids('failed', whip)).toEqual(expected(whip))
      // A session's address may be the permission there, and a stream may have one track alone.
      const mayBe = new Set([...ids('skipped', whep), 'one-track'])
      expect(ids('failed', whep)).toEqual(expected(whep).filter((id) => !mayBe.has(id)))
    })
  }
})
