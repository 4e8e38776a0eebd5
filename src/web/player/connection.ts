import { type ActorRefFrom, assign, raise, sendTo } from 'xstate'
import type { ClientMessage } from '../../contracts/broadcast.ts'
import { type ConnectionContext, connectionSetup, mediaOf } from './connection-setup.ts'
import type { LinkPlan } from './media.ts'
import { sentences } from './sentences.ts'
import { ticketRegion } from './ticket-region.ts'

/**
 * The player's statechart. Four regions that run side by side:
 *
 *     wire     open { opening ▸ joining ▸ joined ▸ leaving } ⇄ backingOff, unadmitted ▸ refused, over
 *     media    idle ▸ preparing ▸ asking ▸ linked { connecting ▸ up ⇄ shaky } ⇄ retrying
 *     curtain  down ⇄ up
 *     ticket   none, unsure ▸ renewing ⇄ good, retrying ▸ minting ⇄ mintRetrying ▸ ending, done
 *
 * The link outlives the wire: a socket that breaks and comes back leaves the picture alone.
 * Effects (socket, link, picture, page, device, tickets) are provided by createPlayer.
 */
export const connectionMachine = connectionSetup.createMachine({
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
    term: null,
    ticketFailures: 0,
    ticketRetryAfter: null,
    minted: false,
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
              { guard: 'ticketClose', target: 'unadmitted' },
              { guard: 'refusedClose', target: 'refused', actions: 'refuse' },
              { target: 'backingOff' },
            ],
            'wire.silent': 'backingOff',
            'page.offline': 'backingOff',
            'ticket.refused': { target: 'refused', actions: 'refuse' },
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
                'ticket.minted': '#player.wire.reopening',
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
                  { guard: 'ticketProblem', target: '#player.wire.unadmitted' },
                  { guard: 'refusedProblem', target: '#player.wire.refused', actions: 'refuse' },
                  { guard: 'joinProblem', target: '#player.wire.backingOff' },
                ],
              },
              after: { silence: { actions: raise({ type: 'wire.silent' }) } },
            },
            joined: {
              after: { settled: { actions: assign({ attempt: 0, minted: false }) } },
              on: {
                // A socket joins once: the new ticket goes in by another one, and the viewer with its picture resumes.
                'ticket.minted': '#player.wire.reopening',
                'server.stream': [
                  { guard: 'endedView', target: '#player.wire.over', actions: 'keepView' },
                  { actions: 'keepView' },
                ],
                'server.rejoin': { target: 'joining', actions: assign({ viewer: null }) },
                'page.leaving': 'leaving',
                'server.problem': [
                  { guard: 'ticketProblem', target: '#player.wire.unadmitted' },
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
          on: { 'page.awake': 'open', 'ticket.refused': { target: 'refused', actions: 'refuse' } },
        },
        /** Through here and not straight into `open` again: its socket must be another one. */
        reopening: { always: 'open' },
        /** The server wants a ticket, or another one. What was watched is gone from it, and leaves the screen. */
        unadmitted: {
          entry: [assign({ viewer: null, attempt: 0 }), raise({ type: 'ticket.wanted' })],
          on: { 'ticket.minted': 'open', 'ticket.refused': { target: 'refused', actions: 'refuse' } },
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
        'ticket.wanted': '.idle',
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
          on: { 'server.joined': {}, 'ticket.wanted': {} },
        },
        done: { entry: assign({ trouble: null, audio: false }), on: { 'server.joined': {}, 'ticket.wanted': {} } },
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

    ticket: ticketRegion,
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
