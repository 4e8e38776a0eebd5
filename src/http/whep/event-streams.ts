import { RefusedError, refuse } from '../../contracts/problem.ts'
import type { WhepEvent } from '../../contracts/whep-events.ts'
import type { Channels } from '../broadcast/channels.ts'
import { playerView } from '../broadcast/stream-channel.ts'
import type { Dependencies } from '../dependencies.ts'
import { mintResourceId } from '../identity/secret.ts'
import { EventStream } from './event-stream.ts'
import { askSession } from './whep-session.ts'

/** How many event streams one WHEP session may have: a player needs one. */
const mostPerSession = 4

type Needs = Pick<Dependencies, 'system' | 'origin' | 'now' | 'onStopping'>

/** The event streams of all WHEP sessions (draft-ietf-wish-whep-01 section 4.9.1), by session and by their own ids. */
export class EventStreams {
  readonly #bySession = new Map<string, Map<string, EventStream>>()
  readonly #needs: Needs
  readonly #channels: Channels

  #saysFarewell = false

  constructor(needs: Needs, channels: Channels) {
    this.#needs = needs
    this.#channels = channels
  }

  /**
   * Makes an event stream for a WHEP session; it ends with it.
   * @param viewer the session's id, which is the permission
   * @returns its id, unguessable
   * @throws RefusedError `session_not_found` or `too_many_requests`
   */
  async open(stream: string, viewer: string, wanted: readonly WhepEvent[]): Promise<string> {
    const { system, origin, now } = this.#needs
    this.#sayFarewell()
    const streams = this.#bySession.get(viewer) ?? new Map<string, EventStream>()
    if (streams.size >= mostPerSession) {
      const detail = `A session has ${mostPerSession} event streams at most. End one with DELETE first.`
      throw new RefusedError(refuse('too_many_requests', detail, 1))
    }
    const id = mintResourceId()
    const made = new EventStream(viewer, wanted, () => {
      this.#channels.unsubscribe(stream, made)
      streams.delete(id)
      if (streams.size === 0 && this.#bySession.get(viewer) === streams) this.#bySession.delete(viewer)
    })
    this.#bySession.set(viewer, streams.set(id, made))
    // First it listens, then the session is looked for: one that ends in between is not missed.
    this.#channels.subscribe(stream, made)
    try {
      await askSession(system, stream, 'viewer.check', { viewer })
      made.begin(playerView(await system.ask(stream, 'describe', {}), origin(), now()))
      return id
    } catch (error) {
      made.close()
      throw error
    }
  }

  /** From the first stream on: when the server stops, whoever listens is told to reconnect. */
  #sayFarewell(): void {
    if (this.#saysFarewell) return
    this.#saysFarewell = true
    this.#needs.onStopping(async () => {
      const all = [...this.#bySession.values()].flatMap((streams) => [...streams.values()])
      await Promise.all(all.map((each) => each.reconnect()))
    })
  }

  /** @throws RefusedError `session_not_found` */
  find(viewer: string, id: string): EventStream {
    const found = this.#bySession.get(viewer)?.get(id)
    if (found !== undefined) return found
    throw new RefusedError(refuse('session_not_found', 'There is no such event stream, or its session is over.'))
  }
}
