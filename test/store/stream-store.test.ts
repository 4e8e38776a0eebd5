import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import type { NewStream, StreamChange, StreamRecord } from '../../src/actors/ports/store.ts'
import { newId } from '../../src/contracts/ids.ts'
import type { Person } from '../../src/store/identity-store.ts'
import type { Store } from '../../src/store/open-store.ts'
import { refusalOf } from './refusal-of.ts'
import { sha256 } from './sha256.ts'
import { storesUnderTest } from './stores.ts'

const hour = 3_600_000
const t0 = Date.UTC(2026, 10, 6, 10)

for (const underTest of storesUnderTest) {
  describe(`StorePort on ${underTest.name}`, () => {
    let store: Store
    let done: () => Promise<void>
    let ada: Person

    beforeAll(async () => {
      ;({ store, done } = await underTest.open())
      const person = await store.identity.addPerson({ handle: 'ada' }, t0)
      if (!person) throw new Error('no person')
      ada = person
    }, 30_000)
    afterAll(() => done())

    const ticket = (name: string, at = t0) => ({
      hash: sha256(`${name} ${crypto.randomUUID()}`),
      expiresAt: at + 4 * hour,
    })

    function newStream(over: Partial<NewStream> = {}): NewStream {
      return {
        id: newId('agentStream'),
        owner: ada.id,
        task: { source: 'desk', ref: 'r1', title: 'Mend the tests', url: 'https://example.org/1' },
        visibility: 'private',
        ticket: ticket('first'),
        linkKeyHash: null,
        createdAt: t0,
        ...over,
      }
    }

    async function created(over: Partial<NewStream> = {}): Promise<{ stream: NewStream; record: StreamRecord }> {
      const stream = newStream(over)
      const record = await store.streams.createStream(stream)
      if (!record) throw new Error('not created')
      return { stream, record }
    }

    async function loaded(id: string): Promise<StreamRecord> {
      const record = await store.streams.loadStream(id)
      if (!record) throw new Error('not there')
      return record
    }

    test('a new stream is loaded as it was made', async () => {
      const { stream, record } = await created()
      expect(record).toEqual({
        id: stream.id,
        owner: ada.id,
        handle: 'ada',
        channel: ada.channel,
        task: { source: 'desk', ref: 'r1', title: 'Mend the tests', url: 'https://example.org/1' },
        visibility: 'private',
        createdAt: t0,
        startedAt: null,
        ended: null,
        workedMs: 0,
        ticket: stream.ticket,
        replacedTickets: [],
        curtain: { since: null, holds: {} },
        linkKeyHash: null,
        still: null,
      })
      expect(await loaded(stream.id)).toEqual(record)
    })

    test('text comes back as it went in, whatever letters it has', async () => {
      const title = `it's "quoted" \\ 🎭 ‮ $1 '; drop table people; --`
      const { stream } = await created({ task: { source: 'node', ref: 'é', title } })
      expect((await loaded(stream.id)).task).toEqual({ source: 'node', ref: 'é', title })
    })

    test.each(['a\u0000b', 'a\ud800b'])(
      'text that cannot be kept is refused, and nothing of it stays: %j',
      async (title) => {
        const stream = newStream({ task: { source: 'desk', ref: 'r', title } })
        expect(await refusalOf(store.streams.createStream(stream))).toBe('invalid_request')
        expect(await store.streams.loadStream(stream.id)).toBeNull()
      },
    )

    test('a stream that is not there loads as null, and keeps nothing', async () => {
      const nobody = newId('agentStream')
      expect(await store.streams.loadStream(nobody)).toBeNull()
      expect(await store.streams.loadStream('ags_\u0000')).toBeNull()
      expect(await store.streams.loadStream(`'; drop table people; --`)).toBeNull()
      const changes: StreamChange[] = [
        { type: 'ticket_minted', ticket: ticket('x'), at: t0, replacedUntil: t0 },
        { type: 'ticket_revoked', at: t0 },
        { type: 'curtain_changed', curtain: { since: null, holds: {} } },
        { type: 'started', at: t0 },
        { type: 'worked', workedMs: 1 },
        { type: 'visibility_changed', visibility: 'public' },
        { type: 'link_rotated', linkKeyHash: sha256('key') },
        { type: 'still_changed', still: { hash: sha256('still'), type: 'image/jpeg', size: 1, at: t0 } },
        { type: 'ended', at: t0, why: 'owner', workedMs: 1 },
      ]
      for (const change of changes) expect(await refusalOf(store.streams.keep(nobody, change))).toBe('not_found')
    })

    test('nobody cannot own a stream', async () => {
      const stream = newStream({ owner: newId('person') })
      expect(await store.streams.createStream(stream)).toBeNull()
      expect(await store.streams.loadStream(stream.id)).toBeNull()
    })

    test('a stream whose ticket cannot be kept is not there either', async () => {
      const { stream: first } = await created()
      const second = newStream({ ticket: first.ticket })
      expect(await refusalOf(store.streams.createStream(second))).toBe('internal')
      expect(await store.streams.loadStream(second.id)).toBeNull()
    })

    test('a new ticket replaces the one before; the same said again changes nothing', async () => {
      const { stream } = await created()
      const second = ticket('second', t0 + 3 * hour)
      const third = ticket('third', t0 + 4 * hour)
      const mintSecond: StreamChange = {
        type: 'ticket_minted',
        ticket: second,
        at: t0 + 3 * hour,
        replacedUntil: t0 + 3 * hour + 60_000,
      }
      await store.streams.keep(stream.id, mintSecond)
      const afterSecond = await loaded(stream.id)
      expect(afterSecond.ticket).toEqual(second)
      expect(afterSecond.replacedTickets).toEqual([{ hash: stream.ticket.hash, until: t0 + 3 * hour + 60_000 }])
      await store.streams.keep(stream.id, mintSecond)
      expect(await loaded(stream.id)).toEqual(afterSecond)

      await store.streams.keep(stream.id, {
        type: 'ticket_minted',
        ticket: third,
        at: t0 + 5 * hour,
        replacedUntil: t0 + 5 * hour + 60_000,
      })
      const afterThird = await loaded(stream.id)
      expect(afterThird.ticket).toEqual(third)
      expect(afterThird.replacedTickets).toEqual([
        { hash: second.hash, until: t0 + 5 * hour + 60_000 },
        { hash: stream.ticket.hash, until: t0 + 3 * hour + 60_000 },
      ])
      // A late retry of an older mint must not bring its ticket back.
      await store.streams.keep(stream.id, mintSecond)
      expect(await loaded(stream.id)).toEqual(afterThird)
    })

    test('no grace makes a replaced ticket outlive its own expiry', async () => {
      const { stream } = await created()
      const at = stream.ticket.expiresAt - 1000
      await store.streams.keep(stream.id, {
        type: 'ticket_minted',
        ticket: ticket('n', at),
        at,
        replacedUntil: at + 60_000,
      })
      expect((await loaded(stream.id)).replacedTickets).toEqual([
        { hash: stream.ticket.hash, until: stream.ticket.expiresAt },
      ])
    })

    test('revoking kills every ticket, even one minted by a clock that ran ahead; a new one can follow', async () => {
      const { stream } = await created()
      const ahead = t0 + hour
      await store.streams.keep(stream.id, {
        type: 'ticket_minted',
        ticket: ticket('ahead', ahead),
        at: ahead,
        replacedUntil: ahead + 60_000,
      })
      await store.streams.keep(stream.id, { type: 'ticket_revoked', at: t0 })
      const revoked = await loaded(stream.id)
      expect(revoked.ticket).toBeNull()
      expect(revoked.replacedTickets).toEqual([])
      await store.streams.keep(stream.id, { type: 'ticket_revoked', at: t0 })
      expect(await loaded(stream.id)).toEqual(revoked)

      const next = ticket('next')
      await store.streams.keep(stream.id, { type: 'ticket_minted', ticket: next, at: t0, replacedUntil: t0 + 60_000 })
      const renewed = await loaded(stream.id)
      expect(renewed.ticket).toEqual(next)
      expect(renewed.replacedTickets).toEqual([])
    })

    test('the curtain is kept with its holders and reasons', async () => {
      const { stream } = await created()
      const up = {
        since: t0 + 5,
        holds: {
          desk: { raisedAt: t0 + 9, reason: 'password_field' as const },
          owner: { raisedAt: t0 + 5, reason: 'manual' as const },
        },
      }
      await store.streams.keep(stream.id, { type: 'curtain_changed', curtain: up })
      expect((await loaded(stream.id)).curtain).toEqual(up)
      const down = { since: null, holds: {} }
      await store.streams.keep(stream.id, { type: 'curtain_changed', curtain: down })
      expect((await loaded(stream.id)).curtain).toEqual(down)
    })

    test('an unlisted stream has the hash of its first link from the start', async () => {
      const linkKeyHash = sha256(crypto.randomUUID())
      const { stream, record } = await created({ visibility: 'unlisted', linkKeyHash })
      expect([record.visibility, record.linkKeyHash]).toEqual(['unlisted', linkKeyHash])
      expect(await loaded(stream.id)).toEqual(record)
    })

    test('visibility and link change, before and after the end, and nothing else with them', async () => {
      const { stream } = await created()
      for (const ended of [false, true]) {
        if (ended) await store.streams.keep(stream.id, { type: 'ended', at: t0 + 7, why: 'owner', workedMs: 1 })
        for (const visibility of ['unlisted', 'public', 'private'] as const) {
          const before = await loaded(stream.id)
          const linkKeyHash = sha256(crypto.randomUUID())
          const changes: StreamChange[] = [
            { type: 'visibility_changed', visibility },
            { type: 'link_rotated', linkKeyHash },
          ]
          // Twice like once.
          for (const change of [...changes, ...changes]) await store.streams.keep(stream.id, change)
          expect(await loaded(stream.id)).toEqual({ ...before, visibility, linkKeyHash })
        }
      }
    })

    test('two streams never have the same link, nor one that was not hashed', async () => {
      const linkKeyHash = sha256(crypto.randomUUID())
      await created({ linkKeyHash })
      const { stream } = await created()
      for (const bad of [linkKeyHash, 'abcdefghijklmnopqrstuv']) {
        const rotated: StreamChange = { type: 'link_rotated', linkKeyHash: bad }
        expect(await refusalOf(store.streams.keep(stream.id, rotated))).toBe('internal')
      }
      expect((await loaded(stream.id)).linkKeyHash).toBeNull()
      const listed: StreamChange = { type: 'visibility_changed', visibility: 'secret' as 'private' }
      expect(await refusalOf(store.streams.keep(stream.id, listed))).toBe('internal')
    })

    test('the first start counts, and worked time never shrinks', async () => {
      const { stream } = await created()
      await store.streams.keep(stream.id, { type: 'started', at: t0 + 1 })
      await store.streams.keep(stream.id, { type: 'worked', workedMs: 5000 })
      await store.streams.keep(stream.id, { type: 'started', at: t0 + 900 })
      await store.streams.keep(stream.id, { type: 'worked', workedMs: 4000 })
      const record = await loaded(stream.id)
      expect([record.startedAt, record.workedMs]).toEqual([t0 + 1, 5000])
    })

    test('an ended stream stays as it ended, its tickets dead', async () => {
      const { stream } = await created()
      await store.streams.keep(stream.id, { type: 'ended', at: t0 + 7, why: 'desk', workedMs: 77 })
      const ended = await loaded(stream.id)
      expect(ended.ended).toEqual({ at: t0 + 7, why: 'desk' })
      expect([ended.ticket, ended.workedMs]).toEqual([null, 77])

      await store.streams.keep(stream.id, { type: 'ended', at: t0 + 8, why: 'owner', workedMs: 88 })
      await store.streams.keep(stream.id, { type: 'worked', workedMs: 99 })
      await store.streams.keep(stream.id, { type: 'started', at: t0 + 9 })
      await store.streams.keep(stream.id, { type: 'ticket_revoked', at: t0 + 9 })
      const late: StreamChange[] = [
        { type: 'ticket_minted', ticket: ticket('late'), at: t0 + 9, replacedUntil: t0 + 9 },
        { type: 'curtain_changed', curtain: { since: t0, holds: { desk: { raisedAt: t0, reason: 'site' } } } },
      ]
      for (const change of late) expect(await refusalOf(store.streams.keep(stream.id, change))).toBe('stream_ended')
      expect(await loaded(stream.id)).toEqual(ended)
    })

    test('of many ends at once the first that was asked wins', async () => {
      const { stream } = await created()
      await Promise.all(
        Array.from({ length: 20 }, (_, n) =>
          store.streams.keep(stream.id, { type: 'ended', at: t0 + n, why: 'owner', workedMs: n }),
        ),
      )
      const record = await loaded(stream.id)
      expect([record.ended?.at, record.workedMs]).toEqual([t0, 0])
    })

    test('changes of a stream are kept in the order they were asked, and a load sees them all', async () => {
      const { stream } = await created()
      const kept: Promise<void>[] = []
      for (let n = 1; n <= 60; n++) {
        kept.push(
          store.streams.keep(stream.id, {
            type: 'curtain_changed',
            curtain: { since: t0 + n, holds: { desk: { raisedAt: t0 + n, reason: 'manual' } } },
          }),
        )
      }
      const record = await loaded(stream.id)
      expect(record.curtain.since).toBe(t0 + 60)
      await Promise.all(kept)
    })

    test('of many mints at once one ticket is current and every other is replaced', async () => {
      const { stream } = await created()
      const minted = Array.from({ length: 30 }, (_, n) => ticket(`race ${n}`))
      await Promise.all(
        minted.map((one, n) =>
          store.streams.keep(stream.id, { type: 'ticket_minted', ticket: one, at: t0 + n, replacedUntil: t0 + 60_000 }),
        ),
      )
      const record = await loaded(stream.id)
      expect(record.ticket).toEqual(minted[29] ?? null)
      expect(record.replacedTickets.map((one) => one.hash).toSorted()).toEqual(
        [stream.ticket, ...minted.slice(0, 29)].map((one) => one.hash).toSorted(),
      )
    })

    test('one failed change does not stop the next of the same stream', async () => {
      const { stream } = await created()
      const bad = store.streams.keep(stream.id, {
        type: 'ticket_minted',
        ticket: { hash: 'wpt_plain', expiresAt: t0 },
        at: t0,
        replacedUntil: t0,
      })
      const good = store.streams.keep(stream.id, { type: 'started', at: t0 })
      expect(await refusalOf(bad)).toBe('internal')
      await good
      const record = await loaded(stream.id)
      // All of the failed change is undone: the first ticket is still current.
      expect(record.ticket).toEqual(stream.ticket)
      expect(record.startedAt).toBe(t0)
    })
  })
}
