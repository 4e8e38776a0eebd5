import { sql } from 'drizzle-orm'
import { bigint, check, index, jsonb, pgTable, text, uniqueIndex } from 'drizzle-orm/pg-core'
import type { Curtain, EndReason } from '../../actors/ports/store.ts'
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
  },
  (table) => [
    index('managed_streams_channel').on(table.channel, table.id),
    index('managed_streams_owner').on(table.owner, table.id),
    // What is not over yet: a person's live limit, "Agents live", the sitemap.
    index('managed_streams_owner_open').on(table.owner).where(sql`${table.endedAt} is null`),
    index('managed_streams_visibility_open').on(table.visibility, table.id).where(sql`${table.endedAt} is null`),
    uniqueIndex('managed_streams_link_key').on(table.linkKeyHash),
    check('managed_streams_kind', sql`${table.kind} in ('agent')`),
    check('managed_streams_visibility_known', sql`${table.visibility} in ('private', 'unlisted', 'public')`),
    check('managed_streams_ended_why', sql`(${table.endedAt} is null) = (${table.endedWhy} is null)`),
    check('managed_streams_link_key_hashed', sql`${table.linkKeyHash} ~ '^[0-9a-f]{64}$'`),
  ],
)
