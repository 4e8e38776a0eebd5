import { createWorker, type types } from 'mediasoup'
import * as ortc from 'mediasoup/ortc'
import { roomCodecs } from '../../src/media/codecs.ts'
import { readWhepOffer } from '../../src/media/sdp-bridge/whep.ts'
import { readWhipOffer } from '../../src/media/sdp-bridge/whip.ts'
import type { Offers } from './offers.ts'

/** mediasoup alone: the transports, producers and consumers that the offers come to, and nothing else. */
export interface BareMediasoup {
  /** Transport, connect and two producers, as for a WHIP session. Answers how to end it. */
  whip(): Promise<() => void>
  /** Transport, connect and two consumers, as for a WHEP session. */
  whep(): Promise<() => void>
  close(): Promise<void>
}

export async function bareMediasoup(workerBin: string, offers: Offers): Promise<BareMediasoup> {
  const worker = await createWorker({ workerBin, logLevel: 'error' })
  const listen = { ip: '127.0.0.1' } as const
  const webRtcServer = await worker.createWebRtcServer({
    listenInfos: [
      { protocol: 'udp', ...listen },
      { protocol: 'tcp', ...listen },
    ],
  })
  const codecs = structuredClone([...roomCodecs])
  const publishing = readWhipOffer(offers.whip, ortc.generateRouterRtpCapabilities(structuredClone(codecs)))
  const { dtlsParameters } = readWhepOffer(offers.whep)

  const router = () => worker.createRouter({ mediaCodecs: structuredClone(codecs) })
  const transportOn = (on: types.Router) => on.createWebRtcTransport({ webRtcServer, enableUdp: true, enableTcp: true })
  const produce = async (transport: types.WebRtcTransport) => {
    const [, ...producers] = await Promise.all([
      transport.connect({ dtlsParameters: structuredClone(publishing.dtlsParameters) }),
      ...publishing.tracks.map(({ kind, rtpParameters }) =>
        transport.produce({ kind, rtpParameters: structuredClone(rtpParameters), paused: true }),
      ),
    ])
    return producers as types.Producer[]
  }

  const watched = await router()
  const producers = await produce(await transportOn(watched))
  return {
    async whip() {
      const made = await router()
      await produce(await transportOn(made))
      return () => made.close()
    },
    async whep() {
      const transport = await transportOn(watched)
      await Promise.all([
        transport.connect({ dtlsParameters: structuredClone(dtlsParameters) }),
        ...producers.map(({ id }) =>
          transport.consume({ producerId: id, rtpCapabilities: watched.rtpCapabilities, paused: true }),
        ),
      ])
      return () => transport.close()
    },
    async close() {
      const gone = new Promise<void>((resolve) => worker.once('subprocessclose', resolve))
      worker.close()
      await gone
    },
  }
}
