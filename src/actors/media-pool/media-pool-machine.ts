import { type AnyActorRef, setup } from 'xstate'
import { refuse } from '../../contracts/problem.ts'
import { answerAsk, answered } from '../ask/answer.ts'
import { decisions } from '../decide.ts'
import { type WorkerReport, workerMachine } from './worker-machine.ts'

export type MediaPoolEvent =
  | WorkerReport
  /** A stream that goes live wants a worker: answered with `worker.placed` or `worker.none`. */
  | { readonly type: 'place'; readonly stream: string }
  | { readonly type: 'release'; readonly stream: string }
  | { readonly type: 'describe'; readonly ask: string }

export interface PoolWorker {
  readonly up: boolean
  /** Why it is down, for operators. */
  readonly why: string
  readonly streams: readonly string[]
  /** It carries as many viewers as it may. */
  readonly full: boolean
}

export interface MediaPoolContext {
  readonly workers: Readonly<Record<string, PoolWorker>>
}

const { on, whenever } = decisions<MediaPoolContext, MediaPoolEvent>()

/** The media workers, one a core: which are up, and which stream is on which. */
export const mediaPoolMachine = setup({
  types: {
    context: {} as MediaPoolContext,
    input: {} as { workers: readonly string[] },
    events: {} as MediaPoolEvent,
  },
  actors: { worker: workerMachine },
  actions: {
    startWorkers: whenever((context, enqueue) => {
      for (const worker of Object.keys(context.workers)) {
        enqueue.spawnChild('worker', { id: worker, input: { worker } })
      }
    }),
    noteUp: on<'worker.up'>((context, event, enqueue) =>
      enqueue.assign({
        workers: { ...context.workers, [event.worker]: { up: true, why: '', streams: [], full: false } },
      }),
    ),
    /** The router of each stream on it is gone: they are told, and nobody else. */
    noteDown: on<'worker.down'>((context, { worker, why }, enqueue) => {
      for (const stream of context.workers[worker]?.streams ?? []) {
        enqueue.sendTo(streamActor(stream), { type: 'worker.lost' })
      }
      enqueue.assign({ workers: { ...context.workers, [worker]: { up: false, why, streams: [], full: false } } })
    }),
    noteLoad: on<'worker.load'>((context, { worker, full }, enqueue) => {
      const known = context.workers[worker]
      if (known !== undefined) enqueue.assign({ workers: { ...context.workers, [worker]: { ...known, full } } })
    }),
    place: on<'place'>((context, { stream }, enqueue) => {
      const workers = taken(context.workers, stream)
      const running = Object.entries(workers).filter(([, { up }]) => up)
      const least = running
        .filter(([, { full }]) => !full)
        .sort(([, a], [, b]) => a.streams.length - b.streams.length)[0]
      if (least === undefined) {
        const refusal =
          running.length > 0
            ? refuse('server_full', 'The server carries as many viewers as it can. Try again in a while.', 10)
            : refuse('media_unavailable', 'No media worker is running just now. Try again in a moment.', 2)
        enqueue.sendTo(streamActor(stream), { type: 'worker.none', refusal })
        return
      }
      const [worker, { streams }] = least
      enqueue.assign({
        workers: { ...workers, [worker]: { up: true, why: '', streams: [...streams, stream], full: false } },
      })
      enqueue.sendTo(streamActor(stream), { type: 'worker.placed', worker })
    }),
    release: on<'release'>((context, { stream }, enqueue) =>
      enqueue.assign({ workers: taken(context.workers, stream) }),
    ),
    describe: on<'describe'>((context, event, enqueue) => enqueue(answerAsk(event.ask, answered(context.workers)))),
  },
}).createMachine({
  id: 'media-pool',
  description: 'which workers are up, and which stream is on which',
  context: ({ input }) => ({
    workers: Object.fromEntries(
      input.workers.map((worker) => [worker, { up: false, why: 'Starting.', streams: [], full: false }]),
    ),
  }),
  entry: 'startWorkers',
  on: {
    'worker.up': { actions: 'noteUp' },
    'worker.down': { actions: 'noteDown' },
    'worker.load': { actions: 'noteLoad' },
    place: { actions: 'place' },
    release: { actions: 'release' },
    describe: { actions: 'describe' },
  },
})

/** Where an actor is sent to by its id in the system. */
function streamActor(stream: string) {
  return ({ system }: { system: { get(id: string): AnyActorRef } }) => system.get(stream)
}

/** The workers without the stream. */
function taken(workers: MediaPoolContext['workers'], stream: string): MediaPoolContext['workers'] {
  return Object.fromEntries(
    Object.entries(workers).map(([id, worker]) => [
      id,
      worker.streams.includes(stream)
        ? { ...worker, streams: worker.streams.filter((other) => other !== stream) }
        : worker,
    ]),
  )
}
