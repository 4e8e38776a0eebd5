import type { Clock } from '../../../src/actors/clock.ts'

/** A clock that goes from one due timer to the next, and lets promises settle in between. */
export class PacedClock implements Clock {
  #now = 0
  #next = 1
  readonly #timers = new Map<number, { readonly due: number; readonly fire: () => void }>()

  now(): number {
    return this.#now
  }

  setTimeout(fire: () => void, ms: number): number {
    const id = this.#next++
    this.#timers.set(id, { due: this.#now + Math.max(0, ms), fire })
    return id
  }

  clearTimeout(id: unknown): void {
    this.#timers.delete(id as number)
  }

  /** Moves time on by `ms`; `breathe` is awaited after each timer and at the end. */
  async pass(ms: number, breathe: () => Promise<void>): Promise<void> {
    const end = this.#now + ms
    for (let next = this.#first(end); next !== undefined; next = this.#first(end)) {
      const [id, { due, fire }] = next
      this.#timers.delete(id)
      this.#now = due
      fire()
      await breathe()
    }
    this.#now = end
    await breathe()
  }

  /** The timer that is due first, until `end`; of several the oldest. */
  #first(end: number) {
    let first: [number, { readonly due: number; readonly fire: () => void }] | undefined
    for (const entry of this.#timers) {
      if (entry[1].due <= end && (first === undefined || entry[1].due < first[1].due)) first = entry
    }
    return first
  }
}
