import type { PlayerView } from '../../contracts/broadcast.ts'
import type { WhepEvent } from '../../contracts/whep-events.ts'
import type { Subscriber } from '../broadcast/stream-channel.ts'

/** What a player was told last; `null`: it does not know. */
interface Told {
  active: boolean | null
  viewers: number | null
}

/** How often a player that has nothing to be told gets an empty comment, in ms: proxies cut what is silent. */
const keepAlive = 15_000
/** How long a player waits before it asks again for a stream that broke, in ms. */
const retry = 2000

const text = new TextEncoder()

/**
 * The events of one WHEP session, as server-sent events for whoever reads them. Told is the
 * difference between what is true and what the player knows: one that reads slowly, or was
 * away, is told how it stands now and not all that it missed. So nothing piles up here.
 */
export class EventStream implements Subscriber {
  readonly #viewer: string
  readonly #wanted: ReadonlySet<WhepEvent>
  readonly #onEnd: () => void
  /** At first nothing is active: an `inactive` that opens a session is not told (draft-ietf-wish-whep-01 section 4.9.1). */
  readonly #told: Told = { active: false, viewers: null }
  #now: { readonly active: boolean; readonly viewers: number } | null = null
  #reader: ReadableStreamDefaultController<Uint8Array> | null = null
  #timer: ReturnType<typeof setInterval> | null = null
  readonly #drained = Promise.withResolvers<void>()
  #wasRead = false
  #ended = false

  constructor(viewer: string, wanted: readonly WhepEvent[], onEnd: () => void) {
    this.#viewer = viewer
    this.#wanted = new Set(wanted)
    this.#onEnd = onEnd
  }

  /** Takes what is true now, unless something newer came meanwhile. */
  begin(view: PlayerView): void {
    if (this.#now === null) this.changed(view)
  }

  changed({ stream, media }: PlayerView): void {
    const active = media !== null && stream.link !== 'interrupted' && !stream.curtain.up
    this.#now = { active, viewers: stream.viewers }
    this.#flush()
  }

  dropped(_viewer: string): void {}

  /** The session is over: nothing comes any more. */
  left(viewer: string): void {
    if (viewer !== this.#viewer) return
    const last = this.#told.active === true && this.#wanted.has('inactive') ? event('inactive', {}) : ''
    this.#end(last)
  }

  lost(): void {
    void this.reconnect()
  }

  /** The session is about to be lost with the server: the player is to start another. Resolves when it took the news. */
  async reconnect(): Promise<void> {
    if (this.#ended) return
    const { promise } = this.#drained
    const reads = this.#reader !== null
    this.#end(this.#wanted.has('reconnect') ? event('reconnect', {}) : '')
    if (reads) await promise
  }

  /** The player is done with it. */
  close(): void {
    this.#end('')
  }

  /** The body of an answer. Whoever read before is cut off: the player came back by another connection. */
  read(): ReadableStream<Uint8Array> {
    this.#part()
    // What was on its way when the connection broke may not have arrived.
    if (this.#wasRead) Object.assign(this.#told, { active: null, viewers: null } satisfies Told)
    this.#wasRead = true
    let own: ReadableStreamDefaultController<Uint8Array> | null = null
    const ours = () => own !== null && own === this.#reader
    return new ReadableStream<Uint8Array>(
      {
        start: (controller) => {
          own = controller
          this.#reader = controller
          this.#timer = setInterval(() => this.#write(':\n\n'), keepAlive)
          controller.enqueue(text.encode(`retry: ${retry}\n\n`))
        },
        pull: () => {
          if (!ours()) return
          if (this.#ended) this.#part()
          else this.#flush()
        },
        cancel: () => {
          if (ours()) this.#part()
        },
      },
      { highWaterMark: 1 },
    )
  }

  #flush(): void {
    const [now, told] = [this.#now, this.#told]
    if (now === null || !this.#hasRoom()) return
    const events: string[] = []
    if (now.active !== told.active) events.push(this.#event(now.active ? 'active' : 'inactive', {}))
    if (now.viewers !== told.viewers) events.push(this.#event('viewercount', { viewercount: now.viewers }))
    Object.assign(told, now)
    this.#write(events.join(''))
  }

  #event(name: WhepEvent, data: object): string {
    return this.#wanted.has(name) ? event(name, data) : ''
  }

  /** False while the player has not taken what was written before. */
  #hasRoom(): boolean {
    return this.#reader !== null && (this.#reader.desiredSize ?? 0) > 0
  }

  #write(chunk: string): void {
    if (chunk !== '' && this.#hasRoom()) this.#reader?.enqueue(text.encode(chunk))
  }

  #end(last: string): void {
    if (this.#ended) return
    this.#ended = true
    this.#onEnd()
    const reader = this.#reader
    if (reader === null) return
    // Whether there is room or not: it is the last, and short.
    if (last !== '') reader.enqueue(text.encode(last))
    // With nothing left to be taken it ends at once, else when `pull` says that it was.
    if ((reader.desiredSize ?? 0) > 0) this.#part()
  }

  #part(): void {
    if (this.#timer !== null) clearInterval(this.#timer)
    this.#timer = null
    const reader = this.#reader
    this.#reader = null
    try {
      reader?.close()
    } catch {
      // The player has hung up.
    }
    if (this.#ended) this.#drained.resolve()
  }
}

/** The data is one line of JSON. */
function event(name: WhepEvent, data: object): string {
  return `event: ${name}\ndata: ${JSON.stringify(data)}\n\n`
}
