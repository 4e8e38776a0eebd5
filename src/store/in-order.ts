/** Runs work of one key in the order it came, one after the other; different keys side by side. */
export class InOrder {
  readonly #last = new Map<string, Promise<void>>()

  /** Resolves or rejects as `work` does. Work that fails does not stop what waits behind it. */
  run<T>(key: string, work: () => Promise<T>): Promise<T> {
    const result = (this.#last.get(key) ?? Promise.resolve()).then(work)
    const settled = result.then(
      () => {},
      () => {},
    )
    this.#last.set(key, settled)
    settled.then(() => {
      if (this.#last.get(key) === settled) this.#last.delete(key)
    })
    return result
  }

  /** How many keys have work that is not done. */
  get size(): number {
    return this.#last.size
  }
}
