import type { types } from 'mediasoup'
import type { ViewerFact } from '../../actors/ports/media.ts'
import type { ServerTransport } from '../sdp-bridge/answer.ts'
import type { FactBoard } from './fact-board.ts'
import { Link } from './link.ts'

/** One viewer's media: a transport and a consumer for each track. */
export class Viewer {
  readonly id: string
  readonly link: Link
  /** The actor said that it watches; whether anything flows is for the room's curtain to say. */
  started = false
  /** Our own player's DTLS half has come; a second one would be an error. */
  connecting = false
  /** Writes our half of a restarted ICE session; `null`: our own player, which restarts none. */
  iceFragment: ((transport: ServerTransport) => string) | null = null
  readonly #consumers = new Set<types.Consumer>()

  constructor(id: string, facts: FactBoard<ViewerFact>, onClosed: () => void) {
    this.id = id
    facts.add(id)
    this.link = new Link((fact) => {
      if (fact !== 'closed') return facts.tell(id, { type: fact }, true)
      onClosed()
      facts.remove(id)
    })
  }

  get consumers(): readonly types.Consumer[] {
    return [...this.#consumers].filter(({ closed }) => !closed)
  }

  /** Makes a consumer, paused: one made flowing sends its key frame before anybody can receive. */
  async consume(
    transport: types.WebRtcTransport,
    producerId: string,
    rtpCapabilities: types.RtpCapabilities,
  ): Promise<types.Consumer> {
    const consumer = await transport.consume({ producerId, rtpCapabilities, paused: true })
    this.#consumers.add(consumer)
    return consumer
  }
}
