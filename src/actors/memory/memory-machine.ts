import { assign, enqueueActions, fromPromise, sendParent, setup } from 'xstate'
import type { Refusal } from '../../contracts/problem.ts'
import { refusalOfError } from '../ask/refusal-of-error.ts'
import type { StreamChange } from '../ports/store.ts'

/**
 * One durable write that a stream asked for. `asks` are answered by the stream when the
 * write is kept. `insist`: what takes something away (a revocation, a curtain, an end) is
 * tried until it is kept, because in the actor it holds already; what grants something is
 * dropped at the first failure, because nobody was told that it holds.
 */
export interface Write {
  readonly change: StreamChange
  readonly asks: readonly string[]
  readonly insist: boolean
  /** The stream's ticket epoch when it decided: a ticket minted before a revocation is dead. */
  readonly epoch: number
}

export type MemoryOutcome =
  | { readonly type: 'memory.kept'; readonly write: Write }
  | { readonly type: 'memory.failed'; readonly write: Write; readonly refusal: Refusal }

export interface MemoryContext {
  readonly stream: string
  readonly queue: readonly Write[]
}

/** How long a write that must be kept waits before it is tried again. */
export const retryDelay = 1000

/**
 * A stream's memory: keeps its changes one at a time, in the order in which they were
 * decided, and tells the stream what became of each.
 */
export const memoryMachine = setup({
  types: {
    context: {} as MemoryContext,
    input: {} as { stream: string },
    events: {} as
      | { type: 'write'; write: Write }
      /** Somebody waits for what waits: try it now. */
      | { type: 'retry' },
  },
  actors: {
    keep: fromPromise<void, { stream: string; change: StreamChange }>(async () => {
      throw new Error('keep is not provided')
    }),
  },
  guards: {
    hasWrites: ({ context }) => context.queue.length > 0,
    /** Only what may succeed later is tried again: a refusal for another reason would be refused for ever. */
    mayRetry: ({ context }, { error }: { error: unknown }) =>
      head(context).insist && refusalOfError(error, 'store').code === 'store_unavailable',
  },
  actions: {
    take: assign(({ context, event }) => (event.type === 'write' ? { queue: [...context.queue, event.write] } : {})),
    shift: assign(({ context }) => ({ queue: context.queue.slice(1) })),
    tellKept: sendParent(({ context }) => ({ type: 'memory.kept', write: head(context) }) satisfies MemoryOutcome),
    tellFailed: sendParent(
      ({ context }, { error }: { error: unknown }) =>
        ({
          type: 'memory.failed',
          write: head(context),
          refusal: refusalOfError(error, 'store'),
        }) satisfies MemoryOutcome,
    ),
    /**
     * The store does not answer: all who wait are told. What insists goes on, with nobody
     * waiting; what grants something is not done behind their back later.
     */
    tellAllFailed: enqueueActions(({ context, enqueue }, { error }: { error: unknown }) => {
      const refusal = refusalOfError(error, 'store')
      for (const write of context.queue) {
        enqueue.sendParent({ type: 'memory.failed', write, refusal } satisfies MemoryOutcome)
      }
      const queue = context.queue.filter(({ insist }) => insist).map((write) => ({ ...write, asks: [] }))
      enqueue.assign({ queue })
    }),
  },
  delays: { retry: retryDelay },
}).createMachine({
  id: 'memory',
  description: 'what a stream has still to keep',
  context: ({ input }) => ({ stream: input.stream, queue: [] }),
  initial: 'quiet',
  on: { write: { actions: 'take' } },
  states: {
    quiet: { description: 'all is kept', always: { guard: 'hasWrites', target: 'writing' } },
    writing: {
      description: 'one change at a time, in order',
      invoke: {
        src: 'keep',
        input: ({ context }) => ({ stream: context.stream, change: head(context).change }),
        onDone: { target: 'quiet', actions: ['tellKept', 'shift'] },
        onError: [
          {
            guard: { type: 'mayRetry', params: ({ event }) => ({ error: event.error }) },
            target: 'waiting',
            actions: { type: 'tellAllFailed', params: ({ event }) => ({ error: event.error }) },
          },
          {
            target: 'quiet',
            actions: [{ type: 'tellFailed', params: ({ event }) => ({ error: event.error }) }, 'shift'],
          },
        ],
      },
    },
    waiting: {
      description: 'for the store to come back',
      after: { retry: 'writing' },
      on: { write: { target: 'writing', actions: 'take' }, retry: 'writing' },
    },
  },
})

function head(context: MemoryContext): Write {
  const [first] = context.queue
  if (first === undefined) throw new Error('the memory has nothing to write')
  return first
}
