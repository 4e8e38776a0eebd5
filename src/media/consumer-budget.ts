import { RefusedError, refuse } from '../contracts/problem.ts'

/**
 * How many consumers viewers have on one worker, and how many they may have: past that the
 * worker's core cannot keep up, and everybody's picture suffers instead of one viewer being
 * asked to wait.
 */
export class ConsumerBudget {
  readonly #limit: number
  #used = 0

  constructor(limit: number) {
    this.#limit = limit
  }

  /** Not one viewer more. */
  get spent(): boolean {
    return this.#used >= this.#limit
  }

  /**
   * Takes room for so many consumers until the returned function is called.
   * @throws RefusedError `server_full`
   */
  take(consumers: number): () => void {
    if (this.#used + consumers > this.#limit) throw serverFull()
    this.#used += consumers
    let taken = true
    return () => {
      if (taken) this.#used -= consumers
      taken = false
    }
  }
}

export function serverFull(): RefusedError {
  return new RefusedError(
    refuse('server_full', 'The server carries as many viewers as it can. Try again in a while.', 10),
  )
}
