import { sql } from 'drizzle-orm'
import { check, index, integer, numeric, pgTable, text } from 'drizzle-orm/pg-core'
import { millis } from './columns.ts'
import { managedStreams } from './managed-streams.ts'

/** What the agent says it is doing. Belongs to the stream, not to one WHIP session. */
export const agentStreamSteps = pgTable(
  'agent_stream_steps',
  {
    /** `stp_<ULID>`: sorts by the time it was posted, and `?after=` pages by it. */
    id: text('id').primaryKey(),
    stream: text('stream')
      .notNull()
      .references(() => managedStreams.id),
    title: text('title').notNull(),
    status: text('status').$type<'started' | 'passed' | 'failed' | 'noted'>().notNull(),
    detail: text('detail'),
    testsPassed: integer('tests_passed'),
    testsFailed: integer('tests_failed'),
    costUsd: numeric('cost_usd', { precision: 14, scale: 6, mode: 'number' }),
    /** When the agent says it happened. */
    at: millis('at').notNull(),
    createdAt: millis('created_at').notNull(),
  },
  (table) => [
    index('agent_stream_steps_stream').on(table.stream, table.id),
    check('agent_stream_steps_status', sql`${table.status} in ('started', 'passed', 'failed', 'noted')`),
  ],
)
