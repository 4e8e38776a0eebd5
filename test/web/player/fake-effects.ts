import { SimulatedClock } from 'xstate'
import type { ClientMessage, ServerMessage } from '../../../src/contracts/broadcast.ts'
import type { LinkFact } from '../../../src/web/player/media.ts'
import type { PageFact } from '../../../src/web/player/page-signals.ts'
import type { PictureFact } from '../../../src/web/player/picture.ts'
import { type PlayerState, startPlayer } from '../../../src/web/player/player.ts'
import type { TicketAnswer } from '../../../src/web/player/view-tickets.ts'
import type { SocketListener } from '../../../src/web/player/wire.ts'

/** One socket that the player opened. */
export class FakeSocket {
  readonly sent: ClientMessage[] = []
  closed = false
  constructor(readonly listener: SocketListener) {}
  /** The last message of a type; throws when there is none. */
  last<T extends ClientMessage['type']>(type: T): Extract<ClientMessage, { type: T }> {
    const found = this.sent.findLast((message) => message.type === type)
    if (found === undefined) throw new Error(`the player sent no ${type}: ${JSON.stringify(this.sent)}`)
    return found as Extract<ClientMessage, { type: T }>
  }
  count(type: ClientMessage['type']): number {
    return this.sent.filter((message) => message.type === type).length
  }
  open() {
    this.listener.opened()
  }
  say(message: ServerMessage) {
    this.listener.message(JSON.stringify(message))
  }
  lose(code = 1006) {
    this.listener.closed(code)
  }
}

export class FakeLink {
  accepted = 0
  closed = false
  constructor(
    readonly transportId: string,
    readonly tell: (fact: LinkFact) => void,
    readonly show: () => void,
  ) {}
  dtls() {
    this.tell({ type: 'link.dtls', dtlsParameters: { fingerprints: [] } })
  }
  become(state: 'connecting' | 'connected' | 'disconnected' | 'failed') {
    this.tell({ type: 'link.state', state })
  }
}

/** One request for a view ticket. */
export class FakeTicketRequest {
  aborted = false
  #resolve: (answer: TicketAnswer) => void = () => {}
  readonly answered = new Promise<TicketAnswer>((resolve) => {
    this.#resolve = resolve
  })
  constructor(
    readonly kind: 'renew' | 'mint',
    /** The ticket to renew, or the link's key to mint by. */
    readonly secret: string | null,
    signal: AbortSignal,
  ) {
    signal.addEventListener('abort', () => {
      this.aborted = true
    })
  }
  grant(ticket: string, standsFor = 600_000, final = false) {
    this.#resolve({ type: 'granted', ticket, standsFor, final })
  }
  refuse() {
    this.#resolve({ type: 'refused' })
  }
  fail(retryAfter: number | null = null) {
    this.#resolve({ type: 'failed', retryAfter })
  }
}

/** A player whose every effect is in the test's hands. */
export function startTestPlayer(input: { vt?: string; k?: string; webRtc?: boolean } = {}) {
  const clock = new SimulatedClock()
  const sockets: FakeSocket[] = []
  const links: FakeLink[] = []
  const picture: string[] = []
  const states: PlayerState[] = []
  const requests: FakeTicketRequest[] = []
  let slept = 0
  const ask = (kind: FakeTicketRequest['kind'], secret: string | null, signal: AbortSignal) => {
    const request = new FakeTicketRequest(kind, secret, signal)
    requests.push(request)
    return request.answered
  }
  let tellPage: (fact: PageFact) => void = () => {}
  let tellPicture: (fact: PictureFact) => void = () => {}
  const player = startPlayer(
    {
      stream: 'ags_01JC8Z6M3F9Q2W4E5R6T7Y8V9A',
      socketUrl: 'ws://test/ws/broadcast',
      ...(input.vt === undefined ? {} : { vt: input.vt }),
      ...(input.k === undefined ? {} : { k: input.k }),
    },
    {
      clock,
      now: () => clock.now() + slept,
      chance: 1,
      tickets: {
        renew: (ticket, signal) => ask('renew', ticket, signal),
        mint: (key, signal) => ask('mint', key, signal),
      },
      openSocket(_url, listener) {
        const socket = new FakeSocket(listener)
        sockets.push(socket)
        return {
          send: (text) => socket.sent.push(JSON.parse(text) as ClientMessage),
          close: () => {
            socket.closed = true
          },
        }
      },
      media: {
        async capabilities() {
          if (input.webRtc === false) throw new Error('device not supported')
          return { codecs: ['of this browser'] }
        },
        open(plan, tell, show) {
          const link = new FakeLink(plan.transport.id, tell, () => show([]))
          links.push(link)
          return {
            accept: () => {
              link.accepted += 1
            },
            close: () => {
              link.closed = true
            },
          }
        },
      },
      picture: {
        observe(tell) {
          tellPicture = tell
          return () => {}
        },
        show: () => picture.push('show'),
        conceal: () => picture.push('conceal'),
        reveal: () => picture.push('reveal'),
        clear: () => picture.push('clear'),
      },
      observePage(tell) {
        tellPage = tell
        return () => {}
      },
    },
  )
  player.subscribe((state) => states.push(state))
  return {
    player,
    clock,
    sockets,
    links,
    /** What was done to the video element, in order. */
    picture,
    states,
    /** For view tickets, in order. */
    requests,
    request: () => requests.at(-1) as FakeTicketRequest,
    /** `r` and `m`, in order. */
    asked: () => requests.map(({ kind }) => kind[0]).join(''),
    /** Time passes, and no timer runs. */
    sleep(ms: number) {
      slept += ms
    },
    socket: () => sockets.at(-1) as FakeSocket,
    link: () => links.at(-1) as FakeLink,
    tellPage: (fact: PageFact) => tellPage(fact),
    tellPicture: (fact: PictureFact) => tellPicture(fact),
    /** Lets promises resolve: the device's and the tickets'. */
    async settle() {
      for (let turn = 0; turn < 10; turn += 1) await Promise.resolve()
    },
  }
}
