import { RefusedError, refuse } from '../../contracts/problem.ts'

/**
 * How many consumers viewers have on each worker, and the limit: past it a worker's core cannot
 * keep up, and everybody's picture suffers instead of one viewer being asked to wait.
 */
export class ConsumerBudget {
  readonly #limit: number
  /** By the worker's host: what belonged to a dead worker goes with it. */
  readonly #used = new WeakMap<object, number>()

  /** `limit`: consumers a worker, at most. */
  constructor(limit: number) {
    this.#limit = limit
  }

  /**
   * Takes room for so many consumers on a worker until the returned function is called.
   * @throws RefusedError `server_full`
   */
  take(worker: object, consumers: number): () => void {
    const used = this.#used.get(worker) ?? 0
    if (used + consumers > this.#limit) throw full()
    this.#used.set(worker, used + consumers)
    let taken = true
    return () => {
      if (!taken) return
      taken = false
      this.#used.set(worker, (this.#used.get(worker) ?? 0) - consumers)
    }
  }

  /**
   * A stream that comes to a worker wants to be watched there.
   * @throws RefusedError `server_full` when not one viewer more could
   */
  mustHaveRoom(worker: object): void {
    if ((this.#used.get(worker) ?? 0) >= this.#limit) throw full()
  }
}

function full(): RefusedError {
  return new RefusedError(
    refuse('server_full', 'The server carries as many viewers as it can. Try again in a while.', 10),
  )
}
