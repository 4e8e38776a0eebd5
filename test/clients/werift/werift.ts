import { createSocket } from 'node:dgram'
import { MediaStreamTrack, RTCPeerConnection, RTCRtpCodecParameters, Vp8RtpPayload } from 'werift'
import type { Endpoint } from '../page/exchange.ts'

/** What werift has had so far. It decodes nothing: packets are counted, and the beginnings of key frames. */
export interface Received {
  readonly video: number
  readonly keyFrames: number
  readonly audio: number
}

const vp8 = new RTCRtpCodecParameters({
  mimeType: 'video/VP8',
  clockRate: 90_000,
  rtcpFeedback: [
    { type: 'nack', parameter: 'pli' },
    { type: 'nack', parameter: '' },
  ],
})
const opus = new RTCRtpCodecParameters({ mimeType: 'audio/opus', clockRate: 48_000, channels: 2 })

/** A session of werift's, in this process. `address`: the only local one that it uses. */
class Session {
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

  async close(): Promise<void> {
    await this.connection.close()
    await fetch(this.#location, { method: 'DELETE', headers: this.#bearer })
  }

  get #bearer(): Record<string, string> {
    const { token } = this.#endpoint
    return token === undefined ? {} : { Authorization: `Bearer ${token}` }
  }
}

/** Plays with werift until `stop`. */
export async function playByWerift(endpoint: Endpoint, address: string) {
  const session = new Session(endpoint, address)
  const counts = { video: 0, keyFrames: 0, audio: 0 }
  session.connection.onTrack.subscribe((track) => {
    track.onReceiveRtp.subscribe(({ payload, header }) => {
      if (track.kind === 'audio') counts.audio += 1
      else {
        counts.video += 1
        const { isKeyframe, isPartitionHead } = Vp8RtpPayload.deSerialize(payload)
        if (isPartitionHead && isKeyframe && header.payloadType !== undefined) counts.keyFrames += 1
      }
    })
  })
  session.connection.addTransceiver('video', { direction: 'recvonly' })
  session.connection.addTransceiver('audio', { direction: 'recvonly' })
  await session.open()
  return { received: (): Received => ({ ...counts }), stop: () => session.close() }
}

/**
 * Publishes with werift until `stop`: a test picture that ffmpeg encodes as VP8, a key frame a
 * second since nobody can ask ffmpeg for one, handed over as RTP.
 */
export async function publishByWerift(endpoint: Endpoint, address: string) {
  const session = new Session(endpoint, address)
  const track = new MediaStreamTrack({ kind: 'video' })
  session.connection.addTransceiver(track, { direction: 'sendonly' })
  await session.open()
  const socket = createSocket('udp4')
  await new Promise<void>((resolve) => socket.bind(0, '127.0.0.1', resolve))
  socket.on('message', (packet) => track.writeRtp(packet))
  const ffmpeg = Bun.spawn(
    [
      ['ffmpeg', '-hide_banner', '-loglevel', 'error', '-re'],
      ['-f', 'lavfi', '-i', 'testsrc=size=320x240:rate=20'],
      ['-c:v', 'libvpx', '-deadline', 'realtime', '-cpu-used', '8', '-g', '20', '-b:v', '300k'],
      ['-f', 'rtp', `rtp://127.0.0.1:${socket.address().port}?pkt_size=1200`],
    ].flat(),
    { stdio: ['ignore', 'ignore', 'ignore'] },
  )
  return {
    async stop() {
      ffmpeg.kill()
      await ffmpeg.exited
      socket.close()
      await session.close()
    },
  }
}
