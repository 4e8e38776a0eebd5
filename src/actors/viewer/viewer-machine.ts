import { assign, cancel, fromCallback, fromPromise, raise, sendParent, sendTo, setup } from 'xstate'
import type { ConsumerOptions, TransportOptions } from '../../contracts/broadcast.ts'
import { type Refusal, refuse } from '../../contracts/problem.ts'
import { type Answer, answerAsk, answered, refused } from '../ask/answer.ts'
import { refusalOfError } from '../ask/refusal-of-error.ts'
import { decide } from '../decide.ts'
import type { IcePatch } from '../ice-session/ice-patch.ts'
import { iceSessionMachine } from '../ice-session/ice-session-machine.ts'
import type { IceSession, ViewerFact } from '../ports/media.ts'

export interface ViewerInput {
  readonly stream: string
  readonly viewer: string
  readonly via: 'socket' | 'whep'
  /** The curtain is up. */
  readonly held: boolean
  /** The view ticket that it came with (SHA-256), and until when that lets it watch. */
  readonly admitted: { readonly ticket: string; readonly until: number } | null
}

/** What the viewer asked to receive, and the ask to answer when it is set up. */
export type ViewerOpening =
  | { readonly ask: string; readonly kind: 'socket'; readonly rtpCapabilities: Record<string, unknown> }
  | { readonly ask: string; readonly kind: 'whep'; readonly offer: string }

export type ViewerEvent =
  | { readonly type: 'open'; readonly opening: ViewerOpening }
  | { readonly type: 'connect'; readonly ask: string; readonly dtlsParameters: Record<string, unknown> }
  | ({ readonly type: 'patch'; readonly ask: string } & IcePatch)
  /** The curtain went up, or came down. */
  | { readonly type: 'hold' }
  | { readonly type: 'release' }
  /** The publication is gone, and all that was consumed of it. */
  | { readonly type: 'media.lost' }
  | { readonly type: 'attach'; readonly wire: string; readonly admitted: ViewerInput['admitted'] }
  /** A view ticket was renewed; perhaps this viewer's. */
  | { readonly type: 'renew'; readonly ticket: string; readonly until: number }
  | { readonly type: 'admission.due' }
  | { readonly type: 'detach'; readonly wire: string }
  | { readonly type: 'wire.lost' }
  | { readonly type: 'leave' }
  | { readonly type: 'fact'; readonly fact: ViewerFact }

export interface ViewerReport {
  readonly type: 'viewer.gone'
  readonly viewer: string
  /** `expired`: its view ticket ran out with no renewal. */
  readonly why: 'left' | 'expired'
}

interface ViewerContext extends ViewerInput {
  /** The wire that it has now. One that was replaced may take its time to break. */
  readonly wire: string
  readonly opening: ViewerOpening | null
  /** Its ICE session has an actor, which takes patches. */
  readonly patchable: boolean
  readonly connecting: { readonly ask: string; readonly dtlsParameters: Record<string, unknown> } | null
}

export type OpenedViewer =
  | { readonly answer: string; readonly ice: IceSession }
  | { readonly transport: TransportOptions; readonly consumers: readonly ConsumerOptions[] }

/** What who asked to open is told: of the ICE session only its tag. */
function shown(opened: OpenedViewer) {
  return 'ice' in opened ? { answer: opened.answer, tag: opened.ice.tag } : opened
}

/** How long a socket may be away before its viewer counts as gone. */
export const wireGrace = 5000
/** How long a viewer's link may take to come up, or to come back. */
export const linkTimeout = 15_000

const closedWhileOpening: Refusal = refuse(
  'not_live',
  'The desk went off air while the session was being set up. Try again when the stream is live.',
  2,
)

/**
 * One viewer, by our player's socket or by WHEP. `joining` until its link is up; then the
 * curtain decides between `watching` and `held`. Its consumers are made paused and started
 * when it first watches: one created flowing would lose its key frame.
 */
export function createViewerMachine({ now }: { now: () => number }) {
  return setup({
    types: { context: {} as ViewerContext, input: {} as ViewerInput, events: {} as ViewerEvent },
    actors: {
      iceSession: iceSessionMachine,
      openViewer: fromPromise<OpenedViewer, { stream: string; viewer: string; opening: ViewerOpening }>(async () => {
        throw new Error('openViewer is not provided')
      }),
      connectViewer: fromPromise<void, { stream: string; viewer: string; dtlsParameters: Record<string, unknown> }>(
        async () => {
          throw new Error('connectViewer is not provided')
        },
      ),
      startViewer: fromPromise<void, { stream: string; viewer: string }>(async () => {
        throw new Error('startViewer is not provided')
      }),
      observeViewer: fromCallback<{ type: 'none' }, { viewer: string }>(() => {
        throw new Error('observeViewer is not provided')
      }),
    },
    guards: {
      isHeld: ({ context }) => context.held,
      isItsWire: ({ context, event }) => event.type === 'detach' && event.wire === context.wire,
      isWhep: ({ context }) => context.via === 'whep',
      isPatchable: ({ context }) => context.patchable,
      factIs: ({ event }, { type }: { type: ViewerFact['type'] }) => event.type === 'fact' && event.fact.type === type,
    },
    actions: {
      /** Provided: closes what is open for the viewer. */
      closeMedia: (_: { context: ViewerContext }) => {},
      rememberOpening: assign(({ event }) => (event.type === 'open' ? { opening: event.opening } : {})),
      rememberConnect: assign(({ event }) =>
        event.type === 'connect' ? { connecting: { ask: event.ask, dtlsParameters: event.dtlsParameters } } : {},
      ),
      markHeld: assign({ held: true }),
      markReleased: assign({ held: false }),
      /** Answers who asked to open, if that ask is still unanswered. */
      answerOpening: decide<ViewerContext, ViewerEvent, { answer: Answer }>(({ context, enqueue }, { answer }) => {
        if (context.opening === null) return
        enqueue(answerAsk(context.opening.ask, answer))
        enqueue.assign({ opening: null })
      }),
      /** Answers who asked to connect, if that ask is still unanswered. */
      answerConnect: decide<ViewerContext, ViewerEvent, { answer: Answer }>(({ context, enqueue }, { answer }) => {
        if (context.connecting === null) return
        enqueue(answerAsk(context.connecting.ask, answer))
        enqueue.assign({ connecting: null })
      }),
      /** An event that came out of order carries an ask of its own: answer that one. */
      refuseEvent: decide<ViewerContext, ViewerEvent, { detail: string }>(({ event, enqueue }, { detail }) => {
        const ask = event.type === 'open' ? event.opening.ask : event.type === 'connect' ? event.ask : null
        if (ask !== null) enqueue(answerAsk(ask, refused(refuse('wrong_order', detail))))
      }),
      refusePatch: decide<ViewerContext, ViewerEvent>(({ event, enqueue }) => {
        const refusal = refuse('session_not_found', 'There is no such session. Start a new one.')
        if (event.type === 'patch') enqueue(answerAsk(event.ask, refused(refusal)))
      }),
      /** A WHEP session has an ICE session that can be patched; our own player asks anew instead. */
      startIce: decide<ViewerContext, ViewerEvent, { opened: OpenedViewer }>(({ context, enqueue }, { opened }) => {
        if (!('ice' in opened)) return
        const input = { stream: context.stream, session: context.viewer, ...opened.ice }
        enqueue.spawnChild('iceSession', { id: 'ice', input })
        enqueue.assign({ patchable: true })
      }),
      /** Its last words: whoever waits for a restart is answered. */
      stopIce: decide<ViewerContext, ViewerEvent>(({ context, enqueue }) => {
        if (!context.patchable) return
        enqueue.sendTo('ice', { type: 'close' })
        enqueue.stopChild('ice')
        enqueue.assign({ patchable: false })
      }),
      tellGone: sendParent(
        ({ context, event }) =>
          ({
            type: 'viewer.gone',
            viewer: context.viewer,
            why: event.type === 'admission.due' ? 'expired' : 'left',
          }) satisfies ViewerReport,
      ),
      noteWire: assign(({ event }) => (event.type === 'attach' ? { wire: event.wire } : {})),
      noteAdmission: assign(({ context, event }) => {
        if (event.type === 'attach') return { admitted: event.admitted }
        if (event.type !== 'renew' || context.admitted?.ticket !== event.ticket) return {}
        return { admitted: { ticket: event.ticket, until: event.until } }
      }),
      armAdmission: decide<ViewerContext, ViewerEvent>(({ context, enqueue }) => {
        enqueue.cancel('admission')
        if (context.admitted === null) return
        const delay = Math.max(0, context.admitted.until - now())
        enqueue.raise({ type: 'admission.due' }, { id: 'admission', delay })
      }),
    },
    delays: { linkTimeout, wireGrace },
  }).createMachine({
    id: 'viewer',
    description: 'whoever watches, by socket or by WHEP',
    context: ({ input }) => ({ ...input, wire: input.viewer, opening: null, connecting: null, patchable: false }),
    entry: 'armAdmission',
    initial: 'waiting',
    on: {
      hold: { actions: 'markHeld' },
      release: { actions: 'markReleased' },
      attach: { actions: [cancel('wire'), 'noteWire', 'noteAdmission', 'armAdmission'] },
      renew: { actions: ['noteAdmission', 'armAdmission'] },
      'admission.due': '.gone',
      // Another timer under the same name would leave the first one running, with nobody to cancel it.
      detach: {
        guard: 'isItsWire',
        actions: [cancel('wire'), raise({ type: 'wire.lost' }, { delay: 'wireGrace', id: 'wire' })],
      },
      'wire.lost': '.gone',
      leave: '.gone',
      connect: {
        actions: { type: 'refuseEvent', params: { detail: 'Send consume first, and connect with what it answers.' } },
      },
      patch: { actions: 'refusePatch' },
    },
    states: {
      waiting: {
        description: 'nothing was asked for',
        on: { open: { target: 'opening', actions: 'rememberOpening' } },
      },
      opening: {
        description: 'its consumers are being made',
        entry: { type: 'answerConnect', params: { answer: refused(closedWhileOpening) } },
        invoke: {
          src: 'openViewer',
          input: ({ context }) => ({
            stream: context.stream,
            viewer: context.viewer,
            opening: context.opening as ViewerOpening,
          }),
          onDone: {
            target: 'linked',
            actions: [
              { type: 'startIce', params: ({ event }) => ({ opened: event.output }) },
              { type: 'answerOpening', params: ({ event }) => ({ answer: answered(shown(event.output)) }) },
            ],
          },
          onError: {
            target: 'unlinked',
            actions: {
              type: 'answerOpening',
              params: ({ event }) => ({ answer: refused(refusalOfError(event.error, 'media')) }),
            },
          },
        },
        on: {
          open: {
            actions: {
              type: 'refuseEvent',
              params: { detail: 'A session is being set up already. Await its answer.' },
            },
          },
          'media.lost': 'unlinked',
        },
      },
      linked: {
        description: 'the media layer holds its consumers',
        initial: 'joining',
        invoke: { src: 'observeViewer', input: ({ context }) => ({ viewer: context.viewer }) },
        exit: 'stopIce',
        on: {
          patch: { guard: 'isPatchable', actions: sendTo('ice', ({ event }) => event) },
          open: { target: 'opening', actions: 'rememberOpening' },
          'media.lost': 'unlinked',
          fact: [
            { guard: { type: 'factIs', params: { type: 'closed' } }, target: 'unlinked' },
            { guard: { type: 'factIs', params: { type: 'connected' } }, actions: cancel('link') },
            // Our player asks anew by itself; a WHEP player has no other way to say that it is gone.
            {
              guard: 'isWhep',
              actions: [cancel('link'), raise({ type: 'wire.lost' }, { delay: 'linkTimeout', id: 'link' })],
            },
          ],
        },
        states: {
          joining: {
            description: 'until its link is up',
            initial: 'waiting',
            after: { linkTimeout: '#viewer.unlinked' },
            on: {
              fact: { guard: { type: 'factIs', params: { type: 'connected' } }, target: 'up' },
            },
            states: {
              waiting: {
                description: 'for its DTLS half',
                on: { connect: { target: 'connecting', actions: 'rememberConnect' } },
              },
              connecting: {
                invoke: {
                  src: 'connectViewer',
                  input: ({ context }) => ({
                    stream: context.stream,
                    viewer: context.viewer,
                    dtlsParameters: context.connecting?.dtlsParameters ?? {},
                  }),
                  onDone: {
                    target: 'connected',
                    actions: { type: 'answerConnect', params: { answer: answered(null) } },
                  },
                  onError: {
                    target: 'waiting',
                    actions: {
                      type: 'answerConnect',
                      params: ({ event }) => ({ answer: refused(refusalOfError(event.error, 'media')) }),
                    },
                  },
                },
              },
              connected: { description: 'ICE and DTLS go on' },
            },
          },
          up: {
            description: 'held or not?',
            // The link can be up before the answer to `connect` has come back.
            entry: { type: 'answerConnect', params: { answer: answered(null) } },
            always: [{ guard: 'isHeld', target: 'held' }, { target: 'watching' }],
          },
          watching: {
            description: 'media flows',
            invoke: {
              src: 'startViewer',
              input: ({ context }) => ({ stream: context.stream, viewer: context.viewer }),
              onError: '#viewer.unlinked',
            },
            on: { hold: { target: 'held', actions: 'markHeld' } },
          },
          held: { description: 'the curtain is up', on: { release: { target: 'watching', actions: 'markReleased' } } },
        },
      },
      /** Nothing is open any more: our player may ask again, a WHEP session is over. */
      unlinked: {
        description: 'nothing is open',
        entry: [
          'closeMedia',
          { type: 'answerOpening', params: { answer: refused(closedWhileOpening) } },
          { type: 'answerConnect', params: { answer: refused(closedWhileOpening) } },
        ],
        always: [{ guard: 'isWhep', target: 'gone' }, { target: 'waiting' }],
      },
      gone: {
        description: 'the stream was told',
        type: 'final',
        entry: [
          'closeMedia',
          { type: 'answerOpening', params: { answer: refused(closedWhileOpening) } },
          { type: 'answerConnect', params: { answer: refused(closedWhileOpening) } },
          'tellGone',
        ],
      },
    },
  })
}
