import { Device, type types } from 'mediasoup-client'

/** What the test calls in its pages. Every player is named, so that the test can ask after it. */

const players = new Map<string, RTCPeerConnection | { getStats(): Promise<RTCStatsReport> }>()
const publishers = new Map<string, RTCPeerConnection>()

/** What the test's routes answer; each answers some of it. */
interface Answers {
  readonly answer: string
  readonly routerRtpCapabilities: types.RtpCapabilities
  readonly transport: types.TransportOptions
  readonly consumers: readonly types.ConsumerOptions[]
}

async function post(path: string, body: unknown): Promise<Answers> {
  const response = await fetch(path, { method: 'POST', body: JSON.stringify(body) })
  const answer = await response.json()
  if (!response.ok) throw new Error(JSON.stringify(answer))
  return answer
}

/** A canvas whose picture changes: the same on every machine, and no camera needed. */
function movingPicture(): MediaStreamTrack {
  const canvas = document.createElement('canvas')
  canvas.width = 320
  canvas.height = 240
  const context = canvas.getContext('2d') as CanvasRenderingContext2D
  let frame = 0
  setInterval(() => {
    frame += 1
    context.fillStyle = `hsl(${(frame * 7) % 360} 80% 50%)`
    context.fillRect(0, 0, 320, 240)
    context.fillStyle = 'black'
    context.fillText(String(frame), (frame * 3) % 300, 120)
  }, 40)
  return canvas.captureStream(25).getVideoTracks()[0] as MediaStreamTrack
}

function tone(): MediaStreamTrack {
  const audio = new AudioContext()
  const oscillator = audio.createOscillator()
  const out = audio.createMediaStreamDestination()
  oscillator.connect(out)
  oscillator.start()
  return out.stream.getAudioTracks()[0] as MediaStreamTrack
}

const page = {
  async publish(name: string, codec: string, simulcast: boolean): Promise<string> {
    const connection = new RTCPeerConnection()
    publishers.set(name, connection)
    const video = connection.addTransceiver(movingPicture(), {
      direction: 'sendonly',
      sendEncodings: simulcast ? [{ rid: 'l', scaleResolutionDownBy: 2 }, { rid: 'h' }] : [{}],
    })
    const { codecs } = RTCRtpSender.getCapabilities('video') as RTCRtpCapabilities
    const wanted = codecs.filter(({ mimeType }) => mimeType === codec)
    video.setCodecPreferences([...wanted, ...codecs.filter(({ mimeType }) => mimeType === 'video/rtx')])
    connection.addTransceiver(tone(), { direction: 'sendonly' })
    await connection.setLocalDescription(await connection.createOffer())
    const { answer } = await post('/publish', { publication: name, offer: connection.localDescription?.sdp })
    await connection.setRemoteDescription({ type: 'answer', sdp: answer })
    return answer
  },

  unpublish(name: string): void {
    publishers.get(name)?.close()
  },

  async playWhep(name: string, kinds: string[]): Promise<string> {
    const connection = new RTCPeerConnection()
    for (const kind of kinds) connection.addTransceiver(kind, { direction: 'recvonly' })
    await connection.setLocalDescription(await connection.createOffer())
    players.set(name, connection)
    const { answer } = await post('/whep', { viewer: name, offer: connection.localDescription?.sdp })
    await connection.setRemoteDescription({ type: 'answer', sdp: answer })
    return answer
  },

  async playClient(name: string): Promise<void> {
    const device = new Device()
    const { routerRtpCapabilities } = await post('/capabilities', {})
    await device.load({ routerRtpCapabilities })
    const opened = await post('/consume', { viewer: name, rtpCapabilities: device.recvRtpCapabilities })
    const transport = device.createRecvTransport(opened.transport)
    transport.on('connect', ({ dtlsParameters }, done, failed) => {
      post('/connect', { viewer: name, dtlsParameters }).then(done, failed)
    })
    players.set(name, transport)
    for (const options of opened.consumers) await transport.consume(options)
  },

  async counts(name: string): Promise<{ video: number; audio: number }> {
    const counts = { video: 0, audio: 0 }
    const stats = await players.get(name)?.getStats()
    for (const stat of stats?.values() ?? []) {
      if (stat.type !== 'inbound-rtp') continue
      if (stat.kind === 'video') counts.video += stat.framesDecoded
      else counts.audio += stat.packetsReceived
    }
    return counts
  },
}

declare global {
  interface Window {
    page: typeof page
  }
}
window.page = page
