import type { types } from 'mediasoup'
import { createWorker } from 'mediasoup'
import type { ConsumerOptions, TransportOptions } from '../../src/contracts/broadcast.ts'

/** A real mediasoup room fed by ffmpeg's test picture: what a player can play, without our server. */
export interface FakeRoom {
  readonly rtpCapabilities: Record<string, unknown>
  consume(
    viewer: string,
    rtpCapabilities: Record<string, unknown>,
  ): Promise<{
    transport: TransportOptions
    consumers: readonly ConsumerOptions[]
  }>
  connect(viewer: string, dtlsParameters: Record<string, unknown>): Promise<void>
  /** As the curtain does: nothing leaves while held. */
  hold(held: boolean): Promise<void>
  /** How often `consume` was asked. */
  readonly consumed: number
  close(): Promise<void>
}

const codecs: types.RouterRtpCodecCapability[] = [
  { kind: 'video', mimeType: 'video/VP8', clockRate: 90_000, preferredPayloadType: 101 },
  { kind: 'audio', mimeType: 'audio/opus', clockRate: 48_000, channels: 2, preferredPayloadType: 102 },
]

/** Starts a worker and the test picture; `workerBin` is mediasoup's worker. */
export async function openFakeRoom({ workerBin, audio }: { workerBin: string; audio: boolean }): Promise<FakeRoom> {
  const worker = await createWorker({ workerBin, logLevel: 'none' })
  const router = await worker.createRouter({ mediaCodecs: codecs })
  const listenInfo = { protocol: 'udp', ip: '127.0.0.1' } as const
  const feed = async (kind: 'video' | 'audio', ssrc: number) => {
    const transport = await router.createPlainTransport({ listenInfo, rtcpMux: false, comedia: true })
    const codec = codecs.find((each) => each.kind === kind) as types.RouterRtpCodecCapability
    const producer = await transport.produce({
      kind,
      rtpParameters: {
        codecs: [
          {
            mimeType: codec.mimeType,
            clockRate: codec.clockRate,
            payloadType: codec.preferredPayloadType as number,
            ...(codec.channels === undefined ? {} : { channels: codec.channels }),
          },
        ],
        encodings: [{ ssrc }],
      },
    })
    const rtcp = transport.rtcpTuple?.localPort
    return { producer, url: `rtp://127.0.0.1:${transport.tuple.localPort}?rtcpport=${rtcp}` }
  }
  const video = await feed('video', 1111)
  const sound = audio ? await feed('audio', 2222) : null
  const ffmpeg = Bun.spawn(
    [
      ['ffmpeg', '-loglevel', 'error', '-re'],
      ['-f', 'lavfi', '-i', 'testsrc2=size=1280x720:rate=15'],
      sound === null ? [] : ['-f', 'lavfi', '-i', 'sine=frequency=440'],
      // A key frame a second: a plain transport's sender hears no requests for one.
      ['-map', '0:v', '-c:v', 'libvpx', '-deadline', 'realtime', '-cpu-used', '8', '-g', '15', '-b:v', '1M'],
      ['-f', 'rtp', '-payload_type', '101', '-ssrc', '1111', video.url],
      sound === null
        ? []
        : [
            '-map',
            '1:a',
            '-c:a',
            'libopus',
            '-ac',
            '2',
            '-f',
            'rtp',
            '-payload_type',
            '102',
            '-ssrc',
            '2222',
            sound.url,
          ],
    ].flat(),
    { stdin: 'ignore', stdout: 'ignore', stderr: 'ignore' },
  )
  const producers = sound === null ? [video.producer] : [video.producer, sound.producer]
  const viewers = new Map<string, { transport: types.WebRtcTransport; consumers: types.Consumer[] }>()
  let consumed = 0
  let held = false
  return {
    rtpCapabilities: router.rtpCapabilities as unknown as Record<string, unknown>,
    get consumed() {
      return consumed
    },
    async consume(viewer, rtpCapabilities) {
      consumed += 1
      viewers.get(viewer)?.transport.close()
      const transport = await router.createWebRtcTransport({ listenInfos: [listenInfo] })
      const consumers = await Promise.all(
        producers.map((producer) =>
          transport.consume({
            producerId: producer.id,
            rtpCapabilities: rtpCapabilities as unknown as types.RtpCapabilities,
            paused: true,
          }),
        ),
      )
      viewers.set(viewer, { transport, consumers })
      transport.on('dtlsstatechange', (state) => {
        if (state === 'connected' && !held) for (const consumer of consumers) void consumer.resume()
      })
      return {
        transport: {
          id: transport.id,
          iceParameters: { ...transport.iceParameters },
          iceCandidates: transport.iceCandidates.map((candidate) => ({ ...candidate })),
          dtlsParameters: { ...transport.dtlsParameters },
        },
        consumers: consumers.map(({ id, producerId, kind, rtpParameters }) => ({
          id,
          producerId,
          kind,
          rtpParameters: { ...rtpParameters },
        })),
      }
    },
    async connect(viewer, dtlsParameters) {
      await viewers
        .get(viewer)
        ?.transport.connect({ dtlsParameters: dtlsParameters as unknown as types.DtlsParameters })
    },
    async hold(now) {
      held = now
      const all = [...viewers.values()].filter(({ transport }) => !transport.closed)
      await Promise.all(
        all.flatMap(({ consumers }) => consumers.map((consumer) => (now ? consumer.pause() : consumer.resume()))),
      )
    },
    async close() {
      ffmpeg.kill('SIGKILL')
      await ffmpeg.exited
      const gone = new Promise<void>((resolve) => worker.on('subprocessclose', resolve))
      worker.close()
      await gone
    },
  }
}
