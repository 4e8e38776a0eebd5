import { drizzle } from 'drizzle-orm/postgres-js'
import { migrate } from 'drizzle-orm/postgres-js/migrator'
import postgres from 'postgres'
import type { Connection, Database } from './database.ts'
import { rootCause, sqlState } from './database-error.ts'
import { isUpToDate, migrationsFolder, migrationsLock } from './migrations.ts'
import { StoreStartError } from './store-start-error.ts'

export interface PostgresOptions {
  /** `postgres://user:password@host:port/name`; postgres.js reads `?sslmode=` and the like from it. */
  readonly databaseUrl: string
  /** After this a call is given up, in ms; the server itself gives a statement up somewhat sooner. */
  readonly deadlineMs: number
  /** How long a starting server waits for another one that is migrating, in ms. */
  readonly lockTimeoutMs: number
  readonly maxConnections: number
}

/** How long queries that were under way may still finish when their connections are left, in seconds. */
const leaveSeconds = 1

/**
 * Opens PostgreSQL and brings its tables up to date: an advisory lock sees to it that of
 * servers that start at once one migrates and the others wait. Rejects with
 * {@link StoreStartError}.
 */
export async function openPostgres(options: PostgresOptions): Promise<Connection> {
  const connection = new PostgresConnection(options)
  try {
    if (!(await inTime(isUpToDate(connection.database), options.deadlineMs))) await migrateAlone(options)
    return connection
  } catch (error) {
    await connection.close()
    throw startError(error, connection.address)
  }
}

class PostgresConnection implements Connection {
  readonly #options: PostgresOptions
  readonly #left = new Set<Promise<void>>()
  #client: postgres.Sql
  #database: Database
  #since: number

  constructor(options: PostgresOptions) {
    this.#options = options
    this.#client = this.#pool()
    this.#database = drizzle(this.#client)
    this.#since = performance.now()
  }

  get database(): Database {
    return this.#database
  }

  /** `host:port`, for sentences. */
  get address(): string {
    return `${this.#client.options.host[0]}:${this.#client.options.port[0]}`
  }

  /**
   * postgres.js opens a new connection when one breaks, but cannot tell one that hangs (the
   * other machine is gone and said nothing): it would wait for TCP to give up, a quarter of
   * an hour. So a missed deadline leaves the whole pool and begins a new one, at most once a
   * deadline.
   */
  renew(): void {
    if (performance.now() - this.#since < this.#options.deadlineMs) return
    this.#leave(this.#client)
    this.#client = this.#pool()
    this.#database = drizzle(this.#client)
    this.#since = performance.now()
  }

  async close(): Promise<void> {
    this.#leave(this.#client)
    await Promise.all(this.#left)
  }

  #pool(): postgres.Sql {
    return connect(this.#options, this.#options.maxConnections, {
      // Below the deadline, so that a database that is alive always answers before it.
      statement_timeout: Math.ceil(this.#options.deadlineMs * 0.8),
      idle_in_transaction_session_timeout: this.#options.deadlineMs * 2,
    })
  }

  #leave(client: postgres.Sql): void {
    const left = client.end({ timeout: leaveSeconds }).finally(() => this.#left.delete(left))
    this.#left.add(left)
  }
}

/** A pool of postgres.js; connects when the first query comes. Throws {@link StoreStartError} for a bad address. */
function connect(options: PostgresOptions, max: number, settings: Record<string, number>): postgres.Sql {
  // The address holds the password and an invalid one is quoted in the error: neither may get out.
  const bad = new StoreStartError('DATABASE_URL is not an address like postgres://user:password@host:5432/name.')
  if (!/^postgres(ql)?:\/\//.test(options.databaseUrl)) throw bad
  try {
    return postgres(options.databaseUrl, {
      max,
      connect_timeout: Math.max(1, (options.deadlineMs * 0.8) / 1000),
      // The default grows to 20 s, in which a database that is back would go unnoticed.
      backoff: () => 0.2,
      // No column is an array, so their types need not be asked for.
      fetch_types: false,
      onnotice: () => {},
      connection: { application_name: 'footlight', ...settings },
    })
  } catch {
    throw bad
  }
}

/** Migrates on a connection of its own, holding the lock; asks again inside it, as another may just have done it. */
async function migrateAlone(options: PostgresOptions): Promise<void> {
  const client = connect(options, 1, { lock_timeout: options.lockTimeoutMs })
  try {
    const database = drizzle(client)
    await client`select pg_advisory_lock(${migrationsLock}::bigint)`
    if (!(await isUpToDate(database))) await migrate(database, { migrationsFolder })
    // Ending the session gives the lock back.
  } finally {
    await client.end({ timeout: leaveSeconds })
  }
}

/** For the first question, which no {@link Queries} guards yet. */
async function inTime<T>(work: Promise<T>, deadlineMs: number): Promise<T> {
  let timer: ReturnType<typeof setTimeout> | undefined
  try {
    return await Promise.race([
      work,
      new Promise<never>((_, reject) => {
        timer = setTimeout(() => reject(new Error('no answer in time')), deadlineMs)
      }),
    ])
  } finally {
    clearTimeout(timer)
  }
}

function startError(error: unknown, address: string): StoreStartError {
  if (error instanceof StoreStartError) return error
  const state = sqlState(error)
  const cause = rootCause(error)
  const message = cause instanceof Error ? cause.message : String(cause)
  const say = (sentence: string) => new StoreStartError(sentence, { cause })
  if (state === '28P01' || state === '28000') {
    return say(`The database at ${address} refused the user or password. Correct them in DATABASE_URL.`)
  }
  if (state === '3D000') {
    return say(`The database at ${address} has no database of that name. Create it, or correct DATABASE_URL.`)
  }
  if (state === '55P03') {
    return say(`Another server is still migrating the database at ${address}. Wait for it, then start again.`)
  }
  if (state !== null) {
    return say(`The tables of the database at ${address} could not be brought up to date: ${message} (${state}).`)
  }
  return say(`The database at ${address} does not answer (${message}). Start it, or correct DATABASE_URL.`)
}
