import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import { problems } from '../../../src/contracts/problem.ts'
import { requests } from '../access/requests.ts'
import { bodyOf } from '../access/walk.ts'
import { type Stage, startStage, type World } from '../access/world.ts'
import { documentedBy } from '../documented.ts'
import { type Attack, attackedRoutes, attackOn, prepare } from './attack.ts'

/** How many rounds of attacks each route gets; a longer campaign: FOOTLIGHT_FUZZ_RUNS=200. */
const runs = Number(process.env.FOOTLIGHT_FUZZ_RUNS ?? 6)
const seed = Number(process.env.FOOTLIGHT_FUZZ_SEED ?? Date.now() % 2 ** 31)

let stage: Stage
let world: World
let undocumented: ReturnType<typeof documentedBy>

beforeAll(async () => {
  stage = await startStage()
  world = await stage.makeWorld('public')
  undocumented = documentedBy(await (await fetch(`${stage.server.url}/openapi.json`)).json())
}, 90_000)
afterAll(() => stage.stop())

/** Sends an attack and holds the answer against what is documented. Answers whether it was refused. */
async function withstand(attack: Attack, send: () => Promise<Response>): Promise<boolean> {
  const response = await send()
  const text = await bodyOf(response)
  const { status, headers } = response
  const json = text !== '' && /json/.test(headers.get('content-type') ?? '')
  const body = json ? JSON.parse(text) : text
  if (status >= 500) throw new Error(`${status} ${text}`)
  if (status >= 400 && json) {
    const { code } = body
    if (!Object.hasOwn(problems, code)) throw new Error(`${status} with the code ${code}, which is in no list`)
    if (problems[code as keyof typeof problems].status !== status) throw new Error(`${status} with the code ${code}`)
  }
  // A page of what is not there is the one refusal without a code.
  const head = attack.route.startsWith('HEAD ')
  if (status >= 400 && !json && !head && !(status === 404 && text.includes('<!doctype html>')))
    throw new Error(`${status} ${text}`)
  const { pathname } = new URL(response.url)
  const fault = undocumented(attack.route.split(' ')[0] ?? '', pathname, { status, headers, body })
  if (fault !== null) throw new Error(fault)
  return status >= 400
}

describe(`requests that mean no good (FOOTLIGHT_FUZZ_SEED=${seed})`, () => {
  for (const route of attackedRoutes) {
    test(`${route} refuses them as documented, and keeps nothing of them`, async () => {
      const property = fc.asyncProperty(fc.array(attackOn(route), { minLength: 1, maxLength: 12 }), async (attacks) => {
        const sends = await Promise.all(attacks.map((attack) => prepare(stage, world, attack)))
        const before = await stage.server.rows()
        let allRefused = true
        for (const [at, attack] of attacks.entries()) {
          const refused = await withstand(attack, sends[at] as () => Promise<Response>).catch((error) => {
            throw new Error(`${error.message}\nto ${JSON.stringify(attack)}`)
          })
          allRefused &&= refused
        }
        if (!allRefused) {
          // One of them was right, and may have changed the stream.
          if (requests[route]?.writes) world = await stage.makeWorld('public')
          return
        }
        const after = await stage.server.rows()
        for (const table of Object.keys(after)) expect([table, after[table]]).toEqual([table, before[table]])
      })
      await fc.assert(property, { numRuns: runs, seed, endOnFailure: runs > 20 })
    }, 600_000)
  }

  test('the server is as well as before', async () => {
    expect((await stage.server.call('GET', '/readyz')).body).toEqual({ ok: true, workers: { up: 1, of: 1 } })
    const { body } = await stage.server.call('GET', `/api/streams/agent/${world.stream}`)
    expect(body.id).toBe(world.stream)
  })
})
