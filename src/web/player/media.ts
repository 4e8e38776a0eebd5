import type { Device, types } from 'mediasoup-client'
import { Device as MediasoupDevice } from 'mediasoup-client'
import type { ConsumerOptions, TransportOptions } from '../../contracts/broadcast.ts'

/** What a link to the server's media tells. States are `RTCPeerConnection.connectionState`'s. */
export type LinkFact =
  /** Our DTLS half, for the server. Answer with {@link MediaLink.accept}. */
  | { readonly type: 'link.dtls'; readonly dtlsParameters: Record<string, unknown> }
  | { readonly type: 'link.state'; readonly state: 'connecting' | 'connected' | 'disconnected' | 'failed' }
  | { readonly type: 'link.tracks'; readonly audio: boolean }

/** One transport with its consumers. */
export interface MediaLink {
  /** The server took our DTLS half. */
  accept(): void
  /** Closes the transport; nothing is told any more. */
  close(): void
}

/** What came with `consumed`: everything a link is made from. Plain data. */
export interface LinkPlan {
  readonly transport: TransportOptions
  readonly consumers: readonly ConsumerOptions[]
}

/** The browser's media, as the player's statechart asks for it. Tests give their own. */
export interface PlayerMedia {
  /**
   * What this browser can receive of what the server can send. Rejects when the browser
   * has no WebRTC or is too old for it.
   */
  capabilities(router: Record<string, unknown>): Promise<Record<string, unknown>>
  /** Opens a link; `capabilities` must have resolved before. */
  open(plan: LinkPlan, tell: (fact: LinkFact) => void, show: (tracks: readonly MediaStreamTrack[]) => void): MediaLink
}

/** {@link PlayerMedia} with mediasoup-client. */
export function createPlayerMedia(): PlayerMedia {
  let loaded: { readonly router: string; readonly device: Device } | null = null
  return {
    async capabilities(router) {
      const key = JSON.stringify(router)
      if (loaded?.router !== key) {
        const device = await MediasoupDevice.factory()
        await device.load({ routerRtpCapabilities: router as types.RtpCapabilities })
        loaded = { router: key, device }
      }
      // A copy as plain JSON: it goes into a message and into the statechart's context.
      return structuredClone(loaded.device.recvRtpCapabilities) as unknown as Record<string, unknown>
    },
    open(plan, tell, show) {
      if (loaded === null) throw new Error('capabilities() comes before open()')
      return openLink(loaded.device, plan, tell, show)
    },
  }
}

function openLink(
  device: Device,
  plan: LinkPlan,
  tell: (fact: LinkFact) => void,
  show: (tracks: readonly MediaStreamTrack[]) => void,
): MediaLink {
  let closed = false
  let accept: (() => void) | null = null
  const say = (fact: LinkFact) => {
    if (!closed) tell(fact)
  }
  // The contract leaves mediasoup's own structures opaque; here they get their types back.
  const transport = device.createRecvTransport(plan.transport as unknown as types.TransportOptions)
  transport.on('connect', ({ dtlsParameters }, done) => {
    accept = done
    say({ type: 'link.dtls', dtlsParameters: dtlsParameters as unknown as Record<string, unknown> })
  })
  transport.on('connectionstatechange', (state) => {
    if (state !== 'new' && state !== 'closed') say({ type: 'link.state', state })
  })
  Promise.all(plan.consumers.map((options) => transport.consume(options as unknown as types.ConsumerOptions))).then(
    (consumers) => {
      if (closed) return
      show(consumers.map((consumer) => consumer.track))
      say({ type: 'link.tracks', audio: consumers.some((consumer) => consumer.kind === 'audio') })
    },
    () => say({ type: 'link.state', state: 'failed' }),
  )
  return {
    accept() {
      accept?.()
      accept = null
    },
    close() {
      closed = true
      transport.close()
    },
  }
}
