import { MediaStreamTrack, RtpBuilder } from 'werift'
import type { Endpoint } from '../../test/clients/page/exchange.ts'
import { WeriftSession } from '../../test/clients/werift/session.ts'

/**
 * The sessions that are up while the bench measures, in a process of their own: real links of
 * werift's, ICE and DTLS included, with a packet of sound a second from each desk. Reads an
 * {@link Audience} as JSON from stdin, says `up` when every link is, and goes on until it is ended.
 */
export interface Audience {
  /** One desk a stream. */
  readonly desks: readonly Required<Endpoint>[]
  /** One viewer each. */
  readonly viewers: readonly Endpoint[]
}

const { desks, viewers } = (await Bun.stdin.json()) as Audience

for (const desk of desks) {
  const session = new WeriftSession(desk, '127.0.0.1')
  const sound = new MediaStreamTrack({ kind: 'audio' })
  session.connection.addTransceiver(sound, { direction: 'sendonly' })
  session.connection.addTransceiver(new MediaStreamTrack({ kind: 'video' }), { direction: 'sendonly' })
  await session.open()
  await session.connected()
  const packets = new RtpBuilder({ between: 20, clockRate: 48_000 })
  // Opus: one frame of silence.
  setInterval(() => sound.writeRtp(packets.create(Buffer.from([0xf8, 0xff, 0xfe]))), 1000)
}
for (const viewer of viewers) {
  const session = new WeriftSession(viewer, '127.0.0.1')
  session.connection.addTransceiver('audio', { direction: 'recvonly' })
  session.connection.addTransceiver('video', { direction: 'recvonly' })
  await session.open()
  await session.connected()
}
console.log('up')
