import type { StreamFacts } from '../../actors/stream/stream-asks.ts'
import type { ActorSystem } from '../../actors/system.ts'
import type { PlayerView, ServerMessage } from '../../contracts/broadcast.ts'
import { streamResource } from '../streams/stream-resource.ts'

/** Whoever is told of a stream's changes. */
export interface Subscriber {
  /** What is true of the stream now, and the same as a message of the player's socket, written once for all. */
  changed(view: PlayerView, message: string): void
  /** The stream's actor is gone, and every viewer with it. */
  lost(): void
  /** This viewer may not watch any more. Whoever it is not, ignores it. */
  dropped(viewer: string): void
  /** This viewer is gone, whatever the reason; of one that was dropped, both are told. */
  left?(viewer: string): void
}

/** How long a change of nothing but the viewer count waits for more of its kind, in ms. */
const countDelay = 250

/**
 * The sockets and event streams that look at one stream: it is watched once and each change is written once,
 * however many they are. Changes go out at once, except that of the viewer count alone: when
 * hundreds join in a second, everybody need not be told of each.
 */
export class StreamChannel {
  readonly #subscribers = new Set<Subscriber>()
  readonly #unwatch: () => void
  #told = ''
  #waiting: { facts: StreamFacts; timer: ReturnType<typeof setTimeout> } | null = null

  constructor(
    system: Pick<ActorSystem, 'watch'>,
    stream: string,
    private readonly view: (facts: StreamFacts) => PlayerView,
  ) {
    this.#unwatch = system.watch(stream, (news) => {
      if (news.type === 'facts') return this.#take(news.facts)
      for (const subscriber of [...this.#subscribers]) {
        if (news.type === 'gone') subscriber.lost()
        else if (news.type === 'left') subscriber.left?.(news.viewer)
        else subscriber.dropped(news.viewer)
      }
    })
  }

  get empty(): boolean {
    return this.#subscribers.size === 0
  }

  add(subscriber: Subscriber): void {
    this.#subscribers.add(subscriber)
  }

  remove(subscriber: Subscriber): void {
    this.#subscribers.delete(subscriber)
  }

  close(): void {
    if (this.#waiting !== null) clearTimeout(this.#waiting.timer)
    this.#unwatch()
  }

  #take(facts: StreamFacts): void {
    if (this.#waiting !== null) clearTimeout(this.#waiting.timer)
    this.#waiting = null
    const rest = JSON.stringify({ ...facts, viewers: 0 })
    if (rest === this.#told) {
      const timer = setTimeout(() => {
        this.#waiting = null
        this.#tell(facts)
      }, countDelay)
      this.#waiting = { facts, timer }
      return
    }
    this.#told = rest
    this.#tell(facts)
  }

  #tell(facts: StreamFacts): void {
    const view = this.view(facts)
    const message = JSON.stringify({ type: 'stream', ...view } satisfies ServerMessage)
    for (const subscriber of this.#subscribers) subscriber.changed(view, message)
  }
}

/** What a player is shown: the resource, and the number by which it consumes. */
export function playerView(facts: StreamFacts, origin: string, now: number): PlayerView {
  return { stream: streamResource(facts, origin, now), media: facts.media }
}
