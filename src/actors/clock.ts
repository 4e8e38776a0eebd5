/** Where every actor takes its time from: XState's clock (timers), and `now`. */
export interface Clock {
  setTimeout(fn: () => void, ms: number): unknown
  clearTimeout(id: unknown): void
  /** Milliseconds since the epoch. */
  now(): number
}

export const systemClock: Clock = {
  setTimeout: (fn, ms) => setTimeout(fn, ms),
  clearTimeout: (id) => clearTimeout(id as ReturnType<typeof setTimeout>),
  now: () => Date.now(),
}
