import { RTCPeerConnection, RTCRtpCodecParameters } from 'werift'
import type { Endpoint } from '../page/exchange.ts'

const vp8 = new RTCRtpCodecParameters({
  mimeType: 'video/VP8',
  clockRate: 90_000,
  rtcpFeedback: [
    { type: 'nack', parameter: 'pli' },
    { type: 'nack', parameter: '' },
  ],
})
const opus = new RTCRtpCodecParameters({ mimeType: 'audio/opus', clockRate: 48_000, channels: 2 })

/** A WHIP or WHEP session of werift's, in this process. `address`: a local one for it to use, loopback included. */
export class WeriftSession {
  readonly connection: RTCPeerConnection
  readonly #endpoint: Endpoint
  #location = ''

  constructor(endpoint: Endpoint, address: string) {
    this.#endpoint = endpoint
    this.connection = new RTCPeerConnection({
      codecs: { audio: [opus], video: [vp8] },
      iceServers: [],
      iceUseIpv6: false,
      iceAdditionalHostAddresses: [address],
      bundlePolicy: 'max-bundle',
    })
  }

  /** Posts the offer for the transceivers that were added, and takes the answer. */
  async open(): Promise<void> {
    const { url } = this.#endpoint
    await this.connection.setLocalDescription(await this.connection.createOffer())
    const response = await fetch(url, {
      method: 'POST',
      body: this.connection.localDescription?.sdp ?? '',
      headers: { 'Content-Type': 'application/sdp', ...this.#bearer },
    })
    const answer = await response.text()
    if (response.status !== 201) throw new Error(`${response.status} ${answer}`)
    this.#location = new URL(response.headers.get('Location') ?? '', url).href
    await this.connection.setRemoteDescription({ type: 'answer', sdp: answer })
  }

  /** Resolves when the link is up. */
  async connected(): Promise<void> {
    while (this.connection.connectionState !== 'connected') {
      await this.connection.connectionStateChange.asPromise()
    }
  }

  async close(): Promise<void> {
    await this.connection.close()
    await fetch(this.#location, { method: 'DELETE', headers: this.#bearer })
  }

  get #bearer(): Record<string, string> {
    const { token } = this.#endpoint
    return token === undefined ? {} : { Authorization: `Bearer ${token}` }
  }
}
