import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import postgres from 'postgres'
import { newId } from '../../src/contracts/ids.ts'
import journal from '../../src/store/migrations/meta/_journal.json'
import { openStore, type Store } from '../../src/store/open-store.ts'
import { StoreStartError } from '../../src/store/store-start-error.ts'
import { DatabaseProxy } from './database-proxy.ts'
import { refusalOf } from './refusal-of.ts'
import { sha256 } from './sha256.ts'
import { createDatabase, testDatabaseUrl } from './stores.ts'

describe.skipIf(!testDatabaseUrl)('PostgreSQL', () => {
  let url: string
  let drop: () => Promise<void>
  let raw: postgres.Sql

  beforeAll(async () => {
    ;({ url, drop } = await createDatabase())
    raw = postgres(url, { max: 2, onnotice: () => {} })
  })
  afterAll(async () => {
    await raw.end()
    await drop()
  })

  const migrationsApplied = async () =>
    Number((await raw`select count(*) as n from drizzle.__drizzle_migrations`)[0]?.n)

  test('ten servers that start at once on an empty database migrate it once', async () => {
    const stores = await Promise.all(Array.from({ length: 10 }, () => openStore({ databaseUrl: url })))
    await Promise.all(stores.map((store) => store.ping()))
    expect(await migrationsApplied()).toBe(journal.entries.length)
    await Promise.all(stores.map((store) => store.close()))
    const again = await openStore({ databaseUrl: url })
    expect(await migrationsApplied()).toBe(journal.entries.length)
    await again.close()
  }, 30_000)

  test('a server that waits too long for another that migrates says so', async () => {
    const fresh = await createDatabase()
    const other = postgres(fresh.url, { max: 1 })
    const lock = 0x666f6f74
    await other`select pg_advisory_lock(${lock}::bigint)`
    const opening = openStore({ databaseUrl: fresh.url, lockTimeoutMs: 100 })
    await expect(opening).rejects.toThrow(/^Another server is still migrating the database at 127\.0\.0\.1:\d+\. /)
    await other.end()
    await (await openStore({ databaseUrl: fresh.url, lockTimeoutMs: 100 })).close()
    await fresh.drop()
  }, 30_000)

  test('tables of a newer Footlight are left alone', async () => {
    const fresh = await createDatabase()
    await (await openStore({ databaseUrl: fresh.url })).close()
    const client = postgres(fresh.url, { max: 1 })
    await client`insert into drizzle.__drizzle_migrations (hash, created_at) values ('later', 9999999999999)`
    await client.end()
    const opening = openStore({ databaseUrl: fresh.url })
    await expect(opening).rejects.toThrow('The database was written by a newer Footlight.')
    await fresh.drop()
  }, 30_000)

  test('while the database is gone every call is refused; when it is back the store is too, all kept', async () => {
    const { proxy, url: proxied } = await DatabaseProxy.before(url)
    const store = await openStore({ databaseUrl: proxied })
    const ada = await store.identity.addPerson({ handle: 'ada' }, 1)
    await proxy.stop()
    const calls = [
      store.ping(),
      store.identity.personByHandle('ada'),
      store.identity.addPerson({ handle: 'grace' }, 1),
      store.streams.loadStream(newId('agentStream')),
      store.streams.keep(newId('agentStream'), { type: 'started', at: 1 }),
    ]
    expect(new Set(await Promise.all(calls.map(refusalOf)))).toEqual(new Set(['store_unavailable']))
    await proxy.listen()
    // The pool tries again by itself within its back-off, and queues the call meanwhile.
    await answers(store)
    expect(await store.identity.personByHandle('ada')).toEqual(ada)
    expect(await store.identity.personByHandle('grace')).toBeNull()
    await store.close()
    await proxy.stop()
  }, 30_000)

  test('connections that break in the middle of a crowd of writes leave each write whole or absent', async () => {
    const { proxy, url: proxied } = await DatabaseProxy.before(url)
    const store = await openStore({ databaseUrl: proxied })
    const handles = Array.from({ length: 200 }, (_, n) => `crowd-${n}`)
    const writes = handles.map((handle) => store.identity.addPerson({ handle }, 1))
    await writes[20]
    await proxy.stop()
    const outcomes = await Promise.allSettled(writes)
    await proxy.listen()
    await answers(store)
    const refused = outcomes.filter((outcome) => outcome.status === 'rejected')
    expect(refused.length).toBeGreaterThan(0)
    for (const { reason } of refused) expect(reason.refusal.code).toBe('store_unavailable')
    for (const [n, outcome] of outcomes.entries()) {
      const found = await store.identity.personByHandle(handles[n] ?? '')
      if (outcome.status === 'fulfilled') expect(found).toEqual(outcome.value)
    }
    const [halves] = await raw`select count(*) as n from people where id not in (select owner from channels)`
    expect(Number(halves?.n)).toBe(0)
    await store.close()
    await proxy.stop()
  }, 30_000)

  test('a database that hangs is given up in time, and new connections are used as soon as they come through', async () => {
    const { proxy, url: proxied } = await DatabaseProxy.before(url)
    const store = await openStore({ databaseUrl: proxied, deadlineMs: 600, maxConnections: 2 })
    await Promise.all([store.ping(), store.ping()])
    proxy.freeze()
    // More calls than connections: those in the queue have their deadline as well.
    const calls = Array.from({ length: 6 }, () => store.ping())
    expect(new Set(await Promise.all(calls.map(refusalOf)))).toEqual(new Set(['store_unavailable']))
    proxy.thaw()
    await answers(store)
    await store.close()
    await proxy.stop()
  }, 30_000)

  test('a session that another one blocks is refused, and what it wanted is not done later', async () => {
    const store = await openStore({ databaseUrl: url, deadlineMs: 500 })
    const owner = await store.identity.addPerson({ handle: 'blocked' }, 1)
    const id = newId('agentStream')
    await store.streams.createStream({
      id,
      owner: owner?.id ?? '',
      task: { source: 'desk', ref: 'r', title: 'Wait' },
      visibility: 'private',
      ticket: { hash: sha256(id), expiresAt: 9 },
      linkKeyHash: null,
      createdAt: 1,
    })
    await raw.begin(async (other) => {
      await other`select 1 from managed_streams where id = ${id} for update`
      expect(await refusalOf(store.streams.keep(id, { type: 'started', at: 5 }))).toBe('store_unavailable')
    })
    await store.streams.keep(id, { type: 'worked', workedMs: 1 })
    const record = await store.streams.loadStream(id)
    expect([record?.startedAt, record?.workedMs]).toEqual([null, 1])
    await store.close()
  }, 30_000)

  test('no table holds a secret in plain text, and every hash column is checked by the database', async () => {
    const store = await openStore({ databaseUrl: url })
    const secrets = ['wpt_', 'session_', 'link_'].map((kind) => `${kind}${crypto.randomUUID()}`)
    const [ticket = '', session = '', link = ''] = secrets
    const person = await store.identity.addPerson({ handle: 'secretive' }, 1)
    if (!person) throw new Error('taken')
    const id = newId('agentStream')
    await store.streams.createStream({
      id,
      owner: person.id,
      task: { source: 'desk', ref: 'r', title: 'Keep no secret' },
      visibility: 'private',
      ticket: { hash: sha256(ticket), expiresAt: 9 },
      linkKeyHash: null,
      createdAt: 1,
    })
    await store.identity.createSession({ hash: sha256(session), person: person.id, createdAt: 1, expiresAt: 9 })
    await store.identity.createSignInLink({ hash: sha256(link), person: person.id, expiresAt: 9 })
    await store.close()

    const tables = await raw`select table_name as name from information_schema.tables where table_schema = 'public'`
    expect(tables).toHaveLength(10)
    const rows = await Promise.all(tables.map(({ name }) => raw`select * from ${raw(name)}`))
    const dump = JSON.stringify(rows)
    for (const secret of secrets) {
      expect(dump).not.toContain(secret)
      expect(dump).toContain(sha256(secret))
    }
    const unchecked = await raw`
      select c.table_name, c.column_name from information_schema.columns c
      where c.table_schema = 'public' and c.column_name ~ 'hash$' and not exists (
        select from information_schema.constraint_column_usage u
        join information_schema.check_constraints k using (constraint_name)
        where u.table_name = c.table_name and u.column_name = c.column_name and k.check_clause like '%[0-9a-f]{64}%')`
    expect([...unchecked]).toEqual([])
  }, 30_000)

  test('lists that pages will ask for are answered from an index', async () => {
    const plan = async (query: string) =>
      await raw.begin(async (transaction) => {
        await transaction`set local enable_seqscan = off`
        const lines = await transaction.unsafe(`explain (costs off) ${query}`)
        return lines.map((line) => line['QUERY PLAN']).join('\n')
      })
    const channelPage = await plan(`select * from managed_streams where channel = 'c' order by id desc limit 12`)
    expect(channelPage).toContain('Index Scan Backward using managed_streams_channel')
    expect(channelPage).not.toContain('Sort')
    const steps = await plan(`select * from agent_stream_steps where stream = 's' and id > 'i' order by id limit 20`)
    expect(steps).toContain('using agent_stream_steps_stream')
    expect(steps).not.toContain('Sort')
    expect(await plan(`select * from people where lower(handle) = 'ada'`)).toContain('people_handle')
  })
})

/** Resolves when the store answers again; each try has the store's own deadline. */
async function answers(store: Store): Promise<void> {
  for (let tries = 0; tries < 20; tries++) {
    try {
      return await store.ping()
    } catch {
      await Bun.sleep(50)
    }
  }
  throw new Error('the store did not come back')
}

describe('a PostgreSQL that cannot be opened', () => {
  async function startError(databaseUrl: string): Promise<StoreStartError> {
    try {
      await (await openStore({ databaseUrl, deadlineMs: 1500 })).close()
    } catch (error) {
      if (error instanceof StoreStartError) return error
      throw error
    }
    throw new Error('it started')
  }

  /** A server that says one thing to whoever connects, or nothing. */
  async function serverThatSays(bytes: Buffer | null) {
    const server = Bun.listen({
      hostname: '127.0.0.1',
      port: 0,
      socket: {
        data(socket) {
          if (!bytes) return
          socket.write(bytes)
          socket.end()
        },
      },
    })
    return { port: server.port, stop: () => server.stop(true) }
  }

  /** An ErrorResponse (PostgreSQL documentation 55.7). */
  function errorResponse(sqlState: string, message: string): Buffer {
    const fields = Buffer.from(`SFATAL\0VFATAL\0C${sqlState}\0M${message}\0\0`)
    const head = Buffer.alloc(5)
    head.write('E')
    head.writeInt32BE(fields.length + 4, 1)
    return Buffer.concat([head, fields])
  }

  test('nobody listens', async () => {
    const server = await serverThatSays(null)
    server.stop()
    const { message } = await startError(`postgres://footlight:s3cret@127.0.0.1:${server.port}/live`)
    expect(message).toStartWith(`The database at 127.0.0.1:${server.port} does not answer (`)
    expect(message).toEndWith('Start it, or correct DATABASE_URL.')
    expect(message).not.toContain('s3cret')
  })

  test('somebody listens and never answers', async () => {
    const server = await serverThatSays(null)
    const { message } = await startError(`postgres://footlight:s3cret@127.0.0.1:${server.port}/live`)
    expect(message).toStartWith(`The database at 127.0.0.1:${server.port} does not answer (`)
    server.stop()
  }, 10_000)

  test('somebody listens and hangs up on everybody', async () => {
    const server = await serverThatSays(Buffer.alloc(0))
    const { message } = await startError(`postgres://footlight:s3cret@127.0.0.1:${server.port}/live`)
    expect(message).toStartWith(`The database at 127.0.0.1:${server.port} does not answer (`)
    server.stop()
  }, 10_000)

  test('the password is wrong', async () => {
    const server = await serverThatSays(errorResponse('28P01', 'password authentication failed for user "footlight"'))
    const { message } = await startError(`postgres://footlight:s3cret@127.0.0.1:${server.port}/live`)
    expect(message).toBe(
      `The database at 127.0.0.1:${server.port} refused the user or password. Correct them in DATABASE_URL.`,
    )
    server.stop()
  })

  test('there is no such database', async () => {
    const server = await serverThatSays(errorResponse('3D000', 'database "live" does not exist'))
    const { message } = await startError(`postgres://footlight:s3cret@127.0.0.1:${server.port}/live`)
    expect(message).toBe(
      `The database at 127.0.0.1:${server.port} has no database of that name. Create it, or correct DATABASE_URL.`,
    )
    server.stop()
  })

  test.each(['', 'mysql://u:s3cret@h/d', 'postgres://u:s3cret@h:port/d', 'postgres://u:s3cret@[h/d', 's3cret'])(
    'the address is none: %j',
    async (databaseUrl) => {
      const error = await startError(databaseUrl)
      expect(error.message).toBe('DATABASE_URL is not an address like postgres://user:password@host:5432/name.')
      expect(Bun.inspect(error)).not.toContain("databaseUrl: '")
      expect(error.cause).toBeUndefined()
    },
  )
})
