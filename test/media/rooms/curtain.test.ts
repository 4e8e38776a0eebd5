import { afterAll, beforeAll, expect, test } from 'bun:test'
import fc from 'fast-check'
import { RefusedError } from '../../../src/contracts/problem.ts'
import { roomCodecs } from '../../../src/media/codecs.ts'
import { Rooms } from '../../../src/media/rooms/rooms.ts'
import { Workers } from '../../../src/media/workers.ts'
import { workerBin } from '../layer-under-test.ts'
import { clients } from '../sdp-bridge/clients.ts'
import { vp8, writeOffer } from '../sdp-bridge/offer-builder.ts'
import { Census } from './census.ts'

const desk = writeOffer(clients.chromium)
const players = [96, 120].map((payload) =>
  writeOffer({
    sections: [
      { kind: 'video', mid: '0', direction: 'recvonly', ssrcs: [], codecs: [{ ...vp8, payload, rtx: payload + 1 }] },
      { kind: 'audio', mid: '1', direction: 'recvonly', ssrcs: [] },
    ],
  }),
)

let workers: Workers
let census: Census
beforeAll(async () => {
  workers = new Workers({ workerBin: workerBin(), listenIp: '127.0.0.1', basePort: 0, requestTimeoutMs: 5000 })
  await workers.start({ worker: 'w1' })
  const host = workers.host('w1')
  if (host === null) throw new Error('the worker is gone')
  census = new Census(host.worker)
})
afterAll(() => workers?.close())

type Step =
  | { readonly do: 'hold' | 'release' | 'publish' | 'unpublish' }
  | { readonly do: 'view' | 'whep' | 'start' | 'leave'; readonly who: number }
/** Steps with `settle` are awaited, and the worker is asked; the others run into the next. */
type Move = Step & { readonly settle: boolean; readonly turns: number }

const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 4, arbitrary: fc.record({ do: fc.constantFrom('hold' as const, 'release' as const) }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constantFrom('publish' as const, 'unpublish' as const) }) },
  {
    weight: 5,
    arbitrary: fc.record({
      do: fc.constantFrom('view' as const, 'whep' as const, 'start' as const, 'start' as const, 'leave' as const),
      who: fc.nat(2),
    }),
  },
)
const move: fc.Arbitrary<Move> = fc
  .tuple(step, fc.boolean(), fc.nat(3))
  .map(([each, settle, turns]) => ({ ...each, settle, turns }))

/** Most begin with a desk and a viewer who watches, so that there is something to hold. */
const sequence = fc
  .tuple(fc.integer({ min: 0, max: 3 }), fc.array(move, { minLength: 3, maxLength: 14 }))
  .map(([begin, moves]): Move[] => [
    ...(
      [
        { do: 'publish', settle: true, turns: 0 },
        { do: 'whep', who: 0, settle: true, turns: 0 },
        { do: 'start', who: 0, settle: false, turns: 0 },
      ] satisfies Move[]
    ).slice(0, begin),
    ...moves,
  ])

/** What the model knows of a viewer: its transport, once it is answered, and whether it watches. */
interface ModelViewer {
  started: boolean
  transport: string | null
}

/** Runs a sequence and compares, at each settled step, what the worker does with what it should. */
async function run(moves: readonly Move[]): Promise<void> {
  const rooms = new Rooms(workers, { codecs: roomCodecs, requestTimeoutMs: 5000 })
  const stream = 'curtain'
  const model = { held: false, viewers: new Map<number, ModelViewer>() }
  let publications = 0
  let running: Promise<unknown>[] = []
  // A refusal to open is fine: no publication yet, or closed while opening. The actor is told so
  // too. To hold and to release is never refused.
  const begin = <T>(request: Promise<T>, opened?: (value: T) => void) => {
    running.push(
      request.then(opened, (error: unknown) => {
        if (!(error instanceof RefusedError)) throw error
      }),
    )
  }
  const enter = <T>(who: number, request: Promise<T>, transportOf: (value: T) => string) => {
    const viewer: ModelViewer = { started: false, transport: null }
    model.viewers.set(who, viewer)
    begin(request, (value) => {
      viewer.transport = transportOf(value)
    })
  }
  const act = (each: Step) => {
    switch (each.do) {
      case 'hold':
        model.held = true
        return void running.push(rooms.hold({ stream }))
      case 'release':
        model.held = false
        return void running.push(rooms.release({ stream }))
      case 'publish': {
        publications += 1
        const publication = `p${publications}`
        return begin(rooms.openPublication({ stream, publication, worker: 'w1', offer: desk, held: model.held }))
      }
      case 'unpublish':
        return rooms.closePublication({ stream, publication: `p${publications}` })
      case 'view':
        return enter(
          each.who,
          rooms.openViewer({ stream, viewer: `v${each.who}`, rtpCapabilities: rooms.rtpCapabilities }),
          ({ transport }) => transport.id,
        )
      case 'whep':
        return enter(
          each.who,
          rooms.openWhepViewer({ stream, viewer: `v${each.who}`, offer: players[each.who % 2] as string }),
          ({ answer }) => /a=ice-ufrag:(\S+)/.exec(answer)?.[1] ?? 'none',
        )
      case 'start': {
        const viewer = model.viewers.get(each.who)
        if (viewer !== undefined) viewer.started = true
        return begin(rooms.startViewer({ stream, viewer: `v${each.who}` }))
      }
      case 'leave':
        model.viewers.delete(each.who)
        return rooms.closeViewer({ stream, viewer: `v${each.who}` })
    }
  }
  try {
    for (const each of moves) {
      act(each)
      if (each.settle) {
        await Promise.all(running)
        running = []
        await compare(model.held, [...model.viewers.values()])
      } else {
        for (let turn = 0; turn < each.turns; turn += 1) await Bun.sleep(0)
      }
    }
    await Promise.all(running)
    await compare(model.held, [...model.viewers.values()])
  } finally {
    rooms.closeRoom({ stream })
    await Promise.all(running)
  }
  expect(await census.counts()).toEqual({ routers: 0, transports: 0, producers: 0, consumers: 0 })
}

/** How many valves were seen in each state: a property that never met one would prove nothing. */
const seen = { held: 0, flowing: 0, waiting: 0 }

async function compare(held: boolean, viewers: readonly ModelViewer[]): Promise<void> {
  for (const { type, paused, transport } of await census.valves()) {
    const viewer = viewers.find((each) => each.transport !== null && transport.includes(each.transport))
    // Whoever sends to somebody is known; pipes and producers flow for all.
    if (type === 'consumer') expect(viewer).toBeDefined()
    const watched = type !== 'consumer' || viewer?.started === true
    expect({ type, paused }).toEqual({ type, paused: held || !watched })
    seen[held ? 'held' : watched ? 'flowing' : 'waiting'] += 1
  }
}

test('held: all is paused. Not held: what was started flows. In every order', async () => {
  await fc.assert(fc.asyncProperty(sequence, run), { numRuns: 200 })
  expect(Math.min(...Object.values(seen))).toBeGreaterThan(100)
}, 120_000)

test.each([
  ['a pause while a resume is under way is sent', ['publish!', 'view!', 'start!', 'hold!', 'release', 'hold!']],
  ['a resume while a pause is under way is sent', ['publish!', 'view!', 'start!', 'hold', 'release!']],
  ['a hold while a publication is being opened', ['publish', 'hold!']],
  ['a hold while a viewer is being opened', ['publish!', 'whep', 'hold', 'start!']],
  ['many of both', ['publish!', 'whep!', 'start!', 'hold', 'release', 'hold', 'release', 'hold!']],
] as const)('%s', async (_, names) => {
  await run(names.map((name) => ({ do: name.replace('!', ''), who: 0, settle: name.endsWith('!'), turns: 0 }) as Move))
})
