import { type ActorOptions, createActor, fromCallback, fromPromise } from 'xstate'
import { backoffMs, ticketBackoff } from './backoff.ts'
import { connectionMachine } from './connection.ts'
import type { ConnectionEvent, SendCommand, TicketOutcome } from './connection-setup.ts'
import { createPlayerMedia, type LinkPlan, type PlayerMedia } from './media.ts'
import { type ObservePage, observePage } from './page-signals.ts'
import { createPicture, type Picture } from './picture.ts'
import { type PlayerState, presentPlayer } from './player-state.ts'
import { fetchViewTickets, renewalDelayMs, type TicketAnswer, type ViewTickets } from './view-tickets.ts'
import { type OpenSocket, openWebSocket, readServerMessage, writeClientMessage } from './wire.ts'

export type { PlayerPhase, PlayerState } from './player-state.ts'

export interface PlayerOptions {
  /** Where the picture goes. The player sets its source, and plays it muted unless told otherwise. */
  readonly video: HTMLVideoElement
  /** `ags_…` */
  readonly stream: string
  /** `wss://…/ws/broadcast` */
  readonly socketUrl: string
  /** A view ticket, `wvt_…`, where the stream needs one. The player renews it for as long as it watches. */
  readonly vt?: string
  /** The key of an unlisted stream's link: a new ticket is minted by it. Without it, by the browser's session. */
  readonly k?: string
}

export interface Player {
  readonly state: PlayerState
  /** Calls `listener` with every new state, and at once with the one of now. Returns what ends it. */
  subscribe(listener: (state: PlayerState) => void): () => void
  /** Starts the picture from a click, where the browser wants one. */
  play(): void
  /** Leaves the stream and lets go of the video element. */
  destroy(): void
}

/** What the player does its work with: the browser's own, or a test's. */
export interface PlayerEffects {
  readonly openSocket: OpenSocket
  readonly media: PlayerMedia
  readonly tickets: ViewTickets
  readonly picture: Picture
  readonly observePage: ObservePage
  readonly clock?: ActorOptions<typeof connectionMachine>['clock']
  /** Milliseconds since 1970; the browser's own when not given. */
  readonly now?: () => number
  /** 0 to 1, for backoff and renewal; left to chance when not given. */
  readonly chance?: number
}

/**
 * Watches a stream. Waits while it is idle, plays when the desk arrives, hides the picture
 * while the curtain is up and finds its way back after every loss by itself.
 */
export function createPlayer(options: PlayerOptions): Player {
  const { video } = options
  const server = new URL(options.socketUrl)
  server.protocol = server.protocol.replace('ws', 'http')
  const player = startPlayer(options, {
    openSocket: openWebSocket,
    media: createPlayerMedia(),
    tickets: fetchViewTickets(server.origin, options.stream),
    picture: createPicture(video),
    observePage,
  })
  return {
    get state() {
      return player.state
    },
    subscribe: player.subscribe,
    play() {
      video.play().catch(() => {
        // Refused again: the button is still there.
      })
    },
    destroy: player.destroy,
  }
}

/** {@link createPlayer} without a browser: for tests, with effects of their own. */
export function startPlayer(
  options: Omit<PlayerOptions, 'video'>,
  effects: PlayerEffects,
): Pick<Player, 'state' | 'subscribe' | 'destroy'> {
  const actor = createActor(provideEffects(effects), {
    input: {
      url: options.socketUrl,
      stream: options.stream,
      ...(options.vt === undefined ? {} : { vt: options.vt }),
      ...(options.k === undefined ? {} : { k: options.k }),
    },
    ...(effects.clock === undefined ? {} : { clock: effects.clock }),
  })
  actor.start()
  return {
    get state() {
      return presentPlayer(actor.getSnapshot())
    },
    subscribe(listener) {
      listener(presentPlayer(actor.getSnapshot()))
      const subscription = actor.subscribe((snapshot) => listener(presentPlayer(snapshot)))
      return () => subscription.unsubscribe()
    },
    destroy() {
      actor.send({ type: 'page.leaving' })
      actor.stop()
      effects.picture.clear()
    },
  }
}

function provideEffects(effects: PlayerEffects) {
  const { media, picture, tickets, now = Date.now } = effects
  const chance = () => effects.chance ?? Math.random()
  const outcomeOf = (answer: TicketAnswer): TicketOutcome => {
    if (answer.type !== 'granted') return answer
    const { ticket, standsFor, final } = answer
    const at = now()
    const term = { renewAt: at + renewalDelayMs(standsFor, chance()), endsAt: at + standsFor, final }
    return { type: 'granted', ticket, term }
  }
  return connectionMachine.provide({
    delays: {
      backoff: ({ context }) => backoffMs(context.attempt, chance()),
      ticketBackoff: ({ context }) =>
        (context.ticketRetryAfter ?? 0) + backoffMs(context.ticketFailures, chance(), ticketBackoff),
      renewal: ({ context }) => Math.max(0, (context.term?.renewAt ?? 0) - now()),
      ticketEnd: ({ context }) => Math.max(0, (context.term?.endsAt ?? 0) - now()),
    },
    guards: {
      renewalDue: ({ context }) => context.term === null || now() >= context.term.renewAt,
      ticketStands: ({ context }) => context.term !== null && now() < context.term.endsAt,
    },
    actions: {
      concealPicture: () => picture.conceal(),
      revealPicture: () => picture.reveal(),
      clearPicture: () => picture.clear(),
    },
    actors: {
      socket: fromCallback<SendCommand, { url: string }>(({ input, sendBack, receive }) => {
        const socket = effects.openSocket(input.url, {
          opened: () => sendBack({ type: 'socket.opened' }),
          message(text) {
            const message = readServerMessage(text)
            if (message !== null) sendBack({ type: `server.${message.type}`, message } as ConnectionEvent)
          },
          closed: (code) => sendBack({ type: 'socket.closed', code }),
        })
        receive((command) => socket.send(writeClientMessage(command.message)))
        return () => socket.close()
      }),
      link: fromCallback<{ type: 'accept' }, LinkPlan>(({ input, sendBack, receive }) => {
        const link = media.open(input, sendBack, (tracks) => picture.show(tracks))
        receive(() => link.accept())
        return () => link.close()
      }),
      device: fromPromise(({ input }) => media.capabilities(input.router)),
      renewTicket: fromPromise(async ({ input, signal }) => outcomeOf(await tickets.renew(input.ticket, signal))),
      mintTicket: fromPromise(async ({ input, signal }) => outcomeOf(await tickets.mint(input.key, signal))),
      picture: fromCallback(({ sendBack }) => picture.observe(sendBack)),
      page: fromCallback(({ sendBack }) => effects.observePage(sendBack)),
    },
  })
}
