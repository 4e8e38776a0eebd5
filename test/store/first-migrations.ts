import { expect } from 'bun:test'
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { StreamRecord } from '../../src/actors/ports/store.ts'
import { migrationsFolder } from '../../src/store/migrations.ts'
import type { Store } from '../../src/store/open-store.ts'

/** A folder with the first `count` committed migrations: those of an older Footlight. */
export function firstMigrations(count: number): { folder: string; remove: () => void } {
  const folder = mkdtempSync(join(tmpdir(), 'footlight-first-migrations-'))
  cpSync(migrationsFolder, folder, { recursive: true })
  const file = join(folder, 'meta/_journal.json')
  const journal = JSON.parse(readFileSync(file, 'utf8'))
  writeFileSync(file, JSON.stringify({ ...journal, entries: journal.entries.slice(0, count) }))
  return { folder, remove: () => rmSync(folder, { recursive: true }) }
}

const digits = '0'.repeat(26)

/** What a Footlight of the first migration could have written, in statements. */
export const rowsOfTheFirst = {
  person: `usr_${digits}`,
  channel: `chn_${digits}`,
  stream: `ags_${digits}`,
  ticket: 'a'.repeat(64),
  session: 'b'.repeat(64),
  link: 'c'.repeat(64),
  viewTicket: 'd'.repeat(64),
  statements: [
    `insert into people values ('usr_${digits}', 'ada', 1, null, null)`,
    `insert into channels values ('chn_${digits}', 'usr_${digits}', 'ada', 1)`,
    `insert into managed_streams (id, owner, channel, task, visibility, created_at, started_at, worked_ms, curtain)
     values ('ags_${digits}', 'usr_${digits}', 'chn_${digits}', '{"source":"desk","ref":"r","title":"Old"}', 'private',
       1, 2, 3, '{"since":null,"holds":{}}')`,
    `insert into publish_tickets values ('${'a'.repeat(64)}', 'ags_${digits}', 1, 9, null, null)`,
    `insert into sessions values ('${'b'.repeat(64)}', 'usr_${digits}', 1, 9)`,
    `insert into sign_in_links values ('${'c'.repeat(64)}', 'usr_${digits}', 9, null)`,
    `insert into view_tickets values ('${'d'.repeat(64)}', 'ags_${digits}', 'usr_${digits}', 1, 9, null)`,
    `insert into channel_moderators values ('chn_${digits}', 'usr_${digits}', 1)`,
  ],
} as const

/** Expects of a store of today that it has {@link rowsOfTheFirst} and goes on with them. */
export async function expectRowsOfTheFirst(store: Store): Promise<void> {
  const { person, channel, stream, session, link, ticket } = rowsOfTheFirst
  const record: StreamRecord = {
    id: stream,
    owner: person,
    handle: 'ada',
    channel,
    task: { source: 'desk', ref: 'r', title: 'Old' },
    visibility: 'private',
    createdAt: 1,
    startedAt: 2,
    ended: null,
    workedMs: 3,
    ticket: { hash: ticket, expiresAt: 9 },
    replacedTickets: [],
    curtain: { since: null, holds: {} },
    linkKeyHash: null,
    still: null,
  }
  expect(await store.streams.loadStream(stream)).toEqual(record)
  expect(await store.identity.session(session, 2)).toEqual({ person, handle: 'ada', channel, expiresAt: 9 })
  expect(await store.identity.useSignInLink(link, 2)).toEqual({ id: person, handle: 'ada', channel })
  expect(await store.moderators.list(channel)).toEqual([{ person, handle: 'ada', addedAt: 1 }])
  expect(await store.viewTickets.find(rowsOfTheFirst.viewTicket, 2)).toBeNull()
  expect(await store.listing.list({ owner: person, ended: false, limit: 9 })).toEqual([stream])

  const still = { hash: 'e'.repeat(64), type: 'image/webp', size: 1, at: 5 } as const
  await store.stills.put(stream, still.hash, new Uint8Array(1), 5)
  await store.streams.keep(stream, { type: 'still_changed', still })
  await store.streams.keep(stream, { type: 'visibility_changed', visibility: 'public' })
  await store.sharing.share(stream, person, 5)
  expect(await store.streams.loadStream(stream)).toEqual({ ...record, still, visibility: 'public' })
}
