import { WHIPClient as EyevinnClient } from '@eyevinn/whip-web-client'
import { WHIPClient } from 'whip-whep/whip.js'
import { type Endpoint, exchange, hangUp, restartIce, type Session, type Transports } from './exchange.ts'
import { movingPicture, type PictureWish, tone } from './pictures.ts'

/** What to publish, and by which client. */
export interface PublishWish extends Endpoint {
  readonly client?: 'page' | 'whip-whep' | 'eyevinn'
  readonly audio?: boolean
  readonly video?: VideoWish | false
  readonly transports?: Transports
}

export interface VideoWish extends Partial<PictureWish> {
  /** Offered alone: `video/VP8`. Absent: all that the browser has, in its order. */
  readonly codec?: string
  /** What the codec's fmtp line must have in it: `profile-level-id=640c1f`. */
  readonly profile?: string
  readonly encodings?: RTCRtpEncodingParameters[]
}

interface Publisher {
  readonly connection: RTCPeerConnection
  readonly session?: Session
  /** Ends the session in the client's own way. */
  stop(): Promise<void>
}

const publishers = new Map<string, Publisher>()

/** Publishes under a name until the page is closed. */
export async function publish(name: string, wish: PublishWish): Promise<void> {
  const { client = 'page' } = wish
  if (client === 'eyevinn') return publishByEyevinn(name, wish)
  const connection = new RTCPeerConnection()
  if (wish.video !== false) addVideo(connection, wish.video ?? {})
  if (wish.audio !== false) connection.addTransceiver(tone(), { direction: 'sendonly' })
  if (client === 'page') {
    const session = await exchange(connection, wish, wish.transports)
    publishers.set(name, { connection, session, stop: () => hangUp(session) })
    return
  }
  const whip = new WHIPClient()
  await whip.publish(connection, wish.url, wish.token)
  publishers.set(name, { connection, stop: () => whip.stop() })
}

export async function stopPublishing(name: string): Promise<void> {
  await publishers.get(name)?.stop()
}

export async function restartPublisher(name: string): Promise<{ status: number }> {
  const session = publishers.get(name)?.session
  if (session === undefined) throw new Error(`${name} has no session of ours`)
  return await restartIce(session)
}

/** The offer that this publisher would send to add another track to its session. */
export async function offerWithOneMoreTrack(name: string): Promise<{ offer: string; location: string; etag: string }> {
  const { connection, session } = publishers.get(name) ?? {}
  if (connection === undefined || session === undefined) throw new Error(`${name} has no session of ours`)
  connection.addTransceiver(tone(), { direction: 'sendonly' })
  const { sdp = '' } = await connection.createOffer()
  return { offer: sdp, location: session.location, etag: session.etag }
}

export function connectionOfPublisher(name: string): RTCPeerConnection {
  const connection = publishers.get(name)?.connection
  if (connection === undefined) throw new Error(`there is no publisher ${name}`)
  return connection
}

/** What a publisher sends now: encoded frames and packets, by rid where there are several. */
export async function sent(
  name: string,
): Promise<{ frames: number; packets: number; rids: string[]; protocol: string }> {
  const connection = publishers.get(name)?.connection
  const found = { frames: 0, packets: 0, rids: [] as string[], protocol: '' }
  for (const stat of (await connection?.getStats())?.values() ?? []) {
    if (stat.type === 'outbound-rtp' && stat.kind === 'video') {
      found.frames += stat.framesEncoded
      found.packets += stat.packetsSent
      if (stat.rid !== undefined && stat.framesEncoded > 0) found.rids.push(stat.rid)
    }
    if (stat.type === 'local-candidate') found.protocol = stat.protocol
  }
  found.rids.sort()
  return found
}

function addVideo(connection: RTCPeerConnection, wish: VideoWish): void {
  const { codec, profile = '', encodings } = wish
  const transceiver = connection.addTransceiver(picture(wish), {
    direction: 'sendonly',
    ...(encodings === undefined ? {} : { sendEncodings: encodings }),
  })
  if (codec === undefined) return
  const codecs = RTCRtpSender.getCapabilities('video')?.codecs ?? []
  const wanted = codecs.filter(({ mimeType, sdpFmtpLine = '' }) => mimeType === codec && sdpFmtpLine.includes(profile))
  if (wanted.length === 0) throw new Error(`this browser has no ${codec} ${profile}`)
  // RTX goes along: without it Chromium offers no repair, and simulcast no repaired-rid.
  transceiver.setCodecPreferences([...wanted, ...codecs.filter(({ mimeType }) => mimeType === 'video/rtx')])
}

function picture({ width = 320, height = 240, framesPerSecond = 20, busy = false }: VideoWish): MediaStreamTrack {
  return movingPicture({ width, height, framesPerSecond, busy })
}

async function publishByEyevinn(name: string, { url, token, audio, video }: PublishWish): Promise<void> {
  let connection: RTCPeerConnection | undefined
  const client = new EyevinnClient({
    endpoint: url,
    opts: token === undefined ? {} : { authkey: token },
    peerConnectionFactory: (configuration) => {
      connection = new RTCPeerConnection(configuration)
      return connection
    },
  })
  const stream = new MediaStream()
  if (video !== false) stream.addTrack(picture(video ?? {}))
  if (audio !== false) stream.addTrack(tone())
  await client.setIceServersFromEndpoint()
  await client.ingest(stream)
  // It sends its offer later, by itself: across origins it cannot see that PATCH is allowed, and waits two seconds.
  await client.getResourceUrl()
  if (connection !== undefined) publishers.set(name, { connection, stop: () => client.destroy() })
}
