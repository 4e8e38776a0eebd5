import { sql } from 'drizzle-orm'
import { bigint, check, index, integer, jsonb, pgTable, text, uniqueIndex } from 'drizzle-orm/pg-core'
import type { Curtain, EndReason, Still } from '../../actors/ports/store.ts'
import type { Task, Visibility } from '../../contracts/agent-stream.ts'
import { channels } from './channels.ts'
import { millis, secretHash } from './columns.ts'
import { people } from './people.ts'

/** Streams that somebody else's program publishes. Only kind `agent` so far. */
export const managedStreams = pgTable(
  'managed_streams',
  {
    /** The public id, `ags_<ULID>`: sorts by the time the stream was made. */
    id: text('id').primaryKey(),
    kind: text('kind').$type<'agent'>().notNull().default('agent'),
    owner: text('owner')
      .notNull()
      .references(() => people.id),
    channel: text('channel')
      .notNull()
      .references(() => channels.id),
    task: jsonb('task').$type<Task>().notNull(),
    visibility: text('visibility').$type<Visibility>().notNull(),
    mode: text('mode').$type<'watch'>().notNull().default('watch'),
    createdAt: millis('created_at').notNull(),
    /** When it first went live. */
    startedAt: millis('started_at'),
    endedAt: millis('ended_at'),
    endedWhy: text('ended_why').$type<EndReason>(),
    workedMs: bigint('worked_ms', { mode: 'number' }).notNull().default(0),
    /** Who holds it up, since when and why. The reasons are for the owner alone. */
    curtain: jsonb('curtain').$type<Curtain>().notNull(),
    /** The `?k=` of an unlisted stream's link. */
    linkKeyHash: secretHash('link_key_hash'),
    /** The last still; its bytes lie in `stills` under the same hash. All four or none. */
    stillHash: text('still_hash'),
    stillType: text('still_type').$type<Still['type']>(),
    stillSize: integer('still_size'),
    stillAt: millis('still_at'),
  },
  (table) => [
    index('managed_streams_channel').on(table.channel, table.id),
    index('managed_streams_owner').on(table.owner, table.id),
    // What is not over yet: a person's live limit, "Agents live", the sitemap.
    index('managed_streams_owner_open').on(table.owner, table.id).where(sql`${table.endedAt} is null`),
    index('managed_streams_visibility_open').on(table.visibility, table.id).where(sql`${table.endedAt} is null`),
    index('managed_streams_channel_open').on(table.channel, table.id).where(sql`${table.endedAt} is null`),
    // What anybody may find, ended or not, of one channel and of all.
    index('managed_streams_channel_public').on(table.channel, table.id).where(sql`${table.visibility} = 'public'`),
    index('managed_streams_public').on(table.id).where(sql`${table.visibility} = 'public'`),
    uniqueIndex('managed_streams_link_key').on(table.linkKeyHash),
    check('managed_streams_kind', sql`${table.kind} in ('agent')`),
    check('managed_streams_visibility_known', sql`${table.visibility} in ('private', 'unlisted', 'public')`),
    check('managed_streams_ended_why', sql`(${table.endedAt} is null) = (${table.endedWhy} is null)`),
    check('managed_streams_link_key_hashed', sql`${table.linkKeyHash} ~ '^[0-9a-f]{64}$'`),
    check('managed_streams_still_hashed', sql`${table.stillHash} ~ '^[0-9a-f]{64}$'`),
    check('managed_streams_still_type', sql`${table.stillType} in ('image/jpeg', 'image/webp')`),
    check(
      'managed_streams_still_whole',
      sql`num_nulls(${table.stillHash}, ${table.stillType}, ${table.stillSize}, ${table.stillAt}) in (0, 4)`,
    ),
  ],
)
