import { sql } from 'drizzle-orm'
import type { StorePort } from '../actors/ports/store.ts'
import type { Connection } from './database.ts'
import { DatabaseIdentityStore } from './database-identity-store.ts'
import { DatabaseModeratorStore } from './database-moderator-store.ts'
import { DatabaseSharing } from './database-sharing.ts'
import { DatabaseStillStore } from './database-still-store.ts'
import { DatabaseStreamListing } from './database-stream-listing.ts'
import { DatabaseStreamStore } from './database-stream-store.ts'
import { DatabaseViewTicketStore } from './database-view-ticket-store.ts'
import type { IdentityStore } from './identity-store.ts'
import { openPglite } from './pglite-connection.ts'
import { openPostgres } from './postgres-connection.ts'
import { Queries } from './queries.ts'
import type { ModeratorStore, SharingPort, StillStore, StreamListing, ViewTicketStore } from './viewing-store.ts'

export interface StoreOptions {
  /** `postgres://…`: PostgreSQL. Absent: PGlite. */
  readonly databaseUrl?: string
  /** PGlite keeps its files in `<dataFolder>/pglite`. Absent too: in memory, for tests. */
  readonly dataFolder?: string
  /** Every call is answered within this, whatever the database does. Default 5000 ms. */
  readonly deadlineMs?: number
  /** How long to wait at start for another server that is migrating. Default 60000 ms. */
  readonly lockTimeoutMs?: number
  /** Connections to PostgreSQL at most. Default 10. */
  readonly maxConnections?: number
  /** For an in-memory PGlite: a dump of a data folder to begin with. Saves tests the seconds of making one. */
  readonly template?: Blob
}

export interface Store {
  readonly streams: StorePort
  readonly identity: IdentityStore
  readonly viewTickets: ViewTicketStore
  readonly sharing: SharingPort
  readonly moderators: ModeratorStore
  readonly stills: StillStore
  readonly listing: StreamListing
  /** Resolves when the database answers; rejects with `store_unavailable` when it does not. */
  ping(): Promise<void>
  /** Ends every connection and gives the data folder back. Calls after it are refused. Idempotent. */
  close(): Promise<void>
}

/**
 * Opens the store and brings its tables up to date. Rejects with `StoreStartError`: one
 * sentence that says what is wrong and what to do.
 */
export async function openStore(options: StoreOptions): Promise<Store> {
  const deadlineMs = options.deadlineMs ?? 5000
  return storeOn(await open(options, deadlineMs), deadlineMs)
}

/** The store on a database that is open and up to date. Closing it closes the connection. */
export function storeOn(connection: Connection, deadlineMs: number): Store {
  const queries = new Queries(connection, deadlineMs)
  let closing: Promise<void> | undefined
  return {
    streams: new DatabaseStreamStore(queries),
    identity: new DatabaseIdentityStore(queries),
    viewTickets: new DatabaseViewTicketStore(queries),
    sharing: new DatabaseSharing(queries),
    moderators: new DatabaseModeratorStore(queries),
    stills: new DatabaseStillStore(queries),
    listing: new DatabaseStreamListing(queries),
    async ping() {
      await queries.read((database) => database.execute(sql`select 1`))
    },
    close() {
      queries.close()
      closing ??= connection.close()
      return closing
    },
  }
}

function open(options: StoreOptions, deadlineMs: number): Promise<Connection> {
  if (options.databaseUrl !== undefined) {
    return openPostgres({
      databaseUrl: options.databaseUrl,
      deadlineMs,
      lockTimeoutMs: options.lockTimeoutMs ?? 60_000,
      maxConnections: options.maxConnections ?? 10,
    })
  }
  const { dataFolder, template } = options
  return openPglite({ ...(dataFolder !== undefined && { dataFolder }), ...(template !== undefined && { template }) })
}
