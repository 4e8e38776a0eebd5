import type { NewStream, StorePort, StreamChange, StreamRecord } from '../../../src/actors/ports/store.ts'
import { RefusedError, refuse } from '../../../src/contracts/problem.ts'
import { FakeStore } from '../fake-store.ts'

/** How the database behaves: `lossy` does what it is told and loses the connection before it says so. */
export type StoreMood = 'prompt' | 'slow' | 'down' | 'lossy'

interface Request {
  readonly write: boolean
  readonly run: () => void
}

/** How it says what went wrong, so that a test can tell whether anything was done. */
export const storeSays = {
  unread: 'The stream cannot be read.',
  unwritten: 'The database does not answer.',
  cutOff: 'The connection to the database was lost.',
} as const

const unavailable = (says: string) => new RefusedError(refuse('store_unavailable', says, 1))

/** A database that outlives the system, as one system after the other reaches it. */
export class LastingStore {
  readonly #records = new FakeStore()
  readonly #requests: Request[] = []
  #mood: StoreMood = 'prompt'
  #connection = 0
  /** Called whenever something changed. */
  onChange: () => void = () => {}

  get mood(): StoreMood {
    return this.#mood
  }
  set mood(mood: StoreMood) {
    this.#mood = mood
    if (mood !== 'slow') this.answer(Number.POSITIVE_INFINITY)
  }

  record(stream: string): StreamRecord {
    const record = this.#records.records.get(stream)
    if (record === undefined) throw new Error(`there is no ${stream}`)
    return record
  }

  /** Answers the oldest requests that wait. */
  answer(count: number): void {
    for (const { run } of this.#requests.splice(0, Math.min(count, this.#requests.length))) run()
  }

  /**
   * The port for a system that starts. Whatever the one before asked for is never answered;
   * the oldest write of each that waits may have been done, if `done` says so.
   */
  connect(done: boolean): StorePort {
    if (done) for (const { run } of this.#requests.filter(({ write }) => write).slice(0, 1)) run()
    this.#requests.length = 0
    const connection = ++this.#connection
    return {
      loadStream: (id) => this.#request(connection, false, () => this.#records.loadStream(id)),
      createStream: (stream: NewStream) => this.#request(connection, true, () => this.#records.createStream(stream)),
      keep: (stream: string, change: StreamChange) =>
        this.#request(connection, true, () => this.#records.keep(stream, change)),
    }
  }

  #request<T>(connection: number, write: boolean, run: () => Promise<T>): Promise<T> {
    return new Promise((resolve, reject) => {
      const mood = this.#mood
      const request = {
        write,
        run: () => {
          if (mood === 'down') return reject(unavailable(write ? storeSays.unwritten : storeSays.unread))
          const outcome = run()
          this.onChange()
          // The system that asked is gone.
          if (connection !== this.#connection) return
          if (mood === 'lossy' && write) outcome.then(() => reject(unavailable(storeSays.cutOff)), reject)
          else outcome.then(resolve, reject)
        },
      }
      this.#requests.push(request)
      if (mood !== 'slow') queueMicrotask(() => this.#mood === 'slow' || this.answer(1))
    })
  }
}
