import { sql } from 'drizzle-orm'
import { type Store, storeOn } from '../../src/store/open-store.ts'
import { openPglite } from '../../src/store/pglite-connection.ts'
import { emptyPglite } from '../store/stores.ts'

/** Every row of every table: `{ people: [{ id: … }, …], … }`. */
export type Rows = Readonly<Record<string, readonly Readonly<Record<string, unknown>>[]>>

/** A store in memory whose tables a test can read. */
export async function openReadableStore(): Promise<{ store: Store; rows: () => Promise<Rows> }> {
  const connection = await openPglite({ template: await emptyPglite() })
  const { database } = connection
  const select = async (query: ReturnType<typeof sql>) =>
    (await database.execute(query)) as unknown as Record<string, unknown>[] | { rows: Record<string, unknown>[] }
  const list = (result: Awaited<ReturnType<typeof select>>) => (Array.isArray(result) ? result : result.rows)
  return {
    store: storeOn(connection, 5000),
    async rows() {
      const named = list(
        await select(sql`select table_name from information_schema.tables where table_schema = 'public' order by 1`),
      )
      const tables: [string, Record<string, unknown>[]][] = []
      for (const { table_name: name } of named) {
        tables.push([
          String(name),
          list(await select(sql`select * from ${sql.identifier(String(name))} t order by t::text`)),
        ])
      }
      return Object.fromEntries(tables)
    },
  }
}
