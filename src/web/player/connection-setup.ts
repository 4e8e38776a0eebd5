import { assign, fromCallback, fromPromise, setup, stateIn } from 'xstate'
import type { ClientMessage, closeCodes, PlayerView, ServerMessage } from '../../contracts/broadcast.ts'
import type { ProblemCode } from '../../contracts/problem.ts'
import type { LinkFact, LinkPlan } from './media.ts'
import type { PageFact } from './page-signals.ts'
import type { PictureFact } from './picture.ts'
import { sentences } from './sentences.ts'
import type { TicketAnswer } from './view-tickets.ts'

/** Who wants to watch what. */
export interface ConnectionInput {
  readonly url: string
  readonly stream: string
  /** A view ticket. */
  readonly vt?: string
  /** The key of an unlisted stream's link. */
  readonly k?: string
}

/** What is known of how long the view ticket stands, on this machine's clock. */
export interface TicketTerm {
  readonly renewAt: number
  readonly endsAt: number
  /** It lives no longer than that: the next one has to be minted. */
  readonly final: boolean
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
  /** `null`: not known, or known to be over. */
  readonly term: TicketTerm | null
  /** Requests for a ticket in a row that got no answer to go by. */
  readonly ticketFailures: number
  /** How long the server wants us to wait before the next one. */
  readonly ticketRetryAfter: number | null
  /** A ticket was minted, and no join by it has stood for a while yet: another one would not help. */
  readonly minted: boolean
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
  /** The server wants a view ticket, or another one than ours. */
  | { type: 'ticket.wanted' }
  /** Of the ticket to the other regions: `vt` is a new one; there is none to be had. */
  | { type: 'ticket.minted' }
  | { type: 'ticket.refused' }

export interface SendCommand {
  type: 'send'
  message: ClientMessage
}

/** A ticket's answer as the chart keeps it: {@link TicketAnswer} with its times on this machine's clock. */
export type TicketOutcome =
  | { readonly type: 'granted'; readonly ticket: string; readonly term: TicketTerm }
  | Exclude<TicketAnswer, { type: 'granted' }>

/** The close codes of a refusal. Spelt out as types: the contract's values bring a schema library along. */
type RefusedClose = (typeof closeCodes)['viewTicketRequired' | 'notFound']
const ticketClose: RefusedClose = 4003
const notFoundClose: RefusedClose = 4004

/** With these it is the ticket that is wrong: another one may do. */
const ticketCodes: ReadonlySet<string> = new Set<ProblemCode>([
  'view_ticket_required',
  'invalid_view_ticket',
  'sign_in_required',
])
const refusedCodes: ReadonlySet<string> = new Set<ProblemCode>(['forbidden', 'not_found'])

/** The publication to watch now. */
export function mediaOf(view: PlayerView | null): number | null {
  return view?.stream.state === 'live' ? view.media : null
}

function viewOf(event: ConnectionEvent): PlayerView | null {
  return event.type === 'server.joined' || event.type === 'server.stream' ? event.message : null
}

const unprovided = () => {
  throw new Error('provided where the machine is started')
}

/**
 * What the chart is made of. Every effect, and all that asks the clock or leaves something to
 * chance, is provided by createPlayer.
 */
export const connectionSetup = setup({
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
    renewTicket: fromPromise<TicketOutcome, { ticket: string }>(unprovided),
    mintTicket: fromPromise<TicketOutcome, { key: string | null }>(unprovided),
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
      refusal: ({ context, event }) =>
        context.view !== null
          ? sentences.noLonger
          : event.type === 'ticket.refused'
            ? sentences.ticketNeeded
            : sentences.notYours,
    }),
    forgetTerm: assign({ term: null }),
    countTicketFailure: assign({ ticketFailures: ({ context }) => context.ticketFailures + 1 }),
    forgetTicketFailures: assign({ ticketFailures: 0, ticketRetryAfter: null }),
  },
  guards: {
    wireJoined: stateIn({ wire: { open: 'joined' } }),
    ourJoin: ({ context, event }) => event.type === 'server.joined' && event.message.id === context.joinId,
    endedView: ({ event }) => viewOf(event)?.stream.state === 'ended',
    curtainUp: ({ event }) => viewOf(event)?.stream.curtain.up === true,
    curtainDown: ({ event }) => viewOf(event)?.stream.curtain.up === false,
    refusedClose: ({ event }) => event.type === 'socket.closed' && event.code === notFoundClose,
    refusedProblem: ({ event }) => event.type === 'server.problem' && refusedCodes.has(event.message.code),
    ticketClose: ({ event }) => event.type === 'socket.closed' && event.code === ticketClose,
    ticketProblem: ({ event }) => event.type === 'server.problem' && ticketCodes.has(event.message.code),
    hasTicket: ({ context }) => context.vt !== undefined,
    ticketFinal: ({ context }) => context.term?.final === true,
    minted: ({ context }) => context.minted,
    /** The ticket's renewal is due by the clock, whatever the timers say: the page may have slept. */
    renewalDue: unprovided,
    /** As far as we know the ticket is still good. */
    ticketStands: unprovided,
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
    backoff: unprovided,
    ticketBackoff: unprovided,
    /** Until the ticket is to be renewed. */
    renewal: unprovided,
    /** Until the ticket's end. */
    ticketEnd: unprovided,
    /** A request for a ticket that is not answered by then is given up. */
    ticketSilence: 10_000,
    /** A socket that says nothing for so long is lost. */
    silence: 5000,
    /** A socket that stood for so long has earned a fresh start of the backoff. */
    settled: 5000,
    /** A link that has not come up by then does not. */
    linkTimeout: 10_000,
    shakyFor: 3000,
    retry: ({ context }) => Math.min(4000, 1000 * 2 ** Math.max(0, context.linkFailures - 1)),
  },
})
