import type { MediaPort, PublicationFact, ViewerFact } from '../../../src/actors/ports/media.ts'
import { RefusedError, refuse } from '../../../src/contracts/problem.ts'
import { FactBoard } from '../../../src/media/rooms/fact-board.ts'
import { FakeWorkers } from '../fake-media.ts'

interface Room {
  readonly worker: string
  held: boolean
  /**
   * Whether anything may pass, seen at its worst: from the moment that a release is asked
   * for until a later hold is confirmed.
   */
  open: boolean
  released: number
  readonly publications: Map<string, { opened: boolean }>
  readonly viewers: Map<string, { publication: string; started: boolean; connecting: boolean; connected: boolean }>
}

interface Request {
  readonly room: Room
  readonly answer: () => void
  readonly fail: (error: unknown) => void
}

const unavailable = () =>
  new RefusedError(refuse('media_unavailable', 'The media worker could not do it. Try again in a moment.', 1))

const noSession = () => new RefusedError(refuse('session_not_found', 'There is no such session. Start a new one.'))

/**
 * A media layer that behaves as the real one does, without media: a room is there from the
 * moment that it is asked for, requests are answered in order, what is closed in the meantime
 * is not left behind. Its worker answers at once, or when the test says so.
 */
export class PacedMedia implements MediaPort {
  readonly rtpCapabilities = { codecs: [] }
  readonly workers = new FakeWorkers()
  readonly rooms = new Map<string, Room>()
  /** Called whenever something changed. */
  onChange: () => void = () => {}
  #slow = false
  #refusing = 0
  #turn = 0
  #restarts = 0
  readonly #requests: Request[] = []
  readonly #publicationFacts = new FactBoard<PublicationFact>({ type: 'closed' })
  readonly #viewerFacts = new FactBoard<ViewerFact>({ type: 'closed' })

  // What a test does to it.

  set slow(slow: boolean) {
    this.#slow = slow
    if (!slow) this.answer(Number.POSITIVE_INFINITY)
  }

  /** Answers the oldest requests that wait. */
  answer(count: number): void {
    for (const { answer } of this.#requests.splice(0, Math.min(count, this.#requests.length))) answer()
  }

  /** The next request fails. */
  refuseOne(): void {
    this.#refusing++
  }

  /** The worker's process ends, and every room on it. */
  die(worker: string): void {
    for (const [stream, room] of this.rooms) if (room.worker === worker) this.closeRoom({ stream })
    this.workers.die(worker)
  }

  fact(publication: string, type: 'connected' | 'disconnected' | 'packets'): void {
    this.#publicationFacts.tell(publication, { type }, type !== 'packets')
  }

  viewerFact(viewer: string, type: 'connected' | 'disconnected'): void {
    for (const room of this.rooms.values()) {
      const seat = room.viewers.get(viewer)
      if (seat !== undefined) seat.connected = type === 'connected'
    }
    this.#viewerFacts.tell(viewer, { type }, true)
  }

  /** The desk hangs up: its transport closes. */
  hangUp(stream: string, publication: string): void {
    this.closePublication({ stream, publication })
  }

  // What a test asks of it.

  /** The viewers whose picture may move now. */
  flowing(stream: string): string[] {
    const room = this.rooms.get(stream)
    if (room === undefined || !room.open) return []
    return [...room.viewers]
      .filter(([, seat]) => seat.started && room.publications.get(seat.publication)?.opened)
      .map(([viewer]) => viewer)
  }

  publications(stream: string): string[] {
    return [...(this.rooms.get(stream)?.publications.keys() ?? [])]
  }

  // The port.

  async openPublication(input: Parameters<MediaPort['openPublication']>[0]) {
    if (input.offer === 'bad') throw new RefusedError(refuse('invalid_sdp', 'Send an SDP offer.'))
    const room = this.rooms.get(input.stream) ?? this.#makeRoom(input)
    const publication = { opened: false }
    this.#close(room, input.publication)
    room.publications.set(input.publication, publication)
    this.#publicationFacts.add(input.publication)
    const turned = room.held === input.held ? null : input.held ? this.#hold(room) : this.#release(room)
    const opened = this.#request(room, () => {
      if (room.publications.get(input.publication) !== publication) throw unavailable()
      publication.opened = true
      return { answer: `answer to ${input.offer}`, ice: { tag: `${input.publication}-ice`, client: 'client' } }
    })
    try {
      return (await Promise.all([opened, turned]))[0]
    } catch (error) {
      this.#close(room, input.publication)
      if (room.publications.size === 0 && room.viewers.size === 0) this.#closeRoom(input.stream, room)
      throw error
    }
  }

  async restartPublicationIce({ stream, publication }: { stream: string; publication: string }) {
    const room = this.rooms.get(stream)
    if (room?.publications.get(publication)?.opened !== true) throw noSession()
    return await this.#request(room, () => this.#restarted(publication))
  }

  closePublication({ stream, publication }: { stream: string; publication: string }) {
    const room = this.rooms.get(stream)
    if (room !== undefined) this.#close(room, publication)
  }

  observePublication({ publication }: { publication: string }, tell: (fact: PublicationFact) => void) {
    return this.#publicationFacts.observe(publication, tell)
  }

  async openViewer({ stream, viewer }: { stream: string; viewer: string }) {
    const transport = { id: viewer, iceParameters: {}, iceCandidates: [], dtlsParameters: {} }
    return await this.#open(stream, viewer, { transport, consumers: [] })
  }

  async openWhepViewer({ stream, viewer, offer }: { stream: string; viewer: string; offer: string }) {
    if (offer === 'bad') throw new RefusedError(refuse('no_compatible_codecs', 'Offer a codec.'))
    return await this.#open(stream, viewer, { answer: 'answer', ice: { tag: `${viewer}-ice`, client: 'client' } })
  }

  async restartViewerIce({ stream, viewer }: { stream: string; viewer: string }) {
    const room = this.rooms.get(stream)
    if (room?.viewers.get(viewer) === undefined) throw noSession()
    return await this.#request(room, () => this.#restarted(viewer))
  }

  async connectViewer({ stream, viewer }: { stream: string; viewer: string }) {
    const { room, seat } = this.#seat(stream, viewer)
    if (seat.connecting) throw new RefusedError(refuse('wrong_order', 'Connect once.'))
    seat.connecting = true
    await this.#request(room, () => {})
  }

  async startViewer({ stream, viewer }: { stream: string; viewer: string }) {
    const { room, seat } = this.#seat(stream, viewer)
    seat.started = true
    this.onChange()
    await this.#request(room, () => {})
  }

  closeViewer({ stream, viewer }: { stream: string; viewer: string }) {
    if (this.rooms.get(stream)?.viewers.delete(viewer)) this.#viewerFacts.remove(viewer)
  }

  observeViewer({ viewer }: { viewer: string }, tell: (fact: ViewerFact) => void) {
    return this.#viewerFacts.observe(viewer, tell)
  }

  async hold({ stream }: { stream: string }) {
    const room = this.rooms.get(stream)
    if (room !== undefined) await this.#hold(room)
  }

  async release({ stream }: { stream: string }) {
    const room = this.rooms.get(stream)
    if (room !== undefined) await this.#release(room)
  }

  closeRoom({ stream }: { stream: string }) {
    const room = this.rooms.get(stream)
    if (room !== undefined) this.#closeRoom(stream, room)
  }

  #restarted(session: string) {
    const tag = `${session}-ice${++this.#restarts}`
    return { fragment: `fragment of ${tag}`, tag }
  }

  #makeRoom({ stream, worker, held }: { stream: string; worker: string; held: boolean }): Room {
    const room: Room = { worker, held, open: !held, released: 0, publications: new Map(), viewers: new Map() }
    this.rooms.set(stream, room)
    return room
  }

  #closeRoom(stream: string, room: Room): void {
    for (const publication of [...room.publications.keys()]) this.#close(room, publication)
    for (const viewer of [...room.viewers.keys()]) {
      room.viewers.delete(viewer)
      this.#viewerFacts.remove(viewer)
    }
    if (this.rooms.get(stream) === room) this.rooms.delete(stream)
  }

  #close(room: Room, publication: string): void {
    if (room.publications.delete(publication)) this.#publicationFacts.remove(publication)
  }

  async #open<T>(stream: string, viewer: string, value: T): Promise<T> {
    this.closeViewer({ stream, viewer })
    const room = this.rooms.get(stream)
    const [publication] = [...(room?.publications ?? [])].reverse().find(([, { opened }]) => opened) ?? []
    if (room === undefined || publication === undefined) {
      throw new RefusedError(refuse('not_live', 'The desk sends nothing now.', 2))
    }
    const seat = { publication, started: false, connecting: false, connected: false }
    room.viewers.set(viewer, seat)
    this.#viewerFacts.add(viewer)
    try {
      return await this.#request(room, () => {
        if (room.viewers.get(viewer) !== seat) throw unavailable()
        return value
      })
    } catch (error) {
      if (room.viewers.get(viewer) === seat) this.closeViewer({ stream, viewer })
      throw error
    }
  }

  #seat(stream: string, viewer: string) {
    const room = this.rooms.get(stream)
    if (room === undefined) throw new RefusedError(refuse('not_live', 'The desk sends nothing now.', 2))
    const seat = room.viewers.get(viewer)
    if (seat === undefined) throw new RefusedError(refuse('wrong_order', 'Ask to consume first.'))
    return { room, seat }
  }

  async #hold(room: Room): Promise<void> {
    room.held = true
    const turn = ++this.#turn
    await this.#request(room, () => {
      if (room.released < turn) room.open = false
    })
  }

  async #release(room: Room): Promise<void> {
    room.held = false
    room.open = true
    room.released = ++this.#turn
    this.onChange()
    await this.#request(room, () => {})
  }

  #request<T>(room: Room, made: () => T): Promise<T> {
    const refused = this.#refusing > 0
    if (refused) this.#refusing--
    return new Promise((resolve, reject) => {
      const answer = () => {
        try {
          if (refused) throw unavailable()
          resolve(made())
        } catch (error) {
          reject(error)
        }
        this.onChange()
      }
      this.#requests.push({ room, answer, fail: reject })
      if (!this.#slow) queueMicrotask(() => this.#slow || this.answer(1))
    })
  }
}
