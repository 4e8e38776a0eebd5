import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import type { ViewRight } from '../../src/actors/ports/view-right.ts'
import { newId } from '../../src/contracts/ids.ts'
import type { Person } from '../../src/store/identity-store.ts'
import type { Store } from '../../src/store/open-store.ts'
import type { ViewTicket } from '../../src/store/viewing-store.ts'
import { addPerson, addStream } from './add-stream.ts'
import { refusalOf } from './refusal-of.ts'
import { sha256 } from './sha256.ts'
import { storesUnderTest } from './stores.ts'

const minute = 60_000
const t0 = Date.UTC(2026, 10, 6, 10)

for (const underTest of storesUnderTest) {
  describe(`ViewTicketStore on ${underTest.name}`, () => {
    let store: Store
    let done: () => Promise<void>
    let ada: Person
    let grace: Person
    let stream: string

    beforeAll(async () => {
      ;({ store, done } = await underTest.open())
      ada = await addPerson(store, 'ada')
      grace = await addPerson(store, 'grace')
      stream = (await addStream(store, ada)).id
    }, 30_000)
    afterAll(() => done())

    const newTicket = (over: Partial<ViewTicket> = {}): ViewTicket => ({
      hash: sha256(`wvt ${crypto.randomUUID()}`),
      stream,
      right: { type: 'owner' },
      firstMintedAt: t0,
      expiresAt: t0 + 10 * minute,
      ...over,
    })
    async function minted(over: Partial<ViewTicket> = {}): Promise<ViewTicket> {
      const ticket = newTicket(over)
      await store.viewTickets.mint(ticket)
      return ticket
    }

    test('a ticket is found as it was minted, whatever its right, until it expires', async () => {
      const rights: ViewRight[] = [
        { type: 'owner' },
        { type: 'desk' },
        { type: 'shared', person: grace.id },
        { type: 'moderator', person: grace.id },
        { type: 'link', key: sha256('key') },
        { type: 'public' },
      ]
      for (const right of rights) {
        const ticket = await minted({ right })
        expect(await store.viewTickets.find(ticket.hash, t0)).toEqual(ticket)
        expect(await store.viewTickets.find(ticket.hash, ticket.expiresAt - 1)).toEqual(ticket)
        expect(await store.viewTickets.find(ticket.hash, ticket.expiresAt)).toBeNull()
      }
    })

    test('what nobody minted is neither found nor renewed', async () => {
      for (const hash of [sha256('nobody'), '', 'wvt_plain']) {
        expect(await store.viewTickets.find(hash, t0)).toBeNull()
        expect(await store.viewTickets.renew(hash, t0, t0 + minute)).toBe(false)
      }
    })

    test('renewing moves the expiry of a ticket that stands, and nothing else of it', async () => {
      const ticket = await minted()
      expect(await store.viewTickets.renew(ticket.hash, ticket.expiresAt - 1, t0 + 19 * minute)).toBe(true)
      expect(await store.viewTickets.find(ticket.hash, t0 + 18 * minute)).toEqual({
        ...ticket,
        expiresAt: t0 + 19 * minute,
      })
      expect(await store.viewTickets.renew(ticket.hash, t0 + 19 * minute, t0 + 29 * minute)).toBe(false)
      expect(await store.viewTickets.find(ticket.hash, t0 + 19 * minute)).toBeNull()
    })

    test('taking back what was shared revokes those tickets of that person and stream, and no other', async () => {
      const other = (await addStream(store, ada)).id
      const shared: ViewRight = { type: 'shared', person: grace.id }
      const gone = [await minted({ right: shared }), await minted({ right: shared })]
      const standing = [
        await minted({ right: shared, stream: other }),
        await minted({ right: { type: 'shared', person: ada.id } }),
        await minted({ right: { type: 'moderator', person: grace.id } }),
        await minted({ right: { type: 'link', key: sha256('key') } }),
        await minted(),
      ]
      const before = await store.viewTickets.revokeShared(other, ada.id)
      expect(before).toEqual([])
      // Those of the first test as well: they were hers, too.
      const revoked = await store.viewTickets.revokeShared(stream, grace.id)
      for (const { hash } of gone) {
        expect(revoked).toContain(hash)
        expect(await store.viewTickets.find(hash, t0)).toBeNull()
        expect(await store.viewTickets.renew(hash, t0, t0 + 20 * minute)).toBe(false)
      }
      for (const ticket of standing) {
        expect(revoked).not.toContain(ticket.hash)
        expect(await store.viewTickets.find(ticket.hash, t0)).toEqual(ticket)
      }
      expect(await store.viewTickets.revokeShared(stream, grace.id)).toEqual([])
      expect(await store.viewTickets.revokeShared('ags_\u0000', grace.id)).toEqual([])
      expect(await store.viewTickets.revokeShared(stream, 'usr_\u0000')).toEqual([])
    })

    test('a mint that is said again changes nothing, and brings no revoked ticket back', async () => {
      const ticket = await minted({ right: { type: 'shared', person: grace.id } })
      await store.viewTickets.renew(ticket.hash, t0, t0 + 15 * minute)
      await store.viewTickets.mint(ticket)
      expect((await store.viewTickets.find(ticket.hash, t0))?.expiresAt).toBe(t0 + 15 * minute)
      expect(await store.viewTickets.revokeShared(stream, grace.id)).toEqual([ticket.hash])
      await store.viewTickets.mint(ticket)
      expect(await store.viewTickets.find(ticket.hash, t0)).toBeNull()
    })

    test('of many renewals and one revocation at once, no renewal brings the ticket back', async () => {
      const ticket = await minted({ right: { type: 'shared', person: grace.id } })
      const renewals = Array.from({ length: 20 }, (_, n) =>
        store.viewTickets.renew(ticket.hash, t0, t0 + (11 + n) * minute),
      )
      const revoked = store.viewTickets.revokeShared(stream, grace.id)
      await Promise.all([...renewals, revoked])
      expect(await revoked).toEqual([ticket.hash])
      expect(await store.viewTickets.find(ticket.hash, t0)).toBeNull()
      expect(await store.viewTickets.renew(ticket.hash, t0, t0 + 90 * minute)).toBe(false)
    })

    test('nobody and nothing get no ticket', async () => {
      const cases: Partial<ViewTicket>[] = [
        { stream: newId('agentStream') },
        { stream: 'ags_\u0000' },
        { right: { type: 'shared', person: newId('person') } },
        { right: { type: 'moderator', person: 'usr_\u0000' } },
      ]
      for (const over of cases) {
        const ticket = newTicket(over)
        expect(await refusalOf(store.viewTickets.mint(ticket))).toBe('not_found')
        expect(await store.viewTickets.find(ticket.hash, t0)).toBeNull()
      }
    })

    test('a ticket or link key that was not hashed is refused by the database itself', async () => {
      expect(await refusalOf(store.viewTickets.mint(newTicket({ hash: 'wvt_plain' })))).toBe('internal')
      const plainKey = newTicket({ right: { type: 'link', key: 'abcdefghijklmnopqrstuv' } })
      expect(await refusalOf(store.viewTickets.mint(plainKey))).toBe('internal')
    })

    test('a sweep deletes what expired before it, revoked or not, and nothing that may still be renewed', async () => {
      const old = await minted({ expiresAt: t0 + 1 })
      const oldToo = await minted({ expiresAt: t0 + 1, right: { type: 'shared', person: grace.id } })
      const fresh = await minted({ expiresAt: t0 + 2 })
      await store.viewTickets.revokeShared(stream, grace.id)
      await store.viewTickets.sweep(t0 + 2)
      // Asked with a time before its expiry, so that only a deletion explains the null.
      expect(await store.viewTickets.find(old.hash, t0)).toBeNull()
      expect(await store.viewTickets.find(fresh.hash, t0)).toEqual(fresh)
      // A row that is gone can be minted anew; one that is only revoked could not.
      await store.viewTickets.mint({ ...oldToo, expiresAt: t0 + minute })
      expect(await store.viewTickets.find(oldToo.hash, t0)).not.toBeNull()
    })
  })
}
