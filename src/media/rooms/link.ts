import type { types } from 'mediasoup'
import type { IceRestart } from '../../actors/ports/media.ts'
import { mediaUnavailable, within } from '../deadline.ts'
import type { ServerTransport } from '../sdp-bridge/answer.ts'

export type LinkFact = 'connected' | 'disconnected' | 'closed'

/**
 * One client's transport and whether it is up: ICE connected and DTLS connected. ICE
 * `disconnected` is not the end (RFC 7675: consent may come back); DTLS closed or failed,
 * a dead worker, or `close` is.
 */
export class Link {
  #transport: types.WebRtcTransport | null = null
  #closed = false
  #said: LinkFact | null = null
  readonly #tell: (fact: LinkFact) => void
  readonly #closers = new Set<() => void>()

  constructor(tell: (fact: LinkFact) => void) {
    this.#tell = tell
  }

  get closed(): boolean {
    return this.#closed
  }

  get transport(): types.WebRtcTransport | null {
    return this.#transport
  }

  /** Takes over a transport that was made for this link; one that comes too late is closed. */
  adopt(transport: types.WebRtcTransport): types.WebRtcTransport {
    if (this.#closed || transport.closed) {
      transport.close()
      this.close()
      throw mediaUnavailable()
    }
    this.#transport = transport
    transport.on('icestatechange', () => this.#look(transport))
    transport.on('dtlsstatechange', () => this.#look(transport))
    transport.observer.once('close', () => this.close())
    return transport
  }

  /** Calls `closer` once when the link is closed; at once if it is. */
  onClosed(closer: () => void): void {
    if (this.#closed) closer()
    else this.#closers.add(closer)
  }

  /**
   * Restarts ICE: new credentials of ours under the same candidates (RFC 8839 section 4.4.1).
   * The worker takes the old ones until the client uses the new ones, so what fails or comes too late costs nothing.
   * @param write the SDP fragment of our new half
   */
  async restartIce(timeoutMs: number, write: (transport: ServerTransport) => string): Promise<IceRestart> {
    const transport = this.#transport
    if (transport === null || transport.closed) throw mediaUnavailable()
    const { usernameFragment } = await within(timeoutMs, transport.restartIce())
    return { fragment: write(transport), tag: usernameFragment }
  }

  close(): void {
    if (this.#closed) return
    this.#closed = true
    this.#transport?.close()
    for (const closer of this.#closers) closer()
    this.#tell('closed')
  }

  #look({ iceState, dtlsState }: types.WebRtcTransport): void {
    if (this.#closed) return
    if (dtlsState === 'closed' || dtlsState === 'failed') this.close()
    else if (iceState === 'disconnected') this.#say('disconnected')
    else if ((iceState === 'connected' || iceState === 'completed') && dtlsState === 'connected') this.#say('connected')
  }

  #say(fact: LinkFact): void {
    if (this.#said === fact) return
    this.#said = fact
    this.#tell(fact)
  }
}
