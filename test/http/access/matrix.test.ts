import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import type { CreatedAgentStream } from '../../../src/contracts/agent-stream.ts'
import { publishCapability } from '../../../src/http/access/access.ts'
import { createApp } from '../../../src/http/app.ts'
import type { Dependencies } from '../../../src/http/dependencies.ts'
import { matrix } from './matrix.ts'
import { requests, whipOffer } from './requests.ts'
import { walk } from './walk.ts'
import { type Stage, startStage } from './world.ts'

let stage: Stage

beforeAll(async () => {
  stage = await startStage()
}, 90_000)
afterAll(() => stage.stop())

describe('the access matrix', () => {
  test('has every route that the server has, and no other', () => {
    // Nothing is called: the routes alone are looked at.
    const { routes } = createApp({} as Dependencies)
    const served = routes.map(({ method, path }) => `${method} ${path}`)
    const sockets = ['join', 'consume', 'connect', 'leave'].map((message) => `WS /ws/broadcast ${message}`)
    const expected = served.flatMap((route) => (route === 'WS /ws/broadcast' ? sockets : [route]))
    const listed = matrix.filter(({ some }) => !some).map(({ route }) => route)
    expect([...new Set(listed)].sort()).toEqual([...new Set(expected)].sort())
    const asked = matrix.map(({ send, route }) => send ?? route).filter((name) => !name.startsWith('WS '))
    expect([...new Set(asked)].sort()).toEqual(Object.keys(requests).sort())
  })

  for (const route of matrix) {
    test(`${route.route}: ${route.does}`, async () => {
      const { cells, faults } = await walk(stage, route)
      expect(cells).toBeGreaterThan(route.some ? 0 : 40)
      expect(faults).toEqual([])
    }, 120_000)
  }

  test('a person has as many streams live as the settings say, the Live owner more', async () => {
    const { server, people } = stage
    const publish = async (owner: { id: string }) => {
      const { stream, publish: grant } = await create(owner)
      const { status, body } = await server.call('POST', `/whip/agent/${stream.id}`, {
        bearer: grant.ticket,
        body: whipOffer.text,
        headers: { 'Content-Type': whipOffer.type },
      })
      return status === 201 ? status : body.code
    }
    const create = async ({ id }: { id: string }): Promise<CreatedAgentStream> => {
      const { audience } = server.config
      const bearer = await server.issuer.sign({ subject: id, capabilities: [publishCapability], audience, minutes: 5 })
      const task = { source: 'desk', ref: 'limit', title: 'Test the limit' }
      return (await server.call('POST', '/api/streams/agent', { bearer, body: { task } })).body
    }
    const tries = async (owner: { id: string }, count: number) => {
      const outcomes: unknown[] = []
      for (let at = 0; at < count; at++) outcomes.push(await publish(owner))
      return outcomes
    }
    expect(await tries(people.stranger, 4)).toEqual([201, 201, 201, 'live.agent_stream_limit'])
    expect(await tries(people.liveOwner, 6)).toEqual([201, 201, 201, 201, 201, 'live.agent_stream_limit'])
  }, 30_000)
})
