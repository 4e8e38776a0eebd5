import { RefusedError, refuse } from '../../contracts/problem.ts'
import type { Clock } from '../clock.ts'
import type { Answer, AsksEvent } from './answer.ts'

interface PendingAsk {
  readonly stream: string | null
  readonly settle: (answer: Answer) => void
}

/**
 * The edge between promises and actors: keeps who waits for which ask. An ask settles
 * exactly once: by the actor's answer, by its deadline, or because its stream's actor died.
 * A second answer to the same ask finds nobody and is dropped.
 */
export class PendingAsks {
  readonly #pending = new Map<string, PendingAsk>()
  #next = 1

  constructor(private readonly clock: Clock) {}

  /** How many asks wait. */
  get size(): number {
    return this.#pending.size
  }

  /**
   * Opens an ask, hands its id to `send`, and resolves with the answer's value.
   * @param stream whose actor is asked; `null` for the registry itself
   * @param deadline in ms
   * @throws RefusedError with the actor's refusal, `ask_timeout` or `stream_restarting`
   */
  open(stream: string | null, deadline: number, send: (ask: string) => void): Promise<unknown> {
    return new Promise((resolve, reject) => {
      const ask = String(this.#next++)
      const timer = this.clock.setTimeout(() => {
        const refusal = refuse('ask_timeout', 'The stream did not answer in time. Try again in a moment.', 1)
        this.settle({ type: 'answer', ask, answer: { ok: false, refusal } })
      }, deadline)
      const settle = (answer: Answer) => {
        this.#pending.delete(ask)
        this.clock.clearTimeout(timer)
        if (answer.ok) resolve(answer.value)
        else reject(new RefusedError(answer.refusal))
      }
      this.#pending.set(ask, { stream, settle })
      send(ask)
    })
  }

  /** Takes what actors send to the asks actor. */
  settle(event: AsksEvent): void {
    if (event.type === 'answer') {
      this.#pending.get(event.ask)?.settle(event.answer)
      return
    }
    const refusal = refuse('stream_restarting', 'The stream is being restarted. Try again in a moment.', 1)
    for (const ask of [...this.#pending.values()].filter(({ stream }) => stream === event.stream)) {
      ask.settle({ ok: false, refusal })
    }
  }
}
