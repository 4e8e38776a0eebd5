import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { newId } from '../../src/contracts/ids.ts'
import type { Person } from '../../src/store/identity-store.ts'
import type { Store } from '../../src/store/open-store.ts'
import { addPerson, addStream } from './add-stream.ts'
import { refusalOf } from './refusal-of.ts'
import { storesUnderTest } from './stores.ts'

for (const underTest of storesUnderTest) {
  describe(`SharingPort on ${underTest.name}`, () => {
    let store: Store
    let done: () => Promise<void>
    let ada: Person
    let grace: Person
    let mary: Person

    beforeAll(async () => {
      ;({ store, done } = await underTest.open())
      ada = await addPerson(store, 'ada')
      grace = await addPerson(store, 'grace')
      mary = await addPerson(store, 'mary')
    }, 30_000)
    afterAll(() => done())

    test('a stream is shared with whom it was shared, in the order they came', async () => {
      const { id } = await addStream(store, ada)
      const { id: other } = await addStream(store, ada)
      expect(await store.sharing.list(id)).toEqual([])
      await store.sharing.share(id, mary.id, 5)
      await store.sharing.share(id, grace.id, 6)
      await store.sharing.share(id, mary.id, 7)
      expect(await store.sharing.list(id)).toEqual([
        { person: mary.id, handle: 'mary', sharedAt: 5 },
        { person: grace.id, handle: 'grace', sharedAt: 6 },
      ])
      expect(await store.sharing.isShared(id, mary.id)).toBe(true)
      expect(await store.sharing.isShared(id, ada.id)).toBe(false)
      expect(await store.sharing.isShared(other, mary.id)).toBe(false)
      expect(await store.sharing.list(other)).toEqual([])
    })

    test('what is taken back is gone, once, and can be given again', async () => {
      const { id } = await addStream(store, ada)
      await store.sharing.share(id, grace.id, 1)
      await store.sharing.share(id, mary.id, 1)
      expect(await store.sharing.unshare(id, grace.id)).toBe(true)
      expect(await store.sharing.unshare(id, grace.id)).toBe(false)
      expect(await store.sharing.isShared(id, grace.id)).toBe(false)
      expect((await store.sharing.list(id)).map((one) => one.handle)).toEqual(['mary'])
      await store.sharing.share(id, grace.id, 2)
      expect(await store.sharing.isShared(id, grace.id)).toBe(true)
    })

    test('of many that share and take back at once each is answered, and one of the takers took it', async () => {
      const { id } = await addStream(store, ada)
      await Promise.all(Array.from({ length: 20 }, (_, n) => store.sharing.share(id, grace.id, n)))
      expect(await store.sharing.list(id)).toHaveLength(1)
      const taken = await Promise.all(Array.from({ length: 20 }, () => store.sharing.unshare(id, grace.id)))
      expect(taken.filter((took) => took)).toHaveLength(1)
    })

    test('an ended stream can be shared: its recording may be', async () => {
      const { id } = await addStream(store, ada)
      await store.streams.keep(id, { type: 'ended', at: 2, why: 'owner', workedMs: 0 })
      await store.sharing.share(id, grace.id, 3)
      expect(await store.sharing.isShared(id, grace.id)).toBe(true)
    })

    test('nothing is shared with nobody, and no stream that is not there', async () => {
      const { id } = await addStream(store, ada)
      for (const person of [newId('person'), 'usr_\u0000', `'; drop table people; --`]) {
        expect(await refusalOf(store.sharing.share(id, person, 1))).toBe('not_found')
        expect(await store.sharing.isShared(id, person)).toBe(false)
        expect(await store.sharing.unshare(id, person)).toBe(false)
      }
      expect(await store.sharing.list(id)).toEqual([])
      for (const stream of [newId('agentStream'), 'ags_\u0000', '']) {
        expect(await refusalOf(store.sharing.share(stream, grace.id, 1))).toBe('not_found')
        expect(await store.sharing.list(stream)).toEqual([])
        expect(await store.sharing.isShared(stream, grace.id)).toBe(false)
        expect(await store.sharing.unshare(stream, grace.id)).toBe(false)
      }
    })
  })
}
