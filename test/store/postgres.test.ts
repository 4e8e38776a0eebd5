import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { drizzle } from 'drizzle-orm/postgres-js'
import { migrate } from 'drizzle-orm/postgres-js/migrator'
import postgres from 'postgres'
import { newId } from '../../src/contracts/ids.ts'
import { listingQuery } from '../../src/store/database-stream-listing.ts'
import journal from '../../src/store/migrations/meta/_journal.json'
import { openStore, type Store } from '../../src/store/open-store.ts'
import { StoreStartError } from '../../src/store/store-start-error.ts'
import { addPerson, addStream } from './add-stream.ts'
import { DatabaseProxy } from './database-proxy.ts'
import { expectRowsOfTheFirst, firstMigrations, rowsOfTheFirst } from './first-migrations.ts'
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

  /**
   * Begins `work` while another server holds the stream's row with a change that is not committed,
   * and commits that change when `work` waits for it or is done.
   */
  async function duringAnothersChange<T>(id: string, change: string, work: () => Promise<T>): Promise<T> {
    let working: Promise<T> | undefined
    let done = false
    await raw.begin(async (other) => {
      await other`select 1 from managed_streams where id = ${id} for update`
      await other.unsafe(`update managed_streams set ${change} where id = '${id}'`)
      working = work().finally(() => {
        done = true
      })
      working.catch(() => {})
      for (;;) {
        const [row] = await raw`select count(*) as n from pg_locks where not granted`
        if (done || Number(row?.n) > 0) break
      }
    })
    return await (working as Promise<T>)
  }

  test('what another server is about to change is waited for: its last still is not dropped, its end not missed', async () => {
    const store = await openStore({ databaseUrl: url })
    const owner = await addPerson(store, 'two-servers')
    const { id } = await addStream(store, owner)
    const [first, second] = [sha256('first'), sha256('second')]
    await store.stills.put(id, first, Buffer.from('first'), 1)
    const names = `still_hash = '${first}', still_type = 'image/jpeg', still_size = 5, still_at = 2`
    await duringAnothersChange(id, names, () => store.stills.drop(id, first))
    expect(await store.stills.get(id, first)).not.toBeNull()

    const ends = `ended_at = 3, ended_why = 'owner'`
    const late = duringAnothersChange(id, ends, () => store.stills.put(id, second, Buffer.from('second'), 3))
    expect(await refusalOf(late)).toBe('stream_ended')
    expect(await store.stills.get(id, second)).toBeNull()
    await store.close()
  }, 30_000)

  test('no table holds a secret in plain text, and every hash column is checked by the database', async () => {
    const store = await openStore({ databaseUrl: url })
    const secrets = ['wpt_', 'session_', 'link_', 'wvt_', 'key_', 'key_'].map((kind) => `${kind}${crypto.randomUUID()}`)
    const [ticket = '', session = '', link = '', view = '', key = '', came = ''] = secrets
    const person = await store.identity.addPerson({ handle: 'secretive' }, 1)
    if (!person) throw new Error('taken')
    const id = newId('agentStream')
    await store.streams.createStream({
      id,
      owner: person.id,
      task: { source: 'desk', ref: 'r', title: 'Keep no secret' },
      visibility: 'private',
      ticket: { hash: sha256(ticket), expiresAt: 9 },
      linkKeyHash: sha256(key),
      createdAt: 1,
    })
    await store.identity.createSession({ hash: sha256(session), person: person.id, createdAt: 1, expiresAt: 9 })
    await store.identity.createSignInLink({ hash: sha256(link), person: person.id, expiresAt: 9 })
    const right = { type: 'link', key: sha256(came) } as const
    await store.viewTickets.mint({ hash: sha256(view), stream: id, right, firstMintedAt: 1, expiresAt: 9 })
    await store.close()

    const tables = await raw`select table_name as name from information_schema.tables where table_schema = 'public'`
    expect(tables).toHaveLength(12)
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

  test('a database of the first Footlight keeps all its rows', async () => {
    const fresh = await createDatabase()
    const { folder, remove } = firstMigrations(1)
    const client = postgres(fresh.url, { max: 1, onnotice: () => {} })
    await migrate(drizzle(client), { migrationsFolder: folder })
    remove()
    for (const statement of rowsOfTheFirst.statements) await client.unsafe(statement)
    await client.end()
    const store = await openStore({ databaseUrl: fresh.url })
    await expectRowsOfTheFirst(store)
    await store.close()
    await fresh.drop()
  }, 30_000)

  describe('with some thousands of streams', () => {
    let many: Awaited<ReturnType<typeof createDatabase>>
    let client: postgres.Sql
    const owner = (n: number) => `usr_${String(n).padStart(26, '0')}`
    const channel = (n: number) => `chn_${String(n).padStart(26, '0')}`
    const stream = (n: number) => `ags_${String(n).padStart(26, '0')}`

    beforeAll(async () => {
      many = await createDatabase()
      await (await openStore({ databaseUrl: many.url })).close()
      client = postgres(many.url, { max: 1, onnotice: () => {} })
      const id = (kind: string, n: string) => `'${kind}_' || lpad((${n})::text, 26, '0')`
      await client.unsafe(`
        insert into people select ${id('usr', 'n')}, 'p' || n, 1 from generate_series(0, 99) n;
        insert into channels select ${id('chn', 'n')}, ${id('usr', 'n')}, 'p' || n, 1 from generate_series(0, 99) n;
        insert into managed_streams (id, owner, channel, task, visibility, created_at, ended_at, ended_why, curtain)
          select ${id('ags', 'n')}, ${id('usr', 'n % 100')}, ${id('chn', 'n % 100')}, '{}',
            case n / 100 % 5 when 0 then 'public' when 1 then 'unlisted' else 'private' end, 1,
            case n / 100 % 20 when 0 then null else 2 end, case n / 100 % 20 when 0 then null else 'owner' end,
            '{"since":null,"holds":{}}'
          from generate_series(1, 10000) n;
        insert into view_tickets
          select encode(sha256(n::text::bytea), 'hex'), ${id('ags', '1 + n % 500')}, ${id('usr', 'n % 100')}, 1, n, null,
            '{"type":"owner"}' from generate_series(1, 5000) n;
        analyze`)
    }, 60_000)
    afterAll(async () => {
      await client.end()
      await many.drop()
    })

    /** How the server carries a query out, as it would by itself. */
    async function plan({ sql, params }: { sql: string; params: unknown[] }): Promise<string> {
      const lines = await client.unsafe(`explain (costs off) ${sql}`, params as string[])
      return lines.map((line) => line['QUERY PLAN']).join('\n')
    }

    const whose = [
      {},
      { channel: channel(7) },
      { owner: owner(7) },
      { visibility: 'public' },
      { channel: channel(7), visibility: 'public' },
      { owner: owner(7), visibility: 'public' },
    ] as const
    const pages = [{}, { before: stream(5000) }, { after: stream(5000) }]
    const cases = whose.flatMap((of) =>
      [null, true, false].flatMap((ended) => pages.map((page) => ({ ...of, ...page, ended, limit: 12 }))),
    )

    test.each(cases)('a list is read from an index: %j', async (filter) => {
      const carriedOut = await plan(listingQuery(drizzle(client), filter).toSQL())
      expect(carriedOut).toMatch(/(Index|Index Only|Bitmap Index) Scan.* managed_streams_/)
      expect(carriedOut).not.toContain('Seq Scan')
    })

    test.each([
      [{ channel: channel(7), ended: null }, 'managed_streams_channel'],
      [{ channel: channel(7), ended: false }, 'managed_streams_channel_open'],
      [{ channel: channel(7), visibility: 'public', ended: true }, 'managed_streams_channel_public'],
      [{ owner: owner(7), ended: null }, 'managed_streams_owner'],
      [{ owner: owner(7), ended: false }, 'managed_streams_owner_open'],
      [{ visibility: 'public', ended: false }, 'managed_streams_(visibility_open|public)'],
      [{ visibility: 'public', ended: true }, 'managed_streams_public'],
      [{ ended: null }, 'managed_streams_pkey'],
    ] as const)('the list %j has its own index, in order and with nothing to sort', async (filter, index) => {
      const query = listingQuery(drizzle(client), { ...filter, before: stream(9000), limit: 100 }).toSQL()
      // Whether 100 rows are worth an order or a sort, the planner may think either way: this asks what it can do.
      const ordered = await client.begin(async (transaction) => {
        await transaction`set local enable_sort = off`
        const lines = await transaction.unsafe(`explain (costs off) ${query.sql}`, query.params as string[])
        return lines.map((line) => line['QUERY PLAN']).join('\n')
      })
      expect(ordered).toMatch(new RegExp(`Scan Backward using ${index} on`))
      expect(ordered).not.toContain('Sort')
    })

    test('what a sweep and a look-up ask for is read from an index', async () => {
      const asked = {
        'select * from view_tickets where expires_at < 20': 'view_tickets_expires',
        [`select * from view_tickets where stream = '${stream(7)}' and person = '${owner(6)}'`]: 'view_tickets_stream',
        "select * from people where lower(handle) = 'p7'": 'people_handle',
        "select * from people where issuer = 'i' and subject = 's'": 'people_issuer_subject',
        'select * from sessions where expires_at <= 2': 'sessions_expires',
        'select * from sign_in_links where expires_at <= 2': 'sign_in_links_expires',
        [`select * from agent_stream_steps where stream = '${stream(7)}' and id > 'i' order by id`]:
          'agent_stream_steps_stream',
      }
      for (const [sql, index] of Object.entries(asked)) {
        const carriedOut = await client.begin(async (transaction) => {
          // Some of these tables are empty: then reading them whole would be cheaper.
          await transaction`set local enable_seqscan = off`
          const lines = await transaction.unsafe(`explain (costs off) ${sql}`)
          return lines.map((line) => line['QUERY PLAN']).join('\n')
        })
        expect(carriedOut).toContain(index)
        expect(carriedOut).not.toContain('Sort')
      }
    })
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
