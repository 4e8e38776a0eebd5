import type { types } from 'mediasoup'
import type { IceRestart, IceSession, PublicationFact, ViewerFact } from '../../actors/ports/media.ts'
import type { ConsumerOptions, TransportOptions } from '../../contracts/broadcast.ts'
import { RefusedError, refuse } from '../../contracts/problem.ts'
import { mediaUnavailable, within } from '../deadline.ts'
import { type Consumable, type Dialect, planDialect } from '../sdp-bridge/dialect.ts'
import type { OutgoingTrack, Playing } from '../sdp-bridge/whep.ts'
import type { Publishing } from '../sdp-bridge/whip.ts'
import type { WorkerHost } from '../workers.ts'
import { DialectRouter, DialectUse } from './dialect-router.ts'
import type { FactBoard } from './fact-board.ts'
import type { Link } from './link.ts'
import { Publication } from './publication.ts'
import { isGone, pauseAll, resumeAll, type Valve } from './valve.ts'
import { Viewer } from './viewer.ts'

export interface RoomSetup {
  readonly stream: string
  readonly host: WorkerHost
  readonly codecs: readonly types.RouterRtpCodecCapability[]
  readonly held: boolean
  readonly requestTimeoutMs: number
  readonly publicationFacts: FactBoard<PublicationFact>
  readonly viewerFacts: FactBoard<ViewerFact>
  readonly onClosed: () => void
}

/**
 * One stream's media: a router on one worker, the desk's publications, the viewers.
 *
 * It is there, with its curtain, from the moment that it is asked for, before the worker has
 * answered: a `hold` that comes in between is not lost. Nothing in it ever begins to flow by
 * itself. Producers and consumers are made paused, and what opens one looks at the curtain
 * and sends the request in the same turn; the worker's channel keeps the order of requests.
 * So after a `hold` is confirmed nothing flows, whatever was under way, and of overlapping
 * holds and releases the last one wins.
 */
export class Room {
  readonly #setup: RoomSetup
  readonly #router: Promise<types.Router>
  #openRouter: types.Router | null = null
  readonly #publications = new Map<string, Publication>()
  readonly #viewers = new Map<string, Viewer>()
  readonly #dialects = new Map<string, DialectUse>()
  readonly #dialectRouters = new Set<DialectRouter>()
  #held: boolean
  #closed = false

  constructor(setup: RoomSetup) {
    this.#setup = setup
    this.#held = setup.held
    this.#router = this.#makeRouter()
    // Who needs the router awaits it and is told; nobody has to.
    this.#router.catch(() => this.close())
  }

  get held(): boolean {
    return this.#held
  }

  get empty(): boolean {
    return this.#publications.size === 0 && this.#viewers.size === 0
  }

  /** Makes the transport and producers of an understood WHIP offer; answers with the SDP answer. */
  async openPublication(id: string, publishing: Publishing): Promise<{ answer: string; ice: IceSession }> {
    this.closePublication(id)
    const publication = new Publication(id, this.#setup.publicationFacts, this.#setup.requestTimeoutMs, () => {
      if (this.#publications.get(id) === publication) this.#publications.delete(id)
    })
    this.#publications.set(id, publication)
    return this.#opening(publication.link, async () => {
      const transport = publication.link.adopt(await this.#makeTransport({ iceConsentTimeout: 10 }))
      await publication.produce(transport, publishing)
      if (!this.#held) await resumeAll(publication.producers)
      const answer = publishing.answer(transport)
      publication.iceFragment = publishing.iceFragment
      publication.ready = true
      return { answer, ice: iceSession(transport, publishing.iceUfrag) }
    })
  }

  /** Restarts ICE of a WHIP session (RFC 9725 section 4.3.3). */
  async restartPublicationIce(id: string): Promise<IceRestart> {
    const publication = this.#publications.get(id)
    if (publication?.iceFragment == null) throw noSession()
    return await publication.link.restartIce(this.#setup.requestTimeoutMs, publication.iceFragment)
  }

  closePublication(id: string): void {
    this.#publications.get(id)?.link.close()
  }

  /** For our own player: consumers by its capabilities, the transport for it to connect. */
  async openViewer(
    id: string,
    rtpCapabilities: types.RtpCapabilities,
  ): Promise<{ transport: TransportOptions; consumers: ConsumerOptions[] }> {
    this.closeViewer(id)
    const producers = this.#onAir()
    const viewer = this.#addViewer(id)
    return this.#opening(viewer.link, async () => {
      const router = await this.#router
      const consumable = producers.filter(({ id: producerId }) => router.canConsume({ producerId, rtpCapabilities }))
      if (consumable.length === 0) {
        throw new RefusedError(refuse('no_compatible_codecs', 'This browser cannot play what the desk sends.'))
      }
      this.#takeRoom(viewer, consumable.length)
      const transport = viewer.link.adopt(await this.#makeTransport({}))
      const consumers = await Promise.all(
        consumable.map((producer) => viewer.consume(transport, producer.id, rtpCapabilities)),
      )
      await this.#flow(viewer)
      const { iceParameters, iceCandidates, dtlsParameters } = transport
      return {
        transport: { id: transport.id, iceParameters, iceCandidates, dtlsParameters } as unknown as TransportOptions,
        consumers: consumers.map(
          ({ id, producerId, kind, rtpParameters }) =>
            ({ id, producerId, kind, rtpParameters }) as unknown as ConsumerOptions,
        ),
      }
    })
  }

  /** Takes the player's DTLS half. */
  async connectViewer(id: string, dtlsParameters: types.DtlsParameters): Promise<void> {
    const viewer = this.#viewer(id)
    const { transport } = viewer.link
    if (transport === null || viewer.connecting) {
      throw new RefusedError(refuse('wrong_order', 'Connect once, with what consume answered. Ask to consume again.'))
    }
    viewer.connecting = true
    await within(this.#setup.requestTimeoutMs, transport.connect({ dtlsParameters }))
  }

  /** Makes what an understood WHEP offer wants and can have; answers with the SDP answer. */
  async openWhepViewer(id: string, playing: Playing): Promise<{ answer: string; ice: IceSession }> {
    this.closeViewer(id)
    const producers = this.#onAir()
    const dialect = planDialect(playing.wanted, producers.map(consumableOf))
    const viewer = this.#addViewer(id)
    return this.#opening(viewer.link, async () => {
      this.#takeRoom(viewer, dialect.tracks.length)
      const dialectRouter = await this.#useDialect(dialect, viewer)
      const transport = viewer.link.adopt(await this.#makeTransport({}, dialectRouter.router))
      const [, ...tracks] = await Promise.all([
        transport.connect({ dtlsParameters: playing.dtlsParameters }),
        ...dialect.tracks.map(async ({ section, producer, rtpCapabilities }) => {
          const piped = await dialectRouter.pipe(producer)
          const { rtpParameters, kind } = await viewer.consume(transport, piped.id, rtpCapabilities)
          return [section, { rtpParameters, streamId: 'footlight', trackId: kind }] satisfies [number, OutgoingTrack]
        }),
      ])
      await this.#flow(viewer)
      const sent = new Map(tracks)
      viewer.iceFragment = (restarted) => playing.iceFragment(restarted, new Set(sent.keys()))
      return { answer: playing.answer(transport, sent), ice: iceSession(transport, playing.iceUfrag) }
    })
  }

  /** Restarts ICE of a WHEP session. */
  async restartViewerIce(id: string): Promise<IceRestart> {
    const viewer = this.#viewers.get(id)
    if (viewer?.iceFragment == null) throw noSession()
    return await viewer.link.restartIce(this.#setup.requestTimeoutMs, viewer.iceFragment)
  }

  /** Lets a viewer's media flow, now or when the curtain goes down. */
  async startViewer(id: string): Promise<void> {
    const viewer = this.#viewer(id)
    viewer.started = true
    await this.#flow(viewer)
  }

  closeViewer(id: string): void {
    this.#viewers.get(id)?.link.close()
  }

  /** Raises the curtain: what sends to anybody last, so that nothing new gets to it. */
  hold(): Promise<void> {
    this.#held = true
    return this.#confirmed(pauseAll([...this.#producers(), ...this.#pipes(), ...this.#consumers(() => true)]))
  }

  /**
   * Lowers the curtain, from the viewers' end up, so that the key frame, which a producer asks
   * of the desk when it is resumed, finds every way open.
   */
  release(): Promise<void> {
    this.#held = false
    return this.#confirmed(
      resumeAll([...this.#consumers(({ started }) => started), ...this.#pipes(), ...this.#producers()]),
    )
  }

  /** Closes everything. Idempotent. */
  close(): void {
    if (this.#closed) return
    this.#closed = true
    for (const { link } of [...this.#publications.values(), ...this.#viewers.values()]) link.close()
    for (const dialect of this.#dialectRouters) dialect.close()
    this.#openRouter?.close()
    this.#setup.onClosed()
  }

  async #makeRouter(): Promise<types.Router> {
    const router = await this.#setup.host.worker.createRouter({ mediaCodecs: [...this.#setup.codecs] })
    if (this.#closed || router.closed) {
      router.close()
      throw mediaUnavailable()
    }
    this.#openRouter = router
    router.observer.once('close', () => this.close())
    return router
  }

  async #makeTransport(options: { iceConsentTimeout?: number }, router?: types.Router): Promise<types.WebRtcTransport> {
    return (router ?? (await this.#router)).createWebRtcTransport({
      webRtcServer: this.#setup.host.server,
      enableUdp: true,
      enableTcp: true,
      preferUdp: true,
      initialAvailableOutgoingBitrate: 2_500_000,
      ...options,
    })
  }

  /** Bounds what makes something in time, and leaves nothing of it when it fails. */
  async #opening<T>(link: Link, open: () => Promise<T>): Promise<T> {
    try {
      const opened = await within(this.#setup.requestTimeoutMs, open())
      if (link.closed) throw mediaUnavailable()
      return opened
    } catch (error) {
      const lost = link.closed || this.#closed || this.#setup.host.worker.closed
      link.close()
      throw lost ? mediaUnavailable() : error
    }
  }

  async #confirmed(...requests: Promise<void>[]): Promise<void> {
    if (requests.length === 0) return
    await within(this.#setup.requestTimeoutMs, Promise.all(requests)).catch((error: unknown) => {
      // A room that is closed is as still as it gets.
      if (!this.#closed) throw error
    })
  }

  /** Opens what a viewer has, if it watches and nothing is held. */
  async #flow(viewer: Viewer): Promise<void> {
    if (this.#held || !viewer.started) return
    await this.#confirmed(
      resumeAll(viewer.consumers),
      // For one that flows already; a consumer that begins to flow asks by itself.
      ...viewer.consumers.filter(({ kind }) => kind === 'video').map(askKeyFrame),
    )
  }

  #addViewer(id: string): Viewer {
    const viewer = new Viewer(id, this.#setup.viewerFacts, () => {
      if (this.#viewers.get(id) === viewer) this.#viewers.delete(id)
    })
    this.#viewers.set(id, viewer)
    return viewer
  }

  /** Counts the viewer's consumers against the worker's limit for as long as its link is there. */
  #takeRoom(viewer: Viewer, consumers: number): void {
    viewer.link.onClosed(this.#setup.host.consumers.take(consumers))
  }

  #viewer(id: string): Viewer {
    const viewer = this.#viewers.get(id)
    if (viewer === undefined)
      throw new RefusedError(refuse('wrong_order', 'There is no such viewer. Ask to consume first.'))
    return viewer
  }

  /** The producers of the newest publication: a desk that comes back replaces itself. */
  #onAir(): readonly types.Producer[] {
    const publication = [...this.#publications.values()].reverse().find(({ ready }) => ready)
    const producers = publication?.producers ?? []
    if (producers.length === 0) throw notLive()
    return producers
  }

  /** The dialect's router, made by the first viewer who speaks it and closed after the last. */
  #useDialect(dialect: Dialect, viewer: Viewer): Promise<DialectRouter> {
    const known = this.#dialects.get(dialect.key)
    const use = known ?? new DialectUse(this.#makeDialect(dialect))
    if (known === undefined) this.#dialects.set(dialect.key, use)
    use.users += 1
    viewer.link.onClosed(() => {
      use.users -= 1
      if (use.users > 0) return
      if (this.#dialects.get(dialect.key) === use) this.#dialects.delete(dialect.key)
      use.close()
    })
    return use.making
  }

  async #makeDialect({ codecs }: Dialect): Promise<DialectRouter> {
    const dialectRouter = await DialectRouter.make(
      this.#setup.host.worker,
      await this.#router,
      codecs,
      async (valves) => {
        await (this.#held ? pauseAll(valves) : resumeAll(valves))
      },
    )
    this.#dialectRouters.add(dialectRouter)
    dialectRouter.router.observer.once('close', () => this.#dialectRouters.delete(dialectRouter))
    if (this.#closed || dialectRouter.router.closed) {
      this.#dialectRouters.delete(dialectRouter)
      dialectRouter.close()
      throw mediaUnavailable()
    }
    return dialectRouter
  }

  *#producers(): Iterable<Valve> {
    for (const { producers } of this.#publications.values()) yield* producers
  }

  *#pipes(): Iterable<Valve> {
    for (const { valves } of this.#dialectRouters) yield* valves
  }

  *#consumers(which: (viewer: Viewer) => boolean): Iterable<Valve> {
    for (const viewer of this.#viewers.values()) if (which(viewer)) yield* viewer.consumers
  }
}

async function askKeyFrame(consumer: types.Consumer): Promise<void> {
  await consumer.requestKeyFrame().catch((error: unknown) => {
    if (!isGone(consumer, error)) throw error
  })
}

function consumableOf({ id, kind, consumableRtpParameters }: types.Producer): Consumable {
  return { producer: id, kind, rtpParameters: consumableRtpParameters }
}

function iceSession({ iceParameters }: types.WebRtcTransport, client: string): IceSession {
  return { tag: iceParameters.usernameFragment, client }
}

function noSession(): RefusedError {
  return new RefusedError(refuse('session_not_found', 'There is no such session. Start a new one.'))
}

export function notLive(): RefusedError {
  return new RefusedError(refuse('not_live', 'The desk sends nothing now. Try again when the stream is live.', 2))
}
