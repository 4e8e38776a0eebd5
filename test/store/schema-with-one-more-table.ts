import { pgTable, text } from 'drizzle-orm/pg-core'

export * from '../../src/store/schema/agent-stream-controls.ts'
export * from '../../src/store/schema/agent-stream-steps.ts'
export * from '../../src/store/schema/channels.ts'
export * from '../../src/store/schema/managed-streams.ts'
export * from '../../src/store/schema/people.ts'
export * from '../../src/store/schema/sessions.ts'
export * from '../../src/store/schema/stills.ts'
export * from '../../src/store/schema/stream-shares.ts'
export * from '../../src/store/schema/tickets.ts'

/** What the check of the migrations must notice. */
export const forgotten = pgTable('forgotten', { id: text('id').primaryKey() })
