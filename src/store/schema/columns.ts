import { bigint, customType, text } from 'drizzle-orm/pg-core'

/**
 * A moment: milliseconds since the epoch, UTC, as the ports count time. Kept as `bigint` so
 * that neither a driver nor a session's time zone can bend it. To read one in psql:
 * `to_timestamp(created_at / 1000.0)`.
 */
export const millis = (name: string) => bigint(name, { mode: 'number' })

/** SHA-256 in lower-case hex of a ticket, token or key. The secret itself has no column anywhere. */
export const secretHash = (name: string) => text(name)

/** Bytes as they are. Both drivers take and give a `Uint8Array` (postgres.js its own kind of one, `Buffer`). */
export const bytea = customType<{ data: Uint8Array }>({ dataType: () => 'bytea' })
