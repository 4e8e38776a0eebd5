import { WHEPClient } from 'whip-whep/whep.js'
import { type Endpoint, exchange, hangUp, restartIce, type Session, type Transports } from './exchange.ts'

/** What to play, and by which client. */
export interface PlayWish extends Endpoint {
  readonly client?: 'page' | 'whip-whep'
  /** The m-sections of the offer, in this order. */
  readonly kinds?: readonly ('audio' | 'video')[]
  readonly transports?: Transports
}

/** What a player has had so far. */
export interface Played {
  /** Video frames that were decoded. */
  readonly frames: number
  readonly keyFrames: number
  readonly width: number
  readonly height: number
  /** `video/VP8`. */
  readonly codec: string
  readonly videoBytes: number
  readonly audioPackets: number
  /** Of sound that was decoded, over time: 0 is silence. */
  readonly audioEnergy: number
  /** Of the candidates in use: the server's protocol, and the port here. */
  readonly protocol: string
  readonly port: number
  readonly state: string
}

interface Player {
  readonly connection: RTCPeerConnection
  readonly session?: Session
  /** Ends the session in the client's own way. */
  stop(): Promise<void>
  /** When frames were shown, in ms. */
  readonly shown: number[]
}

const players = new Map<string, Player>()

/** Plays under a name until the page is closed or {@link stopPlaying}. */
export async function play(name: string, wish: PlayWish): Promise<void> {
  const { client = 'page', kinds = ['audio', 'video'] } = wish
  const connection = new RTCPeerConnection()
  const shown: number[] = []
  connection.addEventListener('track', ({ track }) => {
    if (track.kind === 'video') show(track, shown)
    else listen(track)
  })
  for (const kind of kinds) connection.addTransceiver(kind, { direction: 'recvonly' })
  if (client === 'whip-whep') {
    const whep = new WHEPClient()
    await whep.view(connection, wish.url, wish.token)
    players.set(name, { connection, shown, stop: () => whep.stop() })
    return
  }
  const session = await exchange(connection, wish, wish.transports)
  players.set(name, { connection, shown, session, stop: () => hangUp(session) })
}

export async function restartPlayer(name: string): Promise<{ status: number }> {
  return await restartIce(sessionOf(name))
}

export async function stopPlaying(name: string): Promise<void> {
  await players.get(name)?.stop()
}

/** The longest time without a new frame on the screen, of the last `forMs` until now. */
export function longestGap(name: string, forMs: number): number {
  const now = performance.now()
  const times = [now - forMs, ...(players.get(name)?.shown ?? []).filter((time) => time > now - forMs), now]
  return Math.max(...times.slice(1).map((time, at) => time - (times[at] ?? time)))
}

export async function played(name: string): Promise<Played> {
  const connection = connectionOfPlayer(name)
  const found = {
    frames: 0,
    keyFrames: 0,
    width: 0,
    height: 0,
    codec: '',
    videoBytes: 0,
    audioPackets: 0,
    audioEnergy: 0,
    protocol: '',
    port: 0,
    state: connection.connectionState,
  }
  const stats = await connection.getStats()
  for (const stat of stats.values()) {
    if (stat.type === 'inbound-rtp' && stat.kind === 'video') {
      found.frames += stat.framesDecoded ?? 0
      found.keyFrames += stat.keyFramesDecoded ?? 0
      found.width = stat.frameWidth ?? 0
      found.height = stat.frameHeight ?? 0
      found.codec = stats.get(stat.codecId)?.mimeType ?? ''
      found.videoBytes += stat.bytesReceived ?? 0
    } else if (stat.type === 'inbound-rtp' && stat.kind === 'audio') {
      found.audioPackets += stat.packetsReceived ?? 0
      found.audioEnergy += stat.totalAudioEnergy ?? 0
    } else if (stat.type === 'candidate-pair' && stat.state === 'succeeded' && stat.nominated) {
      found.protocol = stats.get(stat.remoteCandidateId)?.protocol ?? ''
      found.port = stats.get(stat.localCandidateId)?.port ?? 0
    }
  }
  return found
}

export function connectionOfPlayer(name: string): RTCPeerConnection {
  const connection = players.get(name)?.connection
  if (connection === undefined) throw new Error(`there is no player ${name}`)
  return connection
}

function sessionOf(name: string): Session {
  const session = players.get(name)?.session
  if (session === undefined) throw new Error(`${name} has no session of ours`)
  return session
}

/** Sound is decoded only where it is played. */
function listen(track: MediaStreamTrack): void {
  const audio = document.createElement('audio')
  audio.srcObject = new MediaStream([track])
  document.body.append(audio)
  void audio.play()
}

function show(track: MediaStreamTrack, shown: number[]): void {
  const video = document.createElement('video')
  video.muted = true
  video.srcObject = new MediaStream([track])
  document.body.append(video)
  void video.play()
  const onFrame = (now: number) => {
    shown.push(now)
    video.requestVideoFrameCallback(onFrame)
  }
  video.requestVideoFrameCallback(onFrame)
}
