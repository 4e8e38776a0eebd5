import { assign, cancel, enqueueActions, fromCallback, fromPromise, raise, setup } from 'xstate'
import type { DeskState } from '../contracts/agent-stream.ts'
import type { DeskPorts } from './desk-ports.ts'
import { type DeskOutcome, givesUp, sessionIsGone, waitAfter } from './patience.ts'
import { type Setback, setbackOf } from './setback.ts'

/** The desk renews its ticket when three hours have passed since it was minted. */
export const renewAfter = 3 * 60 * 60 * 1000
const statePeriod = 10_000
const checkPeriod = 2000
/** A still every five seconds while nothing is encoded; while it is, enough for the stream's card. */
const stillPeriod = { instead: 5000, beside: 30_000 } as const
/** How long a link may be `disconnected`, which often mends itself, or not yet be up. */
const linkPatience = { disconnected: 5000, connecting: 10_000 } as const

export interface DeskContext {
  readonly mintedAt: number
  readonly expiresAt: number
  /** Counts the WHIP sessions of this desk; says which peer connection a report is of. */
  readonly session: number
  readonly location: string | null
  readonly linked: boolean
  /** What the server wants, and what the encoder was last told. */
  readonly encode: boolean
  readonly encoding: boolean
  readonly state: DeskState | null
  /** Failures in a row, and the last one. */
  readonly tries: number
  readonly setback: Setback | null
  readonly outcome: DeskOutcome | null
}

export type DeskEvent =
  | { readonly type: 'LINK'; readonly session: number; readonly state: string }
  | { readonly type: 'LINK_OVERDUE'; readonly session: number }
  | { readonly type: 'SURFACE_GONE' }
  | { readonly type: 'STOP'; readonly outcome?: DeskOutcome }
  | { readonly type: 'PUBLISHED' }

export interface DeskInput {
  readonly mintedAt: number
  readonly expiresAt: number
}

/**
 * The desk: opens its browser, puts it on air, and keeps it there, through a restarted server, a
 * lost link and a ticket's age, until it is told to stop or can do nothing more.
 *
 *     opening ▸ airing ▸ stopping ▸ stopped
 *               ├─ session   publishing ▸ up (alive ▸ checking ▸ doubtful) ⇄ waiting
 *               ├─ encoder   settled ⇄ applying
 *               ├─ poll      reading ⇄ resting            every ten seconds
 *               ├─ stills    beside ⇄ instead of the picture ▸ sending
 *               └─ ticket    fresh ▸ renewing             at three hours
 *
 * Its output says why it stopped.
 */
export function createDeskMachine(ports: DeskPorts) {
  return setup({
    types: {
      context: {} as DeskContext,
      events: {} as DeskEvent,
      input: {} as DeskInput,
      output: {} as DeskOutcome,
    },
    actors: {
      openSurface: fromPromise(() => ports.openSurface()),
      closeDown: fromPromise(async ({ input }: { input: { location: string | null } }) => {
        if (input.location !== null) await ports.leaveSession(input.location)
        await ports.closeSurface()
      }),
      observeSurface: fromCallback<DeskEvent>(({ sendBack }) =>
        ports.observeSurface(() => sendBack({ type: 'SURFACE_GONE' })),
      ),
      observeLink: fromCallback<DeskEvent>(({ sendBack }) =>
        ports.observeLink((session, state) => sendBack({ type: 'LINK', session, state })),
      ),
      publish: fromPromise(({ input }: { input: { session: number; replaces: string | null; encode: boolean } }) =>
        ports.publish(input),
      ),
      checkSession: fromPromise(({ input }: { input: string }) => ports.checkSession(input)),
      setEncoding: fromPromise(({ input }: { input: boolean }) => ports.setEncoding(input)),
      readState: fromPromise(() => ports.readState()),
      sendStill: fromPromise(() => ports.sendStill()),
      renewTicket: fromPromise(() => ports.renewTicket()),
    },
    guards: {
      isThisLink: ({ context, event }) => 'session' in event && event.session === context.session,
      encoderBehind: ({ context }) => context.encode !== context.encoding,
      encodes: ({ context }) => context.encode,
      encodesNothing: ({ context }) => !context.encode,
    },
    delays: {
      statePeriod,
      checkPeriod,
      stillInstead: stillPeriod.instead,
      stillBeside: stillPeriod.beside,
      backoff: ({ context }) => waitAfter(context.setback, context.tries),
      renewal: ({ context }) => Math.max(0, context.mintedAt + renewAfter - ports.now()),
      renewalRetry: 60_000,
    },
    actions: {
      countFailure: assign({
        tries: ({ context }) => context.tries + 1,
        setback: (_, params: { error: unknown }) => setbackOf(params.error),
      }),
      forgetFailures: assign({ tries: 0, setback: null }),
      keepOutcome: assign({ outcome: (_, params: DeskOutcome) => params }),
    },
  }).createMachine({
    id: 'desk',
    initial: 'opening',
    context: ({ input }) => ({
      mintedAt: input.mintedAt,
      expiresAt: input.expiresAt,
      session: 0,
      location: null,
      linked: false,
      encode: true,
      encoding: true,
      state: null,
      tries: 0,
      setback: null,
      outcome: null,
    }),
    on: {
      STOP: {
        target: '.stopping',
        actions: {
          type: 'keepOutcome',
          params: ({ event }) => event.outcome ?? { why: 'asked', sentence: 'The desk was stopped.' },
        },
      },
    },
    states: {
      opening: {
        invoke: {
          src: 'openSurface',
          onDone: 'airing',
          onError: {
            target: 'stopping',
            actions: {
              type: 'keepOutcome',
              params: ({ event }) => ({ why: 'browser' as const, sentence: setbackOf(event.error).sentence }),
            },
          },
        },
      },

      airing: {
        type: 'parallel',
        invoke: [{ src: 'observeSurface' }, { src: 'observeLink' }],
        on: {
          SURFACE_GONE: {
            target: 'stopping',
            actions: {
              type: 'keepOutcome',
              params: { why: 'browser' as const, sentence: "The desk's browser went away. Start the desk again." },
            },
          },
        },
        states: {
          session: {
            initial: 'publishing',
            states: {
              publishing: {
                entry: [
                  cancel('linkOverdue'),
                  assign({
                    session: ({ context }) => context.session + 1,
                    linked: false,
                    encoding: ({ context }) => context.encode,
                  }),
                ],
                invoke: {
                  src: 'publish',
                  input: ({ context }) => ({
                    session: context.session,
                    replaces: context.location,
                    encode: context.encode,
                  }),
                  onDone: {
                    target: 'up',
                    actions: [assign({ location: ({ event }) => event.output.location }), raise({ type: 'PUBLISHED' })],
                  },
                  onError: [
                    {
                      guard: ({ event }) => givesUp(setbackOf(event.error)) !== null,
                      target: '#desk.stopping',
                      actions: {
                        type: 'keepOutcome',
                        params: ({ event }) => givesUp(setbackOf(event.error)) as DeskOutcome,
                      },
                    },
                    {
                      target: 'waiting',
                      actions: { type: 'countFailure', params: ({ event }) => ({ error: event.error }) },
                    },
                  ],
                },
                // The link may be up before the promise says so.
                on: { LINK: { guard: linkSays('connected'), actions: [assign({ linked: true }), 'forgetFailures'] } },
              },
              waiting: { after: { backoff: 'publishing' } },
              up: {
                initial: 'alive',
                entry: enqueueActions(({ context, enqueue }) => {
                  if (context.linked) return
                  enqueue.raise(
                    { type: 'LINK_OVERDUE', session: context.session },
                    { id: 'linkOverdue', delay: linkPatience.connecting },
                  )
                }),
                exit: cancel('linkOverdue'),
                on: {
                  LINK: [
                    {
                      guard: linkSays('connected'),
                      actions: [assign({ linked: true }), 'forgetFailures', cancel('linkOverdue')],
                    },
                    {
                      guard: linkSays('disconnected'),
                      target: '.checking',
                      actions: [
                        assign({ linked: false }),
                        cancel('linkOverdue'),
                        raise(({ context }) => ({ type: 'LINK_OVERDUE' as const, session: context.session }), {
                          id: 'linkOverdue',
                          delay: linkPatience.disconnected,
                        }),
                      ],
                    },
                    {
                      guard: linkSays('failed', 'closed'),
                      target: 'waiting',
                      actions: {
                        type: 'countFailure',
                        params: { error: new Error('The link to the server failed.') },
                      },
                    },
                  ],
                  LINK_OVERDUE: { guard: 'isThisLink', target: 'publishing' },
                },
                states: {
                  alive: { after: { checkPeriod: 'checking' } },
                  checking: {
                    invoke: {
                      src: 'checkSession',
                      input: ({ context }) => context.location ?? '',
                      onDone: [
                        { guard: ({ context }) => context.linked, target: 'alive', actions: 'forgetFailures' },
                        { target: 'alive' },
                      ],
                      onError: [
                        {
                          guard: ({ event }) => sessionIsGone(setbackOf(event.error)),
                          target: '#desk.airing.session.publishing',
                          actions: assign({ location: null }),
                        },
                        {
                          guard: ({ event }) => setbackOf(event.error).kind === 'unreachable',
                          target: 'doubtful',
                          actions: { type: 'countFailure', params: ({ event }) => ({ error: event.error }) },
                        },
                        // A slow or odd answer proves nothing: the link itself will tell.
                        { target: 'alive' },
                      ],
                    },
                  },
                  // The server is not there, or its HTTP side alone: ask until it says which.
                  doubtful: { after: { backoff: 'checking' } },
                },
              },
            },
          },

          encoder: {
            initial: 'settled',
            states: {
              settled: { always: { guard: 'encoderBehind', target: 'applying' } },
              applying: {
                entry: assign({ encoding: ({ context }) => context.encode }),
                invoke: {
                  src: 'setEncoding',
                  input: ({ context }) => context.encode,
                  onDone: 'settled',
                  onError: {
                    target: '#desk.stopping',
                    actions: {
                      type: 'keepOutcome',
                      params: ({ event }) => ({ why: 'browser' as const, sentence: setbackOf(event.error).sentence }),
                    },
                  },
                },
              },
            },
          },

          poll: {
            initial: 'resting',
            // What the server wants may have changed while the desk was away.
            on: { PUBLISHED: '.reading' },
            states: {
              resting: { after: { statePeriod: 'reading' } },
              reading: {
                invoke: {
                  src: 'readState',
                  onDone: {
                    target: 'resting',
                    actions: assign({ state: ({ event }) => event.output, encode: ({ event }) => event.output.encode }),
                  },
                  onError: [
                    {
                      guard: ({ event }) => (givesUp(setbackOf(event.error))?.why ?? 'browser') !== 'browser',
                      target: '#desk.stopping',
                      actions: {
                        type: 'keepOutcome',
                        params: ({ event }) => givesUp(setbackOf(event.error)) as DeskOutcome,
                      },
                    },
                    { target: 'resting' },
                  ],
                },
              },
            },
          },

          stills: {
            initial: 'beside',
            states: {
              beside: {
                always: { guard: 'encodesNothing', target: 'sending' },
                after: { stillBeside: 'sending' },
              },
              instead: {
                always: { guard: 'encodes', target: 'beside' },
                after: { stillInstead: 'sending' },
              },
              // One that is refused (the curtain is up) or lost is followed by the next.
              sending: { invoke: { src: 'sendStill', onDone: 'instead', onError: 'instead' } },
            },
          },

          ticket: {
            initial: 'fresh',
            states: {
              fresh: { after: { renewal: 'renewing' } },
              renewing: {
                invoke: {
                  src: 'renewTicket',
                  onDone: {
                    target: 'fresh',
                    actions: assign({ mintedAt: () => ports.now(), expiresAt: ({ event }) => event.output.expiresAt }),
                  },
                  // An hour is left: a refusal now may be an agreement in a minute.
                  onError: 'failing',
                },
              },
              failing: { after: { renewalRetry: 'renewing' } },
            },
          },
        },
      },

      stopping: {
        invoke: {
          src: 'closeDown',
          input: ({ context }) => ({ location: context.location }),
          onDone: 'stopped',
          onError: 'stopped',
        },
        on: { STOP: {} },
      },
      stopped: { type: 'final' },
    },
    output: ({ context }) => context.outcome ?? { why: 'asked', sentence: 'The desk was stopped.' },
  })
}

/** A guard: the link report is of the current session and says one of `states`. */
function linkSays(...states: string[]) {
  return ({ context, event }: { context: DeskContext; event: DeskEvent }) =>
    event.type === 'LINK' && event.session === context.session && states.includes(event.state)
}
