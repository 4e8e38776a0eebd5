import type { types } from 'mediasoup'
import { mediaUnavailable } from '../deadline.ts'
import type { Valve } from './valve.ts'

/**
 * A second router beside a room's, whose payload types are those of one kind of WHEP client
 * (see sdp-bridge/dialect.ts). What its viewers ask for is piped over from the room's router,
 * each producer once, within the same worker.
 */
export class DialectRouter {
  readonly router: types.Router
  readonly #near: types.PipeTransport
  readonly #far: types.PipeTransport
  readonly #pipes = new Map<string, Promise<types.Producer>>()
  readonly #valves = new Set<Valve>()
  readonly #onPipe: () => Promise<void>

  /** `onPipe` is called when a pipe was made, shut at its far end: the room opens or shuts all of it. */
  static async make(
    worker: types.Worker,
    room: types.Router,
    codecs: types.RouterRtpCodecCapability[],
    onPipe: (valves: readonly Valve[]) => Promise<void>,
  ): Promise<DialectRouter> {
    const router = await worker.createRouter({ mediaCodecs: codecs })
    try {
      const listenInfo = { protocol: 'udp', ip: '127.0.0.1' } as const
      // Tied together as soon as it is there, or too late: neither end outlives the other.
      const tied = room.createPipeTransport({ listenInfo }).then((near) => {
        router.observer.once('close', () => near.close())
        near.observer.once('close', () => router.close())
        if (router.closed) near.close()
        if (near.closed) throw mediaUnavailable()
        return near
      })
      const [near, far] = await Promise.all([tied, router.createPipeTransport({ listenInfo })])
      await Promise.all([
        near.connect({ ip: far.tuple.localAddress, port: far.tuple.localPort }),
        far.connect({ ip: near.tuple.localAddress, port: near.tuple.localPort }),
      ])
      return new DialectRouter(router, near, far, onPipe)
    } catch (error) {
      router.close()
      throw error
    }
  }

  private constructor(
    router: types.Router,
    near: types.PipeTransport,
    far: types.PipeTransport,
    onPipe: (valves: readonly Valve[]) => Promise<void>,
  ) {
    this.router = router
    this.#near = near
    this.#far = far
    this.#onPipe = () => onPipe([...this.#valves])
  }

  /** The pipes' own ends: they are held and released with everything else. */
  get valves(): readonly Valve[] {
    return [...this.#valves].filter(({ closed }) => !closed)
  }

  /** The producer in this router that repeats one of the room's. */
  pipe(producerId: string): Promise<types.Producer> {
    const known = this.#pipes.get(producerId)
    if (known !== undefined) return known
    const made = this.#makePipe(producerId)
    this.#pipes.set(producerId, made)
    made.catch(() => this.#pipes.delete(producerId))
    return made
  }

  close(): void {
    this.router.close()
  }

  async #makePipe(producerId: string): Promise<types.Producer> {
    const consumer = await this.#near.consume({ producerId })
    consumer.observer.once('close', () => {
      this.#pipes.delete(producerId)
      this.#valves.delete(consumer)
    })
    const producer = await this.#far
      .produce({ kind: consumer.kind, rtpParameters: consumer.rtpParameters, paused: true, keyFrameRequestDelay: 1000 })
      .catch((error: unknown) => {
        consumer.close()
        throw error
      })
    consumer.observer.once('close', () => producer.close())
    producer.observer.once('close', () => this.#valves.delete(producer))
    if (consumer.closed || producer.closed) {
      producer.close()
      throw mediaUnavailable()
    }
    // The far end first, as in `release`: what comes through the near end must find it open.
    this.#valves.add(producer)
    this.#valves.add(consumer)
    await this.#onPipe()
    return producer
  }
}

/** A dialect's router from the first viewer's wish on, and how many viewers use it. */
export class DialectUse {
  users = 0
  readonly making: Promise<DialectRouter>
  #made: DialectRouter | null = null
  #closed = false

  constructor(making: Promise<DialectRouter>) {
    this.making = making
    making.then(
      (made) => {
        this.#made = made
        if (this.#closed) made.close()
      },
      () => {},
    )
  }

  close(): void {
    this.#closed = true
    this.#made?.close()
  }
}
