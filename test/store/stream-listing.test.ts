import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import { type Visibility, visibilities } from '../../src/contracts/agent-stream.ts'
import { newId } from '../../src/contracts/ids.ts'
import type { Person } from '../../src/store/identity-store.ts'
import type { Store } from '../../src/store/open-store.ts'
import type { StreamFilter } from '../../src/store/viewing-store.ts'
import { addPerson, addStream } from './add-stream.ts'
import { refusalOf } from './refusal-of.ts'
import { storesUnderTest } from './stores.ts'

interface Listed {
  readonly id: string
  readonly person: Person
  readonly visibility: Visibility
  readonly ended: boolean
}

for (const underTest of storesUnderTest) {
  describe(`StreamListing on ${underTest.name}`, () => {
    let store: Store
    let done: () => Promise<void>
    let people: Person[]
    /** Newest first. */
    let all: Listed[]

    beforeAll(async () => {
      ;({ store, done } = await underTest.open())
      people = [await addPerson(store, 'ada'), await addPerson(store, 'grace'), await addPerson(store, 'idle')]
      const made: Listed[] = []
      for (let n = 0; n < 130; n++) {
        const person = people[n % 5 === 0 ? 1 : 0] as Person
        const visibility = visibilities[n % 3] as Visibility
        const { id } = await addStream(store, person, { visibility })
        const ended = n % 4 !== 0
        if (ended) await store.streams.keep(id, { type: 'ended', at: 2, why: 'owner', workedMs: 0 })
        made.push({ id, person, visibility, ended })
      }
      all = made.sort((one, other) => (one.id < other.id ? 1 : -1))
    }, 60_000)
    afterAll(() => done())

    /** The interface's words, over everything. */
    function expected(filter: StreamFilter): string[] {
      const matching = all.filter(
        ({ id, person, visibility, ended }) =>
          (filter.channel === undefined || filter.channel === person.channel) &&
          (filter.owner === undefined || filter.owner === person.id) &&
          (filter.visibility === undefined || visibility === 'public') &&
          (filter.ended === null || filter.ended === ended) &&
          (filter.after === undefined || id > filter.after) &&
          (filter.before === undefined || id < filter.before),
      )
      const limit = Math.min(filter.limit, 100)
      const page =
        filter.after !== undefined && filter.before === undefined ? matching.slice(-limit) : matching.slice(0, limit)
      return page.map(({ id }) => id)
    }

    test('whatever is asked, the list is what the filter says, newest first', async () => {
      const cursor = fc.oneof(
        fc.nat(129).map((n) => all[n]?.id ?? ''),
        fc.constant(newId('agentStream')),
      )
      const filters: fc.Arbitrary<StreamFilter> = fc
        .record(
          {
            channel: fc.nat(2).map((n) => people[n]?.channel ?? ''),
            owner: fc.nat(2).map((n) => people[n]?.id ?? ''),
            visibility: fc.constant('public' as const),
            ended: fc.constantFrom(null, true, false),
            after: cursor,
            before: cursor,
            limit: fc.oneof(fc.integer({ min: 1, max: 12 }), fc.integer({ min: 90, max: 1000 })),
          },
          { requiredKeys: ['ended', 'limit'] },
        )
        .map((filter) => filter as StreamFilter)
      await fc.assert(
        fc.asyncProperty(filters, async (filter) => {
          expect(await store.listing.list(filter)).toEqual(expected(filter))
        }),
        { numRuns: 200 },
      )
    }, 60_000)

    test.each([
      ['before', 7],
      ['after', 7],
    ] as const)('paging by %s comes by every stream once', async (direction, limit) => {
      const pages: string[][] = []
      let cursor: string | undefined = direction === 'before' ? undefined : all.at(-1)?.id
      for (;;) {
        const page = await store.listing.list({ ended: null, limit, ...(cursor && { [direction]: cursor }) })
        if (page.length === 0) break
        if (direction === 'before') pages.push([...page])
        else pages.unshift([...page])
        cursor = direction === 'before' ? page.at(-1) : page[0]
      }
      const ids = all.map(({ id }) => id)
      expect(pages.flat()).toEqual(direction === 'before' ? ids : ids.slice(0, -1))
    })

    test('a hundred at most', async () => {
      expect(await store.listing.list({ ended: null, limit: 1e9 })).toEqual(all.slice(0, 100).map(({ id }) => id))
    })

    test('of whom is not there nothing is listed', async () => {
      for (const owner of [newId('person'), 'usr_\u0000', '']) {
        expect(await store.listing.list({ owner, ended: null, limit: 5 })).toEqual([])
      }
      for (const channel of [newId('channel'), 'chn_\u0000', '']) {
        expect(await store.listing.list({ channel, ended: null, limit: 5 })).toEqual([])
      }
    })

    test('a page that is none is refused', async () => {
      const filters: StreamFilter[] = [
        { ended: null, limit: 5, after: 'ags_\u0000' },
        { ended: null, limit: 5, before: '' },
        { ended: null, limit: 0 },
        { ended: null, limit: -1 },
        { ended: null, limit: 1.5 },
        { ended: null, limit: Number.NaN },
      ]
      for (const filter of filters) expect(await refusalOf(store.listing.list(filter))).toBe('invalid_request')
    })
  })
}
