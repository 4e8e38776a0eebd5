import type { Connection, Database } from './database.ts'
import { storeUnavailable, toRefusedError } from './database-error.ts'
import { InOrder } from './in-order.ts'

/**
 * The one way to the database for the repositories. Every call has a deadline, counted from
 * the call: waiting for its turn and for a connection included, so that a dead database
 * never hangs a caller. Whatever goes wrong comes out as `RefusedError`.
 */
export class Queries {
  readonly #inOrder = new InOrder()
  #closed = false

  constructor(
    private readonly connection: Connection,
    private readonly deadlineMs: number,
  ) {}

  /** Runs statements that change nothing. With `key`: after all that was asked under it before. */
  read<T>(work: (database: Database) => Promise<T>, key?: string): Promise<T> {
    return this.#timed(() => work(this.connection.database), key)
  }

  /**
   * Runs `work` in one transaction: all of it or nothing. A write that missed its deadline
   * while it waited is never begun later; one that was under way when the connection broke
   * may have been committed, which is why the repositories' writes can be repeated.
   */
  write<T>(work: (transaction: Database) => Promise<T>, key?: string): Promise<T> {
    return this.#timed(
      (expired) =>
        this.connection.database.transaction(async (transaction) => {
          if (expired()) throw storeUnavailable()
          const result = await work(transaction)
          // Throwing rolls back: a caller that was told "no" should find nothing changed.
          if (expired()) throw storeUnavailable()
          return result
        }),
      key,
    )
  }

  /** From now on every call is refused. */
  close(): void {
    this.#closed = true
  }

  async #timed<T>(work: (expired: () => boolean) => Promise<T>, key: string | undefined): Promise<T> {
    if (this.#closed) throw storeUnavailable()
    let timer: ReturnType<typeof setTimeout> | undefined
    let late = false
    const deadline = new Promise<never>((_, reject) => {
      timer = setTimeout(() => {
        late = true
        this.connection.renew()
        reject(storeUnavailable())
      }, this.deadlineMs)
    })
    const begin = async () => {
      if (late) throw storeUnavailable()
      const running = work(() => late)
      // The turn ends with the deadline: the next in line does not wait for what hangs.
      return await Promise.race([running, deadline])
    }
    const running = key === undefined ? begin() : this.#inOrder.run(key, begin)
    try {
      return await Promise.race([running, deadline])
    } catch (error) {
      throw toRefusedError(error)
    } finally {
      clearTimeout(timer)
    }
  }
}
