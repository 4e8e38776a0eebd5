import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { newId } from '../../src/contracts/ids.ts'
import type { Person } from '../../src/store/identity-store.ts'
import type { Store } from '../../src/store/open-store.ts'
import { addPerson } from './add-stream.ts'
import { refusalOf } from './refusal-of.ts'
import { storesUnderTest } from './stores.ts'

for (const underTest of storesUnderTest) {
  describe(`ModeratorStore on ${underTest.name}`, () => {
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

    test('a channel has the moderators who were added and not removed, in the order they came', async () => {
      expect(await store.moderators.list(ada.channel)).toEqual([])
      await store.moderators.add(ada.channel, mary.id, 5)
      await store.moderators.add(ada.channel, grace.id, 6)
      await store.moderators.add(ada.channel, mary.id, 7)
      expect(await store.moderators.list(ada.channel)).toEqual([
        { person: mary.id, handle: 'mary', addedAt: 5 },
        { person: grace.id, handle: 'grace', addedAt: 6 },
      ])
      expect(await store.moderators.isModerator(ada.channel, grace.id)).toBe(true)
      expect(await store.moderators.isModerator(grace.channel, ada.id)).toBe(false)
      expect(await store.moderators.isModerator(grace.channel, mary.id)).toBe(false)
      expect(await store.moderators.remove(ada.channel, mary.id)).toBe(true)
      expect(await store.moderators.remove(ada.channel, mary.id)).toBe(false)
      expect(await store.moderators.isModerator(ada.channel, mary.id)).toBe(false)
      expect((await store.moderators.list(ada.channel)).map((one) => one.handle)).toEqual(['grace'])
    })

    test('nobody moderates nothing', async () => {
      for (const person of [newId('person'), 'usr_\u0000', 'ada']) {
        expect(await refusalOf(store.moderators.add(mary.channel, person, 1))).toBe('not_found')
        expect(await store.moderators.isModerator(mary.channel, person)).toBe(false)
        expect(await store.moderators.remove(mary.channel, person)).toBe(false)
      }
      expect(await store.moderators.list(mary.channel)).toEqual([])
      for (const channel of [newId('channel'), 'chn_\u0000', '']) {
        expect(await refusalOf(store.moderators.add(channel, grace.id, 1))).toBe('not_found')
        expect(await store.moderators.list(channel)).toEqual([])
        expect(await store.moderators.isModerator(channel, grace.id)).toBe(false)
        expect(await store.moderators.remove(channel, grace.id)).toBe(false)
      }
    })
  })
}
