import { describe, expect, test } from 'bun:test'
import { createDatabase, testDatabaseUrl } from '../../store/stores.ts'
import { CrashingServer, type Reply } from './crashing-server.ts'
import { durableOperations } from './durable-operations.ts'

/** Done, and acknowledged before the process was killed. */
interface Promised {
  readonly name: string
  readonly answer: Reply
  readonly holds: (answer: Reply) => Promise<void>
}

/** How many answers the process is killed at: the last two of a round, which come in the same moment. */
const lastOnes = 2
const rounds = Math.ceil(durableOperations.length / lastOnes)

/**
 * A round: what the round before promised is looked at on the server that was started anew;
 * then every operation is done once more, and the process is killed in the moment that the
 * last two have been answered, which are others in each round. In every other round all of
 * them run at once, so that it dies in the middle of the rest: only what was answered counts.
 */
async function round(server: CrashingServer, at: number, promised: readonly Promised[]): Promise<Promised[]> {
  await server.start()
  for (const { name, answer, holds } of promised) {
    await holds(answer).catch((error: unknown) => {
      throw new Error(`“${name}” was acknowledged and did not survive: ${error}`, { cause: error })
    })
  }
  const suffix = `${at}-${crypto.randomUUID().slice(0, 6)}`
  const [owner, other] = await Promise.all([server.somebody(`owner-${suffix}`), server.somebody(`other-${suffix}`)])
  const prepared = await Promise.all(
    durableOperations.map(async ({ name, prepare }) => ({ name, ...(await prepare(server, { owner, other })) })),
  )
  const first = (at * lastOnes) % prepared.length
  const isLast = (index: number) => (index - first + prepared.length) % prepared.length < lastOnes
  const kept: Promised[] = []
  let toAnswer = lastOnes
  let killed: Promise<void> | undefined
  const perform = async ({ name, run, accepts, holds }: (typeof prepared)[number], last: boolean) => {
    let answer: Reply
    try {
      answer = await run()
    } catch (error) {
      // The process died before it answered: nothing was promised.
      if (killed !== undefined) return
      throw error
    }
    if (last && --toAnswer === 0) killed = server.kill()
    expect({ [name]: answer.status }).toEqual({ [name]: accepts })
    kept.push({ name, answer, holds })
  }
  const rest = () => prepared.flatMap((one, index) => (isLast(index) ? [] : [perform(one, false)]))
  const last = () => prepared.flatMap((one, index) => (isLast(index) ? [perform(one, true)] : []))
  if (at % 2 === 0) await Promise.all(rest())
  await Promise.all(at % 2 === 0 ? last() : [...rest(), ...last()])
  await killed
  expect(toAnswer).toBe(0)
  return kept
}

const stores = [
  { name: 'PGlite', database: async () => ({ url: undefined, drop: async () => {} }) },
  ...(testDatabaseUrl ? [{ name: 'PostgreSQL', database: createDatabase }] : []),
]

describe.each(stores)('what was acknowledged survives SIGKILL, on $name', ({ database }) => {
  test('whatever was acknowledged last', async () => {
    const { url, drop } = await database()
    const server = await CrashingServer.make(url)
    try {
      let promised: Promised[] = []
      let survived = 0
      // One round more, for what the last one promised.
      for (let at = 0; at <= rounds; at++) {
        promised = await round(server, at, promised)
        survived += promised.length
      }
      expect(survived).toBeGreaterThan(durableOperations.length * lastOnes)
    } finally {
      await server.remove()
      await drop()
    }
  }, 300_000)
})
