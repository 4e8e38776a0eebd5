import type { MediaPort, PublicationFact, ViewerFact, WorkerBeat, WorkerPort } from '../../src/actors/ports/media.ts'
import { RefusedError, refuse } from '../../src/contracts/problem.ts'

interface Room {
  held: boolean
  publication: string | null
  /** Viewers with a session, and whether they were started. */
  viewers: Map<string, { started: boolean }>
}

/** A media port for tests of actors: keeps what it was asked for, says what it is told to say. */
export class FakeMedia implements MediaPort {
  readonly rtpCapabilities = { codecs: [] }
  readonly calls: string[] = []
  readonly rooms = new Map<string, Room>()
  readonly #publications = new Map<string, (fact: PublicationFact) => void>()
  readonly #viewers = new Map<string, (fact: ViewerFact) => void>()
  /** Set to make an answer wait until it resolves. */
  gate: { hold?: Promise<void>; release?: Promise<void>; open?: Promise<void>; restart?: Promise<void> } = {}
  #restarts = 0

  fact(publication: string, type: PublicationFact['type']): void {
    this.#publications.get(publication)?.({ type })
  }
  viewerFact(viewer: string, type: ViewerFact['type']): void {
    this.#viewers.get(viewer)?.({ type })
  }
  /** The viewers whose picture moves now. */
  flowing(stream: string): string[] {
    const room = this.rooms.get(stream)
    if (!room || room.held || room.publication === null) return []
    return [...room.viewers].filter(([, { started }]) => started).map(([viewer]) => viewer)
  }

  async openPublication(input: Parameters<MediaPort['openPublication']>[0]) {
    this.calls.push(`openPublication ${input.publication} on ${input.worker}${input.held ? ' held' : ''}`)
    if (input.offer === 'bad') throw new RefusedError(refuse('invalid_sdp', 'Send an SDP offer.'))
    await this.gate.open
    const room = this.rooms.get(input.stream) ?? { held: false, publication: null, viewers: new Map() }
    room.held = input.held
    room.publication = input.publication
    this.rooms.set(input.stream, room)
    return { answer: `answer to ${input.offer}`, ice: { tag: `${input.publication}-ice`, client: 'client' } }
  }
  restartPublicationIce({ publication }: { publication: string }) {
    return this.#restartIce(publication)
  }
  restartViewerIce({ viewer }: { viewer: string }) {
    return this.#restartIce(viewer)
  }
  async #restartIce(session: string) {
    const tag = `${session}-ice${++this.#restarts}`
    this.calls.push(`restartIce ${session}`)
    await this.gate.restart
    return { fragment: `fragment of ${tag}`, tag }
  }
  closePublication({ stream, publication }: { stream: string; publication: string }) {
    this.calls.push(`closePublication ${publication}`)
    const room = this.rooms.get(stream)
    if (room?.publication === publication) room.publication = null
  }
  observePublication({ publication }: { publication: string }, tell: (fact: PublicationFact) => void) {
    this.#publications.set(publication, tell)
    return () => this.#publications.delete(publication)
  }
  async openViewer({ stream, viewer }: { stream: string; viewer: string }) {
    this.rooms.get(stream)?.viewers.set(viewer, { started: false })
    return { transport: { id: viewer, iceParameters: {}, iceCandidates: [], dtlsParameters: {} }, consumers: [] }
  }
  async connectViewer() {}
  async openWhepViewer({ stream, viewer, offer }: { stream: string; viewer: string; offer: string }) {
    if (offer === 'no codec') throw new RefusedError(refuse('no_compatible_codecs', 'Offer a codec.'))
    this.rooms.get(stream)?.viewers.set(viewer, { started: false })
    return { answer: 'whep answer', ice: { tag: `${viewer}-ice`, client: 'client' } }
  }
  async startViewer({ stream, viewer }: { stream: string; viewer: string }) {
    const seat = this.rooms.get(stream)?.viewers.get(viewer)
    if (seat) seat.started = true
  }
  closeViewer({ stream, viewer }: { stream: string; viewer: string }) {
    this.rooms.get(stream)?.viewers.delete(viewer)
  }
  observeViewer({ viewer }: { viewer: string }, tell: (fact: ViewerFact) => void) {
    this.#viewers.set(viewer, tell)
    return () => this.#viewers.delete(viewer)
  }
  async hold({ stream }: { stream: string }) {
    this.calls.push('hold')
    const room = this.rooms.get(stream)
    if (room) room.held = true
    await this.gate.hold
  }
  async release({ stream }: { stream: string }) {
    this.calls.push('release')
    const room = this.rooms.get(stream)
    if (room) room.held = false
    await this.gate.release
  }
  closeRoom({ stream }: { stream: string }) {
    this.calls.push('closeRoom')
    this.rooms.delete(stream)
  }
}

/** Worker processes for tests of actors: each starts at once unless told otherwise. */
export class FakeWorkers implements WorkerPort {
  readonly calls: string[] = []
  readonly #observers = new Map<string, () => void>()
  failing = new Set<string>()
  frozen = new Set<string>()
  full = new Set<string>()

  die(worker: string): void {
    this.#observers.get(worker)?.()
  }
  async start({ worker }: { worker: string }) {
    this.calls.push(`start ${worker}`)
    if (this.failing.has(worker)) throw new Error('no such program')
  }
  beat({ worker }: { worker: string }): Promise<WorkerBeat> {
    return this.frozen.has(worker) ? new Promise(() => {}) : Promise.resolve({ full: this.full.has(worker) })
  }
  kill({ worker }: { worker: string }) {
    this.calls.push(`kill ${worker}`)
  }
  observe({ worker }: { worker: string }, died: () => void) {
    this.#observers.set(worker, died)
    return () => this.#observers.delete(worker)
  }
}
