import type { ConsumerOptions, TransportOptions } from '../../contracts/broadcast.ts'

/** One ICE session of a WHIP or WHEP session: an ICE restart makes another. */
export interface IceSession {
  /** Names it: unique, unguessable, letters and digits. It serves as the entity tag (RFC 9725 section 4.3.1). */
  readonly tag: string
  /** The client's username fragment: a fragment with another one restarts ICE. */
  readonly client: string
}

/** What a restart made. */
export interface IceRestart {
  /** Our new half, as an SDP fragment (RFC 8840). */
  readonly fragment: string
  readonly tag: string
}

/**
 * What the actors ask of the media layer. The layer holds handles (transports, producers,
 * consumers) under the ids that the actors chose, and decides nothing: whatever an actor
 * did not ask for is not there.
 *
 * Every call is time-boxed by the layer. It rejects with `RefusedError` for what the caller
 * can act on (`invalid_sdp`, `no_compatible_codecs`, `unsupported_offer`,
 * `server_full`, `media_unavailable`) and never leaves half of what it began.
 */
export interface MediaPort {
  /**
   * Answers a WHIP offer (RFC 9725): makes the stream's room on `worker` when it has none,
   * a transport and the producers. `held`: the curtain is up, so nothing may flow on.
   */
  openPublication(input: {
    stream: string
    publication: string
    worker: string
    offer: string
    held: boolean
  }): Promise<{ answer: string; ice: IceSession }>
  /**
   * Restarts ICE of a WHIP session. What fails leaves the session and its ICE as they were. The
   * client's new half is not asked for: we are ICE-lite and learn it from its checks (RFC 8445 section 2.5).
   */
  restartPublicationIce(input: { stream: string; publication: string }): Promise<IceRestart>
  /** Closes the transport and producers. Idempotent. */
  closePublication(input: { stream: string; publication: string }): void
  /** Reports what happens to a publication until the returned function is called. */
  observePublication(input: { publication: string }, tell: (fact: PublicationFact) => void): () => void

  /** What a player needs before it can say what it can receive. The same for every stream. */
  readonly rtpCapabilities: Record<string, unknown>
  /** Makes a transport and one paused consumer for each producer, for our own player. */
  openViewer(input: {
    stream: string
    viewer: string
    rtpCapabilities: Record<string, unknown>
  }): Promise<{ transport: TransportOptions; consumers: readonly ConsumerOptions[] }>
  /** The player's DTLS half. */
  connectViewer(input: { stream: string; viewer: string; dtlsParameters: Record<string, unknown> }): Promise<void>
  /** Answers a WHEP offer: a transport and one paused consumer for each m-section it can fill. */
  openWhepViewer(input: { stream: string; viewer: string; offer: string }): Promise<{ answer: string; ice: IceSession }>
  /** As {@link MediaPort.restartPublicationIce}, of a WHEP session. */
  restartViewerIce(input: { stream: string; viewer: string }): Promise<IceRestart>
  /** Lets a viewer's consumers flow, unless the room is held. Asks for a key frame. */
  startViewer(input: { stream: string; viewer: string }): Promise<void>
  /** Closes the viewer's transport and consumers. Idempotent. */
  closeViewer(input: { stream: string; viewer: string }): void
  observeViewer(input: { viewer: string }, tell: (fact: ViewerFact) => void): () => void

  /**
   * The curtain. Pauses every producer and consumer of the stream; resolves when the worker
   * has confirmed all of it, so that nothing leaves any more. Consumers made while held stay
   * paused. A stream without a room has nothing to hold: resolves at once.
   */
  hold(input: { stream: string }): Promise<void>
  /** Ends `hold`: consumers that were started flow again, from a key frame. */
  release(input: { stream: string }): Promise<void>
  /** Closes everything of a stream: publication, viewers, router. Idempotent. */
  closeRoom(input: { stream: string }): void
}

export type PublicationFact =
  /** ICE and DTLS are up. Said again when ICE comes back. */
  | { readonly type: 'connected' }
  /** ICE consent was lost (RFC 7675). */
  | { readonly type: 'disconnected' }
  /** RTP came within the last second. Said about once a second while that is so. */
  | { readonly type: 'packets' }
  /** The transport is gone and does not come back: DTLS closed, worker dead, or closed by us. */
  | { readonly type: 'closed' }

export type ViewerFact =
  | { readonly type: 'connected' }
  | { readonly type: 'disconnected' }
  | { readonly type: 'closed' }

/** A worker's sign of life. */
export interface WorkerBeat {
  /** It carries as many viewers as it may: no stream is to be put there. */
  readonly full: boolean
}

/** What the media pool's actor asks of the media layer: processes, one a core. */
export interface WorkerPort {
  /** Starts the worker process and its `WebRtcServer`. Rejects with a sentence that helps. */
  start(input: { worker: string }): Promise<void>
  /** Resolves when the worker answers a small request; the caller sets the deadline. */
  beat(input: { worker: string }): Promise<WorkerBeat>
  /** Ends the process, hard. Idempotent. */
  kill(input: { worker: string }): void
  /** Calls `died` once when the process is gone. */
  observe(input: { worker: string }, died: () => void): () => void
}
