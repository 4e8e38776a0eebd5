import type { types } from 'mediasoup'
import { NotFoundError, WorkerClosedError } from 'mediasoup/errors'
import * as ortc from 'mediasoup/ortc'
import type { IceRestart, IceSession, MediaPort, PublicationFact, ViewerFact } from '../../actors/ports/media.ts'
import type { ConsumerOptions, TransportOptions } from '../../contracts/broadcast.ts'
import { RefusedError, refuse } from '../../contracts/problem.ts'
import { serverFull } from '../consumer-budget.ts'
import { mediaUnavailable } from '../deadline.ts'
import { sdpRefusal } from '../sdp-bridge/offer.ts'
import { readWhepOffer } from '../sdp-bridge/whep.ts'
import { readWhipOffer } from '../sdp-bridge/whip.ts'
import type { Workers } from '../workers.ts'
import { readDtlsParameters } from './dtls-parameters.ts'
import { FactBoard } from './fact-board.ts'
import { notLive, Room } from './room.ts'

export interface RoomsOptions {
  readonly codecs: readonly types.RouterRtpCodecCapability[]
  readonly requestTimeoutMs: number
}

/** The rooms of all streams. Input is read and checked here, before anything is made. */
export class Rooms implements MediaPort {
  readonly rtpCapabilities: Record<string, unknown>
  readonly #routerCapabilities: types.RtpCapabilities
  readonly #options: RoomsOptions
  readonly #workers: Workers
  readonly #rooms = new Map<string, Room>()
  readonly #publicationFacts = new FactBoard<PublicationFact>({ type: 'closed' })
  readonly #viewerFacts = new FactBoard<ViewerFact>({ type: 'closed' })

  constructor(workers: Workers, options: RoomsOptions) {
    this.#workers = workers
    this.#options = options
    // Every room's router has the same, so they can be told before there is any.
    this.#routerCapabilities = ortc.generateRouterRtpCapabilities(structuredClone([...options.codecs]))
    this.rtpCapabilities = structuredClone(this.#routerCapabilities) as unknown as Record<string, unknown>
  }

  async openPublication(input: {
    stream: string
    publication: string
    worker: string
    offer: string
    held: boolean
  }): Promise<{ answer: string; ice: IceSession }> {
    const publishing = readWhipOffer(input.offer, this.#routerCapabilities)
    const room = this.#rooms.get(input.stream) ?? this.#makeRoom(input.stream, input.worker, input.held)
    try {
      // The caller's word on the curtain is the newest there is.
      const turned = room.held === input.held ? null : input.held ? room.hold() : room.release()
      const [opened] = await Promise.all([room.openPublication(input.publication, publishing), turned])
      return opened
    } catch (error) {
      room.closePublication(input.publication)
      if (room.empty) room.close()
      throw refusalOf(error, () =>
        sdpRefusal(
          'unsupported_offer',
          'The tracks of the offer cannot be received together. Give each its own a=ssrc.',
        ),
      )
    }
  }

  async restartPublicationIce({ stream, publication }: { stream: string; publication: string }): Promise<IceRestart> {
    return await this.#ask(() => this.#room(stream).restartPublicationIce(publication))
  }

  closePublication({ stream, publication }: { stream: string; publication: string }): void {
    this.#rooms.get(stream)?.closePublication(publication)
  }

  observePublication({ publication }: { publication: string }, tell: (fact: PublicationFact) => void): () => void {
    return this.#publicationFacts.observe(publication, tell)
  }

  async openViewer(input: {
    stream: string
    viewer: string
    rtpCapabilities: Record<string, unknown>
  }): Promise<{ transport: TransportOptions; consumers: readonly ConsumerOptions[] }> {
    const refused = () =>
      new RefusedError(refuse('invalid_request', 'rtpCapabilities are not what mediasoup-client gives. Send those.'))
    const rtpCapabilities = structuredClone(input.rtpCapabilities) as types.RtpCapabilities
    try {
      ortc.validateAndNormalizeRtpCapabilities(rtpCapabilities)
    } catch {
      throw refused()
    }
    return this.#ask(() => this.#room(input.stream).openViewer(input.viewer, rtpCapabilities), refused)
  }

  async connectViewer(input: {
    stream: string
    viewer: string
    dtlsParameters: Record<string, unknown>
  }): Promise<void> {
    const dtlsParameters = readDtlsParameters(input.dtlsParameters)
    await this.#ask(() => this.#room(input.stream).connectViewer(input.viewer, dtlsParameters))
  }

  async openWhepViewer(input: {
    stream: string
    viewer: string
    offer: string
  }): Promise<{ answer: string; ice: IceSession }> {
    const playing = readWhepOffer(input.offer)
    return await this.#ask(
      () => this.#room(input.stream).openWhepViewer(input.viewer, playing),
      () => sdpRefusal('unsupported_offer', 'The offer cannot be answered: its payload types contradict each other.'),
    )
  }

  async restartViewerIce({ stream, viewer }: { stream: string; viewer: string }): Promise<IceRestart> {
    return await this.#ask(() => this.#room(stream).restartViewerIce(viewer))
  }

  async startViewer({ stream, viewer }: { stream: string; viewer: string }): Promise<void> {
    await this.#ask(() => this.#room(stream).startViewer(viewer))
  }

  closeViewer({ stream, viewer }: { stream: string; viewer: string }): void {
    this.#rooms.get(stream)?.closeViewer(viewer)
  }

  observeViewer({ viewer }: { viewer: string }, tell: (fact: ViewerFact) => void): () => void {
    return this.#viewerFacts.observe(viewer, tell)
  }

  /** Not `async`, and nothing before the room's own first request: see {@link Room.hold}. */
  hold({ stream }: { stream: string }): Promise<void> {
    return this.#turn(this.#rooms.get(stream)?.hold())
  }

  release({ stream }: { stream: string }): Promise<void> {
    return this.#turn(this.#rooms.get(stream)?.release())
  }

  closeRoom({ stream }: { stream: string }): void {
    this.#rooms.get(stream)?.close()
  }

  /** Closes every room. */
  close(): void {
    for (const room of [...this.#rooms.values()]) room.close()
  }

  #makeRoom(stream: string, worker: string, held: boolean): Room {
    const host = this.#workers.host(worker)
    if (host === null) throw mediaUnavailable()
    // The pool knows from the last beat alone.
    if (host.consumers.spent) throw serverFull()
    const room = new Room({
      stream,
      host,
      held,
      codecs: this.#options.codecs,
      requestTimeoutMs: this.#options.requestTimeoutMs,
      publicationFacts: this.#publicationFacts,
      viewerFacts: this.#viewerFacts,
      onClosed: () => {
        if (this.#rooms.get(stream) === room) this.#rooms.delete(stream)
      },
    })
    this.#rooms.set(stream, room)
    return room
  }

  #room(stream: string): Room {
    const room = this.#rooms.get(stream)
    if (room === undefined) throw notLive()
    return room
  }

  async #ask<T>(request: () => Promise<T>, otherwise?: () => RefusedError): Promise<T> {
    try {
      return await request()
    } catch (error) {
      throw refusalOf(error, otherwise)
    }
  }

  async #turn(turned: Promise<void> | undefined): Promise<void> {
    await turned?.catch((error: unknown) => {
      throw refusalOf(error)
    })
  }
}

/**
 * mediasoup's errors as refusals. `otherwise`: for what it throws at parameters that it
 * cannot use, which come from the client.
 */
function refusalOf(error: unknown, otherwise: () => RefusedError = mediaUnavailable): RefusedError {
  if (error instanceof RefusedError) return error
  if (error instanceof WorkerClosedError) return mediaUnavailable()
  if (error instanceof NotFoundError) return notLive()
  return otherwise()
}
