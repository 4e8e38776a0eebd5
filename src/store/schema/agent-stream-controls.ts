import { bigint, boolean, index, pgTable, text } from 'drizzle-orm/pg-core'
import { millis } from './columns.ts'
import { managedStreams } from './managed-streams.ts'
import { people } from './people.ts'

/** The log of the controls: who pressed which one, and when. */
export const agentStreamControls = pgTable(
  'agent_stream_controls',
  {
    id: bigint('id', { mode: 'number' }).primaryKey().generatedAlwaysAsIdentity(),
    stream: text('stream')
      .notNull()
      .references(() => managedStreams.id),
    person: text('person')
      .notNull()
      .references(() => people.id),
    control: text('control').notNull(),
    /** What it was set to (`paused`, `up`, `muted`); null for one that only goes one way (`end`). */
    setTo: boolean('set_to'),
    at: millis('at').notNull(),
  },
  (table) => [index('agent_stream_controls_stream').on(table.stream, table.id)],
)
