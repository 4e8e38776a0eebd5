import { createSocket } from 'node:dgram'
import { MediaStreamTrack, Vp8RtpPayload } from 'werift'
import type { Endpoint } from '../page/exchange.ts'
import { WeriftSession } from './session.ts'

/** What werift has had so far. It decodes nothing: packets are counted, and the beginnings of key frames. */
export interface Received {
  readonly video: number
  readonly keyFrames: number
  readonly audio: number
}

/** Plays with werift until `stop`. */
export async function playByWerift(endpoint: Endpoint, address: string) {
  const session = new WeriftSession(endpoint, address)
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
  const session = new WeriftSession(endpoint, address)
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
