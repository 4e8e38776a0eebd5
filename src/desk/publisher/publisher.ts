/** What the machine outside is told of the link, as `RTCPeerConnection.connectionState` says it. */
export type LinkReport = (session: number, state: RTCPeerConnectionState) => void

/** ICE gathering on a host with no STUN is over at once; a slow interface is not waited for. */
const gatherLimit = 500

/**
 * The media half of the desk, in the page that it shows: captures the tab and holds the peer
 * connection. The HTTP half (WHIP, RFC 9725) is outside the browser, so the publish ticket never
 * enters the page whose picture goes on air.
 */
export class TabPublisher {
  #track: MediaStreamTrack | undefined
  #link: { readonly session: number; readonly peer: RTCPeerConnection; readonly sender: RTCRtpSender } | undefined
  #encoding = true
  #settled: Promise<void> = Promise.resolve()

  constructor(readonly report: LinkReport) {}

  /** Captures the tab. Once; rejects when the browser refuses. */
  async capture(): Promise<void> {
    const stream = await navigator.mediaDevices.getDisplayMedia({
      video: { frameRate: { max: 30 }, width: 1280, height: 720 },
      audio: false,
      // Chromium's, not yet in the DOM's types.
      ...{ preferCurrentTab: true },
    })
    const [track] = stream.getVideoTracks()
    if (track === undefined) throw new Error('The tab was captured without a picture')
    // A screen with text on it: fine detail matters more than smooth motion.
    track.contentHint = 'detail'
    this.#track = track
  }

  /**
   * Starts session number `session` in place of the one before and resolves with the offer: one
   * `sendonly` video m-section with its candidates in it (RFC 9725 section 4.1).
   */
  async offer(session: number): Promise<string> {
    this.close()
    const track = this.#track
    if (track === undefined) throw new Error('Nothing is captured yet')
    const peer = new RTCPeerConnection({ bundlePolicy: 'max-bundle' })
    const transceiver = peer.addTransceiver(track, {
      direction: 'sendonly',
      sendEncodings: [{ maxBitrate: 2_500_000, maxFramerate: 30, active: this.#encoding, networkPriority: 'high' }],
    })
    transceiver.setCodecPreferences(preferredCodecs())
    peer.onconnectionstatechange = () => {
      if (this.#link?.peer === peer) this.report(session, peer.connectionState)
    }
    this.#link = { session, peer, sender: transceiver.sender }
    await peer.setLocalDescription()
    await gathered(peer)
    const sdp = peer.localDescription?.sdp
    if (sdp === undefined) throw new Error('The browser made no offer')
    return sdp
  }

  /** Takes the server's answer to the offer of that session. */
  async accept(session: number, answer: string): Promise<void> {
    const link = this.#link
    if (link?.session !== session) throw new Error('The answer is for an earlier session')
    await link.peer.setRemoteDescription({ type: 'answer', sdp: answer })
    await this.#settle()
  }

  /**
   * Stops or starts encoding, without a negotiation: the link stays up, and the encoder begins
   * again with a key frame. Holds for later sessions too.
   */
  encode(on: boolean): Promise<void> {
    this.#encoding = on
    return this.#settle()
  }

  /** Brings the sender to what was asked last. In turn: `setParameters` allows one at a time. */
  #settle(): Promise<void> {
    const turn = this.#settled.then(async () => {
      const sender = this.#link?.sender
      if (sender === undefined) return
      const parameters = sender.getParameters()
      // Text must stay readable: frames are dropped before pixels are.
      parameters.degradationPreference = 'maintain-resolution'
      for (const encoding of parameters.encodings) encoding.active = this.#encoding
      await sender.setParameters(parameters)
    })
    this.#settled = turn.catch(() => undefined)
    return turn
  }

  /** Closes the peer connection; the capture stays. */
  close(): void {
    const link = this.#link
    this.#link = undefined
    link?.peer.close()
  }
}

/** VP8 first: see docs/desk.md for what was measured. The others stay on offer. */
function preferredCodecs(): RTCRtpCodec[] {
  const codecs = RTCRtpSender.getCapabilities('video')?.codecs ?? []
  const rank = (codec: RTCRtpCodec) => (codec.mimeType === 'video/VP8' ? 0 : 1)
  return [...codecs].sort((a, b) => rank(a) - rank(b))
}

function gathered(peer: RTCPeerConnection): Promise<void> {
  return new Promise((resolve) => {
    const done = () => {
      clearTimeout(timer)
      peer.onicegatheringstatechange = null
      resolve()
    }
    const timer = setTimeout(done, gatherLimit)
    const look = () => {
      if (peer.iceGatheringState === 'complete') done()
    }
    peer.onicegatheringstatechange = look
    look()
  })
}
