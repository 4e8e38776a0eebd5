import type { types } from 'mediasoup'
import type { PublicationFact } from '../../actors/ports/media.ts'
import { mediaUnavailable, within } from '../deadline.ts'
import type { ServerTransport } from '../sdp-bridge/answer.ts'
import type { Publishing } from '../sdp-bridge/whip.ts'
import type { FactBoard } from './fact-board.ts'
import { Link } from './link.ts'

/** How often a publication's packets are counted, in ms. */
const packetCheckMs = 1000

/** One WHIP session's media: a transport and its producers. */
export class Publication {
  readonly id: string
  readonly link: Link
  /** True when the answer is written: a viewer may be given the producers. */
  ready = false
  /** Writes our half of a restarted ICE session; `null`: nothing was answered yet. */
  iceFragment: ((transport: ServerTransport) => string) | null = null
  readonly #producers = new Set<types.Producer>()
  readonly #facts: FactBoard<PublicationFact>
  #lastBytes = 0
  #check: ReturnType<typeof setTimeout> | null = null

  constructor(id: string, facts: FactBoard<PublicationFact>, timeoutMs: number, onClosed: () => void) {
    this.id = id
    this.#facts = facts
    facts.add(id, () => this.#watchPackets(timeoutMs))
    this.link = new Link((fact) => {
      if (fact !== 'closed') return facts.tell(id, { type: fact }, true)
      if (this.#check !== null) clearTimeout(this.#check)
      onClosed()
      facts.remove(id)
    })
  }

  get producers(): readonly types.Producer[] {
    return [...this.#producers].filter(({ closed }) => !closed)
  }

  /**
   * Makes the producers, every one paused: what flows is for the room to say. A key frame is
   * asked for once a second at most, however many viewers come.
   */
  async produce(transport: types.WebRtcTransport, publishing: Publishing): Promise<void> {
    await Promise.all([
      transport.connect({ dtlsParameters: publishing.dtlsParameters }),
      ...publishing.tracks.map(async ({ kind, rtpParameters }) => {
        const producer = await transport.produce({ kind, rtpParameters, paused: true, keyFrameRequestDelay: 1000 })
        this.#producers.add(producer)
      }),
    ])
    if (this.link.closed) throw mediaUnavailable()
  }

  /** Counts packets once a second for as long as anybody observes and the link lives. */
  #watchPackets(timeoutMs: number): void {
    if (this.#check !== null || this.link.closed) return
    const check = async () => {
      const bytes = await this.#bytes(timeoutMs)
      if (this.link.closed || !this.#facts.observed(this.id)) {
        this.#check = null
        return
      }
      if (bytes !== null) {
        if (bytes > this.#lastBytes) this.#facts.tell(this.id, { type: 'packets' }, false)
        this.#lastBytes = bytes
      }
      this.#check = setTimeout(check, packetCheckMs)
    }
    this.#check = setTimeout(check, packetCheckMs)
  }

  /** RTP received so far, paused producers included. `null`: the worker did not say. */
  async #bytes(timeoutMs: number): Promise<number | null> {
    const { transport } = this.link
    if (transport === null || transport.closed) return null
    const stats = await within(timeoutMs, transport.getStats()).catch(() => [])
    return stats[0] === undefined ? null : stats[0].rtpBytesReceived + stats[0].rtxBytesReceived
  }
}
