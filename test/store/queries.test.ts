import { expect, test } from 'bun:test'
import type { Connection, Database } from '../../src/store/database.ts'
import { Queries } from '../../src/store/queries.ts'
import { refusalOf } from './refusal-of.ts'

/** A database whose transactions begin when the test says so. */
function slowConnection() {
  const gates: (() => void)[] = []
  let renewals = 0
  const database = {
    async transaction(work: (transaction: unknown) => Promise<unknown>) {
      await new Promise<void>((resolve) => gates.push(resolve))
      return await work(database)
    },
  }
  const connection: Connection = {
    database: database as unknown as Database,
    renew() {
      renewals++
    },
    async close() {},
  }
  return { connection, gates, renewals: () => renewals }
}

test('a write that missed its deadline while it waited for a connection is never begun', async () => {
  const { connection, gates, renewals } = slowConnection()
  const queries = new Queries(connection, 20)
  let begun = 0
  const write = queries.write(async () => {
    begun++
  })
  expect(await refusalOf(write)).toBe('store_unavailable')
  expect(renewals()).toBe(1)
  for (const open of gates) open()
  await Bun.sleep(0)
  expect(begun).toBe(0)
})

test('what hangs does not hold up the next of its line, and what expired in line is not begun', async () => {
  const { connection, gates } = slowConnection()
  const queries = new Queries(connection, 20)
  const log: string[] = []
  const hanging = queries.write(async () => log.push('hanging'), 'stream')
  const waiting = queries.write(async () => log.push('waiting'), 'stream')
  expect(await Promise.all([refusalOf(hanging), refusalOf(waiting)])).toEqual([
    'store_unavailable',
    'store_unavailable',
  ])
  const before = gates.length
  const next = queries.write(async () => log.push('next'), 'stream')
  while (gates.length === before) await Bun.sleep(0)
  for (const open of gates) open()
  await next
  await Bun.sleep(0)
  expect(log).toEqual(['next'])
})
