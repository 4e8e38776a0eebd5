import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import type { CheckResult } from '../../src/conformance/check.ts'
import { runSuites, whepSuite, whipSuite } from '../../src/conformance/suites.ts'
import { startTestServer, type TestServer } from '../http/test-server.ts'

let server: TestServer
let ada: Awaited<ReturnType<TestServer['person']>>

beforeAll(async () => {
  server = await startTestServer({
    FOOTLIGHT_ICE_SERVERS: 'stun:stun.example turn:turn.example?transport=udp',
    FOOTLIGHT_TURN_SECRET: 'north',
  })
  ada = await server.person('ada')
}, 60_000)
afterAll(() => server.stop())

const not = (outcome: CheckResult['outcome'], results: readonly CheckResult[]) =>
  results.filter((result) => result.outcome !== outcome).map(({ id, outcome, why }) => `${id} ${outcome}: ${why}`)

describe('our own server', () => {
  test('passes both suites whole', async () => {
    const { id, ticket } = await server.stream(ada, 'public')
    const [whip, whep] = await runSuites({
      whip: { url: `${server.url}/whip/agent/${id}`, token: ticket },
      whep: { url: `${server.url}/whep/agent/${id}`, token: null },
    })
    expect(not('passed', whip?.results ?? [])).toEqual([])
    expect(whip?.results.length).toBe(whipSuite.length)
    // A public stream asks its players for no token.
    expect(not('passed', whep?.results ?? [])).toEqual(
      ['offer-without-token', 'offer-wrong-token', 'patch-without-token', 'delete-without-token'].map(
        (check) => `${check} skipped: No token was given.`,
      ),
    )
    expect(whep?.results.length).toBe(whepSuite.length + 1)
    const { body } = await server.call('GET', `/api/streams/agent/${id}`)
    expect([body.state, body.viewers]).toEqual(['idle', 0])
    await server.call('POST', `/api/streams/agent/${id}/end`, { cookie: ada.cookie })
  }, 60_000)

  test('asks the players of a private stream for their token', async () => {
    const { id, ticket, path } = await server.stream(ada, 'private')
    const { body } = await server.call('POST', `${path}/view-ticket`, { cookie: ada.cookie })
    const [, whep] = await runSuites({
      whip: { url: `${server.url}/whip/agent/${id}`, token: ticket },
      whep: { url: `${server.url}/whep/agent/${id}`, token: body.ticket },
    })
    expect(not('passed', whep?.results ?? [])).toEqual(
      ['patch-without-token', 'delete-without-token'].map(
        (check) => `${check} skipped: The address of a session may be the permission (section 4.8.1).`,
      ),
    )
  }, 60_000)
})
