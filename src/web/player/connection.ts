import { type ActorRefFrom, assign, fromCallback, fromPromise, raise, sendTo, setup, stateIn } from 'xstate'
import type { ClientMessage, closeCodes, PlayerView, ServerMessage } from '../../contracts/broadcast.ts'
import type { ProblemCode } from '../../contracts/problem.ts'
import type { LinkFact, LinkPlan } from './media.ts'
import type { PageFact } from './page-signals.ts'
import type { PictureFact } from './picture.ts'
import { sentences } from './sentences.ts'

/** Who wants to watch what. */
export interface ConnectionInput {
  readonly url: string
  readonly stream: string
  readonly vt?: string
  readonly k?: string
}

/** All that the player knows. Plain data: the socket, the link and the picture are elsewhere. */
export interface ConnectionContext extends ConnectionInput {
  /** Our name on the server, for `resume`. */
  readonly viewer: string | null
  readonly view: PlayerView | null
  readonly routerCapabilities: Record<string, unknown>
  readonly capabilities: Record<string, unknown>
  /** Tries since the socket last stood for a while. */
  readonly attempt: number
  readonly lastId: number
  readonly joinId: number
  readonly consumeId: number
  readonly connectId: number
  /** The publication that was asked for last. */
  readonly asked: number | null
  readonly plan: LinkPlan | null
  /** Links in a row that did not come up. */
  readonly linkFailures: number
  /** Why there is no more trying. */
  readonly refusal: string | null
  /** Why there is a stream but no picture. */
  readonly trouble: string | null
  /** A frame of now is on the screen. */
  readonly fresh: boolean
  readonly audio: boolean
  /** The browser wants a click before it plays. */
  readonly blocked: boolean
}

type Named<T extends ServerMessage['type']> = Extract<ServerMessage, { type: T }>
type ServerEvent = { [T in ServerMessage['type']]: { type: `server.${T}`; message: Named<T> } }[ServerMessage['type']]

export type ConnectionEvent =
  | { type: 'socket.opened' }
  | { type: 'socket.closed'; code: number }
  | ServerEvent
  | LinkFact
  | PictureFact
  | PageFact
  /** Of the wire to the other regions. */
  | { type: 'wire.lost' }
  | { type: 'wire.over' }
  | { type: 'wire.silent' }

export interface SendCommand {
  type: 'send'
  message: ClientMessage
}

const first = 250
const most = 4000

/** How long to wait before try number `attempt` (1, 2, …): doubling, with half of it left to chance. */
export function backoffMs(attempt: number, chance: number): number {
  const whole = Math.min(most, first * 2 ** Math.max(0, attempt - 1))
  return Math.round(whole / 2 + (whole / 2) * chance)
}

/** The close codes that end all trying. Spelt out as types: the contract's values bring a schema library along. */
const refusedCloses: Record<(typeof closeCodes)['viewTicketRequired' | 'notFound'], string> = {
  4003: sentences.ticketNeeded,
  4004: sentences.notYours,
}

const refusedCodes: Partial<Record<ProblemCode, string>> = {
  invalid_view_ticket: sentences.ticketNeeded,
  sign_in_required: sentences.ticketNeeded,
  forbidden: sentences.notYours,
  not_found: sentences.notYours,
}

function refusalOfClose(code: number): string | null {
  return code === 4003 || code === 4004 ? refusedCloses[code] : null
}

function refusalOfProblem(code: string): string | null {
  return Object.hasOwn(refusedCodes, code) ? (refusedCodes[code as ProblemCode] ?? null) : null
}

/** The publication to watch now. */
function mediaOf(view: PlayerView | null): number | null {
  return view?.stream.state === 'live' ? view.media : null
}

function viewOf(event: ConnectionEvent): PlayerView | null {
  return event.type === 'server.joined' || event.type === 'server.stream' ? event.message : null
}

const unprovided = () => {
  throw new Error('provided where the machine is started')
}

/**
 * The player's statechart. Three regions that run side by side:
 *
 *     wire     open { opening ▸ joining ▸ joined ▸ leaving } ⇄ backingOff ▸ refused, over
 *     media    idle ▸ preparing ▸ asking ▸ linked { connecting ▸ up ⇄ shaky } ⇄ retrying
 *     curtain  down ⇄ up
 *
 * The link outlives the wire: a socket that breaks and comes back leaves the picture alone.
 * Effects (socket, link, picture, page, device) are provided by createPlayer.
 */
export const connectionMachine = setup({
  types: {
    context: {} as ConnectionContext,
    events: {} as ConnectionEvent,
    input: {} as ConnectionInput,
  },
  actors: {
    /** One WebSocket, from opening to close. */
    socket: fromCallback<SendCommand, { url: string }>(unprovided),
    /** One mediasoup transport. Told `accept` when the server has our DTLS half. */
    link: fromCallback<{ type: 'accept' }, LinkPlan>(unprovided),
    /** What this browser can receive. */
    device: fromPromise<Record<string, unknown>, { router: Record<string, unknown> }>(unprovided),
    picture: fromCallback<{ type: 'none' }>(unprovided),
    page: fromCallback<{ type: 'none' }>(unprovided),
  },
  actions: {
    concealPicture: unprovided,
    revealPicture: unprovided,
    clearPicture: unprovided,
    keepView: assign(({ event }) => {
      const view = viewOf(event)
      return view === null ? {} : { view: { stream: view.stream, media: view.media } }
    }),
    notFresh: assign({ fresh: false, blocked: false }),
    countFailure: assign({ linkFailures: ({ context }) => context.linkFailures + 1, trouble: sentences.blocked }),
    refuse: assign({
      refusal: ({ event }) =>
        event.type === 'socket.closed'
          ? refusalOfClose(event.code)
          : event.type === 'server.problem'
            ? refusalOfProblem(event.message.code)
            : null,
    }),
  },
  guards: {
    wireJoined: stateIn({ wire: { open: 'joined' } }),
    ourJoin: ({ context, event }) => event.type === 'server.joined' && event.message.id === context.joinId,
    endedView: ({ event }) => viewOf(event)?.stream.state === 'ended',
    curtainUp: ({ event }) => viewOf(event)?.stream.curtain.up === true,
    curtainDown: ({ event }) => viewOf(event)?.stream.curtain.up === false,
    refusedClose: ({ event }) => event.type === 'socket.closed' && refusalOfClose(event.code) !== null,
    refusedProblem: ({ event }) => event.type === 'server.problem' && refusalOfProblem(event.message.code) !== null,
    joinProblem: ({ context, event }) => event.type === 'server.problem' && event.message.id === context.joinId,
    consumeProblem: ({ context, event }) => event.type === 'server.problem' && event.message.id === context.consumeId,
    connectProblem: ({ context, event }) => event.type === 'server.problem' && event.message.id === context.connectId,
    viewerLost: ({ event }) => event.type === 'server.problem' && event.message.code === 'session_not_found',
    noCodec: ({ context, event }) =>
      event.type === 'server.problem' &&
      event.message.id === context.consumeId &&
      event.message.code === 'no_compatible_codecs',
    ourConsumed: ({ context, event }) => event.type === 'server.consumed' && event.message.id === context.consumeId,
    ourConnected: ({ context, event }) => event.type === 'server.connected' && event.message.id === context.connectId,
    somethingToWatch: ({ context, event }) => mediaOf(viewOf(event) ?? context.view) !== null,
    sameMedia: ({ context, event }) => {
      const view = viewOf(event)
      return view !== null && mediaOf(view) === context.asked
    },
    resumedSame: ({ context, event }) =>
      event.type === 'server.joined' && event.message.resumed && mediaOf(event.message) === context.asked,
    linkConnected: ({ event }) => event.type === 'link.state' && event.state === 'connected',
    linkDisconnected: ({ event }) => event.type === 'link.state' && event.state === 'disconnected',
    linkFailed: ({ event }) => event.type === 'link.state' && event.state === 'failed',
  },
  delays: {
    backoff: ({ context }) => backoffMs(context.attempt, Math.random()),
    /** A socket that says nothing for so long is lost. */
    silence: 5000,
    /** A socket that stood for so long has earned a fresh start of the backoff. */
    settled: 5000,
    /** A link that has not come up by then does not. */
    linkTimeout: 10_000,
    shakyFor: 3000,
    retry: ({ context }) => Math.min(most, 1000 * 2 ** Math.max(0, context.linkFailures - 1)),
  },
}).createMachine({
  id: 'player',
  context: ({ input }) => ({
    ...input,
    viewer: null,
    view: null,
    routerCapabilities: {},
    capabilities: {},
    attempt: 0,
    lastId: 0,
    joinId: -1,
    consumeId: -1,
    connectId: -1,
    asked: null,
    plan: null,
    linkFailures: 0,
    refusal: null,
    trouble: null,
    fresh: false,
    audio: false,
    blocked: false,
  }),
  type: 'parallel',
  invoke: [{ src: 'picture' }, { src: 'page' }],
  on: {
    'picture.fresh': { actions: assign({ fresh: true, blocked: false, trouble: null }) },
    'picture.blocked': { actions: assign({ blocked: true }) },
    'picture.played': { actions: assign({ blocked: false }) },
    'link.tracks': { actions: assign({ audio: ({ event }) => event.audio }) },
  },
  states: {
    wire: {
      initial: 'open',
      states: {
        open: {
          entry: assign({ attempt: ({ context }) => context.attempt + 1 }),
          exit: raise({ type: 'wire.lost' }),
          invoke: { id: 'socket', src: 'socket', input: ({ context }) => ({ url: context.url }) },
          on: {
            'socket.closed': [
              { guard: 'refusedClose', target: 'refused', actions: 'refuse' },
              { target: 'backingOff' },
            ],
            'wire.silent': 'backingOff',
            'page.offline': 'backingOff',
          },
          initial: 'opening',
          states: {
            opening: {
              on: { 'socket.opened': 'joining' },
              after: { silence: { actions: raise({ type: 'wire.silent' }) } },
            },
            joining: {
              entry: [
                assign({ lastId: ({ context }) => context.lastId + 1, joinId: ({ context }) => context.lastId + 1 }),
                sendTo('socket', ({ context }) => ({ type: 'send', message: joinMessage(context) })),
              ],
              on: {
                'server.joined': [
                  {
                    guard: ({ context, event }) =>
                      event.message.id === context.joinId && event.message.stream.state === 'ended',
                    target: '#player.wire.over',
                    actions: 'keepView',
                  },
                  {
                    guard: 'ourJoin',
                    target: 'joined',
                    actions: [
                      'keepView',
                      assign({
                        viewer: ({ event }) => event.message.viewer,
                        routerCapabilities: ({ event }) => event.message.rtpCapabilities,
                      }),
                    ],
                  },
                ],
                'server.problem': [
                  { guard: 'refusedProblem', target: '#player.wire.refused', actions: 'refuse' },
                  { guard: 'joinProblem', target: '#player.wire.backingOff' },
                ],
              },
              after: { silence: { actions: raise({ type: 'wire.silent' }) } },
            },
            joined: {
              after: { settled: { actions: assign({ attempt: 0 }) } },
              on: {
                'server.stream': [
                  { guard: 'endedView', target: '#player.wire.over', actions: 'keepView' },
                  { actions: 'keepView' },
                ],
                'server.rejoin': { target: 'joining', actions: assign({ viewer: null }) },
                'page.leaving': 'leaving',
                'server.problem': [
                  { guard: 'refusedProblem', target: '#player.wire.refused', actions: 'refuse' },
                  // A `rejoin` that did not reach us. By way of the backoff, so that it cannot spin.
                  { guard: 'viewerLost', target: '#player.wire.backingOff', actions: assign({ viewer: null }) },
                ],
              },
            },
            /**
             * Says so, that the count of viewers falls at once and not when the socket is missed.
             * A state of its own, because a transition's actions come after the socket's stop.
             */
            leaving: {
              entry: [sendTo('socket', { type: 'send', message: { type: 'leave' } }), assign({ viewer: null })],
              always: '#player.wire.backingOff',
            },
          },
        },
        backingOff: {
          after: { backoff: 'open' },
          on: { 'page.awake': 'open' },
        },
        /** No more trying: `refusal` says why. */
        refused: { entry: [assign({ view: null, viewer: null }), raise({ type: 'wire.over' })] },
        /** The stream has ended, for good. */
        over: { entry: raise({ type: 'wire.over' }) },
      },
    },

    media: {
      initial: 'idle',
      on: {
        'wire.over': '.done',
        'server.rejoin': '.idle',
        // Whoever is not resumed has nothing on the server: from the start.
        'server.joined': { guard: 'ourJoin', target: '.preparing' },
      },
      states: {
        /** Nothing to watch, or no wire to ask with. */
        idle: {
          entry: assign({ asked: null, plan: null, trouble: null, audio: false }),
          on: { 'server.stream': { guard: 'somethingToWatch', target: 'preparing' } },
        },
        /** Also while waiting for the desk: then the picture comes sooner. */
        preparing: {
          invoke: {
            src: 'device',
            input: ({ context }) => ({ router: context.routerCapabilities }),
            onDone: { target: 'choosing', actions: assign({ capabilities: ({ event }) => event.output }) },
            onError: 'unsupported',
          },
        },
        choosing: {
          always: [
            { guard: ({ context }) => mediaOf(context.view) === null, target: 'idle' },
            { guard: 'wireJoined', target: 'asking' },
            { target: 'idle' },
          ],
        },
        asking: {
          entry: [
            assign({
              lastId: ({ context }) => context.lastId + 1,
              consumeId: ({ context }) => context.lastId + 1,
              asked: ({ context }) => mediaOf(context.view),
            }),
            sendTo('socket', ({ context }) => ({ type: 'send', message: consumeMessage(context) })),
          ],
          on: {
            'server.consumed': {
              guard: 'ourConsumed',
              target: 'linked',
              actions: assign({
                plan: ({ event }) => ({ transport: event.message.transport, consumers: event.message.consumers }),
              }),
            },
            'server.problem': [
              { guard: 'noCodec', target: 'incompatible' },
              { guard: 'consumeProblem', target: 'retrying' },
            ],
            'server.stream': [
              { guard: 'sameMedia' },
              { guard: 'somethingToWatch', target: 'choosing' },
              { target: 'idle' },
            ],
            'wire.lost': 'idle',
          },
          after: { silence: { actions: raise({ type: 'wire.silent' }) } },
        },
        linked: {
          invoke: { id: 'link', src: 'link', input: ({ context }) => context.plan as LinkPlan },
          exit: ['clearPicture', 'notFresh'],
          on: {
            'link.dtls': {
              guard: 'wireJoined',
              actions: [
                assign({ lastId: ({ context }) => context.lastId + 1, connectId: ({ context }) => context.lastId + 1 }),
                sendTo('socket', ({ context, event }) => ({
                  type: 'send',
                  message: {
                    type: 'connect',
                    id: context.connectId,
                    media: context.asked ?? 0,
                    dtlsParameters: event.dtlsParameters,
                  },
                })),
              ],
            },
            'server.connected': { guard: 'ourConnected', actions: sendTo('link', { type: 'accept' }) },
            'server.problem': { guard: 'connectProblem', target: 'retrying' },
            'server.joined': [{ guard: 'resumedSame' }, { guard: 'ourJoin', target: 'preparing' }],
            'server.stream': [
              { guard: 'sameMedia' },
              { guard: 'somethingToWatch', target: 'choosing' },
              { target: 'idle' },
            ],
            'link.state': { guard: 'linkFailed', target: 'retrying', actions: 'countFailure' },
          },
          initial: 'connecting',
          states: {
            connecting: {
              on: {
                'link.state': [
                  { guard: 'linkConnected', target: 'up' },
                  { guard: 'linkFailed', target: '#player.media.retrying', actions: 'countFailure' },
                ],
                // The `connect` or its answer is lost with the wire: nothing here is worth keeping.
                'wire.lost': '#player.media.idle',
              },
              after: { linkTimeout: { target: '#player.media.retrying', actions: 'countFailure' } },
            },
            up: {
              entry: assign({ linkFailures: 0, trouble: null }),
              on: {
                'link.state': [
                  { guard: 'linkDisconnected', target: 'shaky' },
                  { guard: 'linkFailed', target: '#player.media.retrying' },
                ],
              },
            },
            shaky: {
              on: {
                'link.state': [
                  { guard: 'linkConnected', target: 'up' },
                  { guard: 'linkFailed', target: '#player.media.retrying' },
                ],
              },
              after: { shakyFor: '#player.media.retrying' },
            },
          },
        },
        retrying: {
          on: {
            'server.stream': [{ guard: 'somethingToWatch', target: 'choosing' }, { target: 'idle' }],
            'page.awake': 'choosing',
          },
          after: { retry: 'choosing' },
        },
        /** This browser does not play what this publication sends; another publication may do. */
        incompatible: {
          entry: assign({ trouble: sentences.noCodec }),
          on: { 'server.stream': [{ guard: 'sameMedia' }, { target: 'choosing' }] },
        },
        /** No WebRTC: the page still tells how the stream stands. */
        unsupported: {
          entry: assign({ trouble: sentences.noWebRtc }),
          on: { 'server.joined': {} },
        },
        done: { entry: assign({ trouble: null, audio: false }), on: { 'server.joined': {} } },
      },
    },

    curtain: {
      initial: 'down',
      states: {
        down: {
          on: {
            'server.joined': { guard: 'curtainUp', target: 'up' },
            'server.stream': { guard: 'curtainUp', target: 'up' },
          },
        },
        up: {
          entry: ['concealPicture', 'notFresh'],
          exit: 'revealPicture',
          on: {
            'server.joined': { guard: 'curtainDown', target: 'down' },
            'server.stream': { guard: 'curtainDown', target: 'down' },
          },
        },
      },
    },
  },
})

export type ConnectionActor = ActorRefFrom<typeof connectionMachine>

function joinMessage(context: ConnectionContext): ClientMessage {
  return {
    type: 'join',
    id: context.joinId,
    stream: context.stream,
    ...(context.vt === undefined ? {} : { vt: context.vt }),
    ...(context.k === undefined ? {} : { k: context.k }),
    ...(context.viewer === null ? {} : { resume: context.viewer }),
  }
}

function consumeMessage(context: ConnectionContext): ClientMessage {
  return {
    type: 'consume',
    id: context.consumeId,
    media: context.asked ?? 0,
    rtpCapabilities: context.capabilities,
  }
}
