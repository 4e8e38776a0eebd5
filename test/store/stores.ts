import { randomBytes } from 'node:crypto'
import { PGlite } from '@electric-sql/pglite'
import postgres from 'postgres'
import { openStore, type Store } from '../../src/store/open-store.ts'

/** PostgreSQL to test on, e.g. `postgres://postgres@127.0.0.1:5432/test`; may create databases. */
export const testDatabaseUrl = process.env.FOOTLIGHT_TEST_DATABASE_URL

if (!testDatabaseUrl) {
  console.log('FOOTLIGHT_TEST_DATABASE_URL is not set: the PostgreSQL half of the store tests is skipped.')
}

let template: Promise<Blob> | undefined

/** An empty PGlite to begin with: made once a test run, as making one takes seconds. */
export function emptyPglite(): Promise<Blob> {
  template ??= (async () => {
    const client = await PGlite.create()
    try {
      return await client.dumpDataDir('none')
    } finally {
      await client.close()
    }
  })()
  return template
}

/** A store in memory, empty, for any test that needs one. */
export async function openMemoryStore(): Promise<Store> {
  return await openStore({ template: await emptyPglite() })
}

/** A database of its own on the test server, and how to be rid of it. */
export async function createDatabase(): Promise<{ url: string; drop: () => Promise<void> }> {
  if (!testDatabaseUrl) throw new Error('FOOTLIGHT_TEST_DATABASE_URL is not set')
  const admin = postgres(testDatabaseUrl, { max: 1, onnotice: () => {} })
  const name = `footlight_test_${randomBytes(6).toString('hex')}`
  await admin.unsafe(`create database ${name}`)
  const url = new URL(testDatabaseUrl)
  url.pathname = `/${name}`
  return {
    url: url.href,
    async drop() {
      await admin.unsafe(`drop database ${name} with (force)`)
      await admin.end()
    },
  }
}

export interface StoreUnderTest {
  readonly name: string
  /** An empty store; `done` closes it and removes what it left. */
  open(): Promise<{ store: Store; done: () => Promise<void> }>
}

/** Every store that the repository tests run on. */
export const storesUnderTest: readonly StoreUnderTest[] = [
  {
    name: 'PGlite',
    async open() {
      const store = await openMemoryStore()
      return { store, done: () => store.close() }
    },
  },
  ...(testDatabaseUrl
    ? [
        {
          name: 'PostgreSQL',
          async open() {
            const database = await createDatabase()
            const store = await openStore({ databaseUrl: database.url })
            return {
              store,
              async done() {
                await store.close()
                await database.drop()
              },
            }
          },
        },
      ]
    : []),
]
