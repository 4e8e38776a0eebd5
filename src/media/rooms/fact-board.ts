/** Who is told what becomes of one thing. */
type Tell<Fact> = (fact: Fact) => void

/**
 * Carries facts from the things of a room (by id) to who observes them. It remembers, for
 * things that are there, the last fact that still holds, so that an observer who comes late
 * misses nothing: it is told that fact, or that the thing is gone.
 */
export class FactBoard<Fact extends { readonly type: string }> {
  readonly #observers = new Map<string, Set<Tell<Fact>>>()
  readonly #things = new Map<string, { standing: Fact | null; readonly onObserved: () => void }>()
  readonly #gone: Fact

  /** `gone` is what an observer of an unknown id is told. */
  constructor(gone: Fact) {
    this.#gone = gone
  }

  /** The thing is there from now on; nothing is known of it yet. `onObserved`: somebody observes it. */
  add(id: string, onObserved: () => void = () => {}): void {
    this.#things.set(id, { standing: null, onObserved })
  }

  /** Tells a fact; `standing` facts are told to later observers as well. */
  tell(id: string, fact: Fact, standing: boolean): void {
    const thing = this.#things.get(id)
    if (thing === undefined) return
    if (standing) thing.standing = fact
    for (const tell of [...(this.#observers.get(id) ?? [])]) tell(fact)
  }

  /** The thing is gone: says so, once. */
  remove(id: string): void {
    if (!this.#things.delete(id)) return
    for (const tell of [...(this.#observers.get(id) ?? [])]) tell(this.#gone)
  }

  observed(id: string): boolean {
    return (this.#observers.get(id)?.size ?? 0) > 0
  }

  /** Tells until the returned function is called, and never before it has returned. */
  observe(id: string, tell: Tell<Fact>): () => void {
    // Wrapped, so that the same function may observe twice.
    let active = true
    const observer: Tell<Fact> = (fact) => {
      if (active) tell(fact)
    }
    const thing = this.#things.get(id)
    const standing = thing === undefined ? this.#gone : thing.standing
    if (standing !== null) queueMicrotask(() => observer(standing))
    const observers = this.#observers.get(id) ?? new Set()
    this.#observers.set(id, observers.add(observer))
    thing?.onObserved()
    return () => {
      active = false
      observers.delete(observer)
      if (observers.size === 0 && this.#observers.get(id) === observers) this.#observers.delete(id)
    }
  }
}
