import { assign, enqueueActions, fromCallback, fromPromise, sendParent, setup } from 'xstate'
import type { WorkerBeat } from '../ports/media.ts'

/** How often a worker is asked for a sign of life, and how long it may take to give one. */
export const beatInterval = 2000
export const beatDeadline = 2000
/** How long a worker may take to start. */
export const startDeadline = 10_000
/** The first wait before a worker is started again; doubles up to the longest. */
export const firstBackoff = 100
export const longestBackoff = 10_000

export type WorkerReport =
  | { readonly type: 'worker.up'; readonly worker: string }
  | { readonly type: 'worker.down'; readonly worker: string; readonly why: string }
  /** It became full, or is not any more. */
  | { readonly type: 'worker.load'; readonly worker: string; readonly full: boolean }

/**
 * Keeps one media worker process running: starts it, listens to its heart, and starts it
 * again when it is dead, or answers nothing and has to be taken for dead.
 */
export const workerMachine = setup({
  types: {
    context: {} as { readonly worker: string; readonly failures: number; readonly why: string; readonly full: boolean },
    input: {} as { worker: string },
    events: {} as { type: 'died' },
  },
  actors: {
    start: fromPromise<void, { worker: string }>(async () => {
      throw new Error('start is not provided')
    }),
    beat: fromPromise<WorkerBeat, { worker: string }>(async () => {
      throw new Error('beat is not provided')
    }),
    observe: fromCallback<{ type: 'none' }, { worker: string }>(() => {
      throw new Error('observe is not provided')
    }),
  },
  actions: {
    /** Provided: makes sure that the process is gone. */
    kill: (_, _params: { worker: string }) => {},
    note: assign((_, { why }: { why: string }) => ({ why })),
    countFailure: assign(({ context }) => ({ failures: context.failures + 1 })),
    forgetFailures: assign({ failures: 0 }),
    forgetLoad: assign({ full: false }),
    noteLoad: enqueueActions(({ context, enqueue }, { full }: WorkerBeat) => {
      if (full === context.full) return
      enqueue.assign({ full })
      enqueue(sendParent({ type: 'worker.load', worker: context.worker, full } satisfies WorkerReport))
    }),
    tellUp: sendParent(({ context }) => ({ type: 'worker.up', worker: context.worker }) satisfies WorkerReport),
    tellDown: sendParent(
      ({ context }) => ({ type: 'worker.down', worker: context.worker, why: context.why }) satisfies WorkerReport,
    ),
  },
  delays: {
    beatInterval,
    beatDeadline,
    startDeadline,
    backoff: ({ context }) => Math.min(longestBackoff, firstBackoff * 2 ** (context.failures - 1)),
  },
}).createMachine({
  id: 'worker',
  description: 'one media worker process',
  context: ({ input }) => ({ worker: input.worker, failures: 0, why: '', full: false }),
  initial: 'starting',
  states: {
    starting: {
      description: 'its process comes up',
      invoke: {
        src: 'start',
        input: ({ context }) => ({ worker: context.worker }),
        onDone: 'up',
        onError: {
          target: 'dead',
          actions: { type: 'note', params: ({ event }) => ({ why: sentence(event.error) }) },
        },
      },
      after: {
        startDeadline: { target: 'dead', actions: { type: 'note', params: { why: 'It did not start in time.' } } },
      },
    },
    up: {
      description: 'carries streams',
      entry: 'tellUp',
      invoke: { src: 'observe', input: ({ context }) => ({ worker: context.worker }) },
      on: { died: { target: 'dead', actions: { type: 'note', params: { why: 'Its process ended.' } } } },
      initial: 'resting',
      states: {
        resting: { description: 'between two beats', after: { beatInterval: 'asked' } },
        asked: {
          description: 'for a sign of life',
          invoke: {
            src: 'beat',
            input: ({ context }) => ({ worker: context.worker }),
            onDone: {
              target: 'resting',
              actions: ['forgetFailures', { type: 'noteLoad', params: ({ event }) => event.output }],
            },
            onError: {
              target: '#worker.dead',
              actions: { type: 'note', params: ({ event }) => ({ why: sentence(event.error) }) },
            },
          },
          after: {
            beatDeadline: {
              target: '#worker.dead',
              actions: { type: 'note', params: { why: 'It gave no sign of life.' } },
            },
          },
        },
      },
    },
    dead: {
      description: 'its streams were told',
      entry: [
        'countFailure',
        'forgetLoad',
        { type: 'kill', params: ({ context }) => ({ worker: context.worker }) },
        'tellDown',
      ],
      after: { backoff: 'starting' },
    },
  },
})

function sentence(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}
