import type { AnyActorRef } from 'xstate'
import type { ViewerDropped, ViewerLeft } from './stream/stream-actions.ts'
import type { StreamFacts } from './stream/stream-asks.ts'
import type { StreamContext } from './stream/stream-context.ts'
import { streamFacts } from './stream/stream-facts.ts'

/** What a watcher of a stream is told: what is true now, or that its actor is no longer there. */
export type StreamNews =
  | { readonly type: 'facts'; readonly facts: StreamFacts }
  /** This viewer may not watch any more. */
  | { readonly type: 'dropped'; readonly viewer: string }
  /** This viewer is gone. Of one that was dropped, both are told. */
  | { readonly type: 'left'; readonly viewer: string }
  /** The actor is gone with all its viewers: whoever was one joins anew. */
  | { readonly type: 'gone' }

type Listener = (news: StreamNews) => void

/** Who wants to know when what is true of a stream changes. Follows the stream's actor whenever it wakes. */
export class StreamWatchers {
  readonly #listeners = new Map<string, Set<Listener>>()

  /** Calls `listener` on each change of the stream, until the returned function is called. */
  add(stream: string, listener: Listener): () => void {
    const listeners = this.#listeners.get(stream) ?? new Set()
    this.#listeners.set(stream, listeners.add(listener))
    return () => {
      listeners.delete(listener)
      if (listeners.size === 0 && this.#listeners.get(stream) === listeners) this.#listeners.delete(stream)
    }
  }

  /** Follows a stream's actor until it stops. */
  follow(stream: string, actor: AnyActorRef): void {
    let context: StreamContext | null = null
    let told = ''
    const gone = () => this.#tell(stream, { type: 'gone' })
    actor.on('viewer.dropped', ({ viewer }: ViewerDropped) => this.#tell(stream, { type: 'dropped', viewer }))
    actor.on('viewer.left', ({ viewer }: ViewerLeft) => this.#tell(stream, { type: 'left', viewer }))
    actor.subscribe({
      next: (snapshot: { context: StreamContext }) => {
        if (snapshot.context === context || !this.#listeners.has(stream)) return
        context = snapshot.context
        const facts = streamFacts(context)
        const now = JSON.stringify(facts)
        if (now === told) return
        told = now
        this.#tell(stream, { type: 'facts', facts })
      },
      error: gone,
      complete: gone,
    })
  }

  #tell(stream: string, news: StreamNews): void {
    for (const listener of this.#listeners.get(stream) ?? []) listener(news)
  }
}
