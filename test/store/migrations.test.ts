import { expect, test } from 'bun:test'
import { cpSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, relative } from 'node:path'
import { PGlite } from '@electric-sql/pglite'
import { drizzle } from 'drizzle-orm/pglite'
import { migrate } from 'drizzle-orm/pglite/migrator'
import { isUpToDate, migrationsFolder } from '../../src/store/migrations.ts'
import { openStore } from '../../src/store/open-store.ts'
import { expectRowsOfTheFirst, firstMigrations, rowsOfTheFirst } from './first-migrations.ts'
import { emptyPglite } from './stores.ts'

const root = join(import.meta.dir, '../..')

/** Runs `drizzle-kit generate` on a copy of the committed migrations; answers what changed. */
async function generate(schema: string): Promise<{ said: string; changed: boolean }> {
  // drizzle-kit reads `--out` relative to the project.
  const copy = mkdtempSync(join(tmpdir(), 'footlight-migrations-'))
  try {
    cpSync(migrationsFolder, copy, { recursive: true })
    const child = Bun.spawn(
      [
        process.execPath,
        'x',
        '--no-install',
        'drizzle-kit',
        'generate',
        '--dialect=postgresql',
        `--schema=${schema}`,
        `--out=${relative(root, copy)}`,
      ],
      { cwd: root, stdin: 'ignore', stdout: 'pipe', stderr: 'pipe' },
    )
    const [out, err, code] = await Promise.all([
      new Response(child.stdout).text(),
      new Response(child.stderr).text(),
      child.exited,
    ])
    if (code !== 0) throw new Error(out + err)
    const journal = (folder: string) => readFileSync(join(folder, 'meta/_journal.json'), 'utf8')
    return { said: out + err, changed: journal(copy) !== journal(migrationsFolder) }
  } finally {
    rmSync(copy, { recursive: true })
  }
}

test('the committed migrations make the schema as it is written', async () => {
  const { said, changed } = await generate('src/store/schema')
  expect(said).toContain('No schema changes')
  expect(changed).toBe(false)
}, 30_000)

test('and the check would find a change', async () => {
  const { said, changed } = await generate('test/store/schema-with-one-more-table.ts')
  expect(said).toContain('Your SQL migration file')
  expect(changed).toBe(true)
}, 30_000)

test('a database is up to date after the migrator ran, and not before', async () => {
  const client = await PGlite.create({ loadDataDir: await emptyPglite() })
  const database = drizzle(client)
  expect(await isUpToDate(database)).toBe(false)
  await migrate(database, { migrationsFolder })
  expect(await isUpToDate(database)).toBe(true)
  await client.close()
}, 30_000)

test('a database of the first Footlight keeps all its rows, but for a view ticket without a right', async () => {
  const { folder, remove } = firstMigrations(1)
  const client = await PGlite.create({ loadDataDir: await emptyPglite() })
  await migrate(drizzle(client), { migrationsFolder: folder })
  remove()
  for (const statement of rowsOfTheFirst.statements) await client.exec(statement)
  const template = await client.dumpDataDir('none')
  await client.close()

  const store = await openStore({ template })
  await expectRowsOfTheFirst(store)
  await store.close()
}, 60_000)
