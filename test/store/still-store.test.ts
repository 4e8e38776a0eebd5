import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { randomBytes } from 'node:crypto'
import type { Still } from '../../src/actors/ports/store.ts'
import { newId } from '../../src/contracts/ids.ts'
import type { Person } from '../../src/store/identity-store.ts'
import type { Store } from '../../src/store/open-store.ts'
import { addPerson, addStream } from './add-stream.ts'
import { refusalOf } from './refusal-of.ts'
import { sha256 } from './sha256.ts'
import { storesUnderTest } from './stores.ts'

const t0 = Date.UTC(2026, 10, 6, 10)
const minute = 60_000

interface Picture {
  readonly bytes: Uint8Array
  readonly hash: string
}

for (const underTest of storesUnderTest) {
  describe(`StillStore on ${underTest.name}`, () => {
    let store: Store
    let done: () => Promise<void>
    let ada: Person

    beforeAll(async () => {
      ;({ store, done } = await underTest.open())
      ada = await addPerson(store, 'ada')
    }, 30_000)
    afterAll(() => done())

    const picture = (size = 64): Picture => {
      const bytes = new Uint8Array(randomBytes(size))
      return { bytes, hash: new Bun.CryptoHasher('sha256').update(bytes).digest('hex') }
    }
    const still = ({ hash, bytes }: Picture, at = t0): Still => ({ hash, type: 'image/jpeg', size: bytes.length, at })
    const put = (stream: string, one: Picture, at = t0) => store.stills.put(stream, one.hash, one.bytes, at)
    const name = (stream: string, one: Picture, at = t0) =>
      store.streams.keep(stream, { type: 'still_changed', still: still(one, at) })
    async function kept(stream: string, pictures: readonly Picture[]): Promise<boolean[]> {
      const found = await Promise.all(pictures.map(({ hash }) => store.stills.get(stream, hash)))
      for (const [n, bytes] of found.entries())
        if (bytes) expect(bytes).toEqual(new Uint8Array(pictures[n]?.bytes ?? []))
      return found.map((bytes) => bytes !== null)
    }
    const lastStill = async (stream: string) => (await store.streams.loadStream(stream))?.still

    test('bytes come back as they went in, every value and 200 KB of them', async () => {
      const { id } = await addStream(store, ada)
      const every = Uint8Array.from({ length: 256 }, (_, n) => n)
      // A view into a larger buffer: only its own bytes count.
      const view = new Uint8Array(Uint8Array.from([9, 9, 1, 0, 255, 9, 9]).buffer, 2, 3)
      for (const bytes of [every, view, new Uint8Array(), picture(200 * 1024).bytes]) {
        const hash = new Bun.CryptoHasher('sha256').update(bytes).digest('hex')
        await store.stills.put(id, hash, bytes, t0)
        const found = await store.stills.get(id, hash)
        expect(found).toBeInstanceOf(Uint8Array)
        expect(found?.byteLength).toBe(bytes.byteLength)
        expect(new Bun.CryptoHasher('sha256').update(found ?? 'nothing').digest('hex')).toBe(hash)
      }
    })

    test('bytes belong to one stream', async () => {
      const { id } = await addStream(store, ada)
      const { id: other } = await addStream(store, ada)
      const one = picture()
      await put(id, one)
      expect(await store.stills.get(other, one.hash)).toBeNull()
      expect(await store.stills.get('ags_\u0000', one.hash)).toBeNull()
      expect(await store.stills.get(id, sha256('other'))).toBeNull()
      await name(id, one)
      expect(await refusalOf(name(other, one))).toBe('wrong_order')
      expect(await lastStill(other)).toBeNull()
    })

    test('a new last still takes the place of the one before, bytes and all; said again it changes nothing', async () => {
      const { id } = await addStream(store, ada)
      const [first, second] = [picture(), picture(100)]
      await put(id, first)
      expect(await lastStill(id)).toBeNull()
      await name(id, first)
      expect(await lastStill(id)).toEqual(still(first))
      await put(id, second, t0 + 5000)
      expect(await kept(id, [first, second])).toEqual([true, true])
      const webp: Still = { ...still(second, t0 + 5000), type: 'image/webp' }
      await store.streams.keep(id, { type: 'still_changed', still: webp })
      await store.streams.keep(id, { type: 'still_changed', still: webp })
      expect(await lastStill(id)).toEqual(webp)
      expect(await kept(id, [first, second])).toEqual([false, true])
    })

    test('the same picture again stays, with its new time', async () => {
      const { id } = await addStream(store, ada)
      const one = picture()
      for (const at of [t0, t0 + 5000, t0 + 3 * minute]) {
        await put(id, one, at)
        await name(id, one, at)
        expect(await lastStill(id)).toEqual(still(one, at))
        expect(await kept(id, [one])).toEqual([true])
      }
    })

    test('bytes that no change came for are deleted by the next one after a minute', async () => {
      const { id } = await addStream(store, ada)
      const [orphan, young, next] = [picture(), picture(), picture()]
      await put(id, orphan, t0)
      await put(id, young, t0 + 1)
      await put(id, next, t0 + minute + 1)
      await name(id, next, t0 + minute + 1)
      expect(await kept(id, [orphan, young, next])).toEqual([false, true, true])
    })

    test('dropped bytes are gone; those of the last still are not dropped', async () => {
      const { id } = await addStream(store, ada)
      const [last, refused] = [picture(), picture()]
      await put(id, last)
      await name(id, last)
      await put(id, refused)
      await store.stills.drop(id, refused.hash)
      await store.stills.drop(id, refused.hash)
      await store.stills.drop(id, last.hash)
      expect(await kept(id, [last, refused])).toEqual([true, false])
    })

    test('a change whose bytes are not there is refused, and the last still stays', async () => {
      const { id } = await addStream(store, ada)
      const [last, never] = [picture(), picture()]
      await put(id, last)
      await name(id, last)
      expect(await refusalOf(name(id, never, t0 + 1))).toBe('wrong_order')
      expect(await lastStill(id)).toEqual(still(last))
      expect(await kept(id, [last])).toEqual([true])
    })

    test('an ended stream keeps its last still and no other, and takes no more', async () => {
      const { id } = await addStream(store, ada)
      const [last, underWay, late] = [picture(), picture(), picture()]
      await put(id, last)
      await name(id, last)
      await put(id, underWay)
      await store.streams.keep(id, { type: 'ended', at: t0 + 1, why: 'desk', workedMs: 0 })
      expect(await lastStill(id)).toEqual(still(last))
      expect(await kept(id, [last, underWay])).toEqual([true, false])
      await name(id, last)
      expect(await refusalOf(put(id, late))).toBe('stream_ended')
      expect(await refusalOf(name(id, underWay))).toBe('stream_ended')
      await store.stills.drop(id, last.hash)
      expect(await lastStill(id)).toEqual(still(last))
      expect(await kept(id, [last, underWay, late])).toEqual([true, false, false])
    })

    test('a stream that ends without a still keeps no bytes', async () => {
      const { id } = await addStream(store, ada)
      const underWay = picture()
      await put(id, underWay)
      await store.streams.keep(id, { type: 'ended', at: t0 + 1, why: 'desk', workedMs: 0 })
      expect(await kept(id, [underWay])).toEqual([false])
    })

    test('a stream that is not there keeps nothing', async () => {
      const one = picture()
      for (const stream of [newId('agentStream'), 'ags_\u0000']) {
        expect(await refusalOf(put(stream, one))).toBe('not_found')
        expect(await refusalOf(name(stream, one))).toBe('not_found')
        expect(await refusalOf(store.stills.drop(stream, one.hash))).toBe('not_found')
        expect(await store.stills.get(stream, one.hash)).toBeNull()
      }
    })

    test('a hash that is none, or a type that is no picture, is refused by the database itself', async () => {
      const { id } = await addStream(store, ada)
      const one = picture()
      expect(await refusalOf(store.stills.put(id, 'still.jpg', one.bytes, t0))).toBe('internal')
      await put(id, one)
      const bad = { ...still(one), type: 'text/html' as 'image/jpeg' }
      expect(await refusalOf(store.streams.keep(id, { type: 'still_changed', still: bad }))).toBe('internal')
      expect(await lastStill(id)).toBeNull()
    })

    test('two uploads that overlap in every way both become the last still, in the order of their changes', async () => {
      for (const order of ['a first', 'b first'] as const) {
        const { id } = await addStream(store, ada)
        const [before, a, b] = [picture(), picture(), picture()]
        await put(id, before)
        await name(id, before)
        await Promise.all([put(id, a), put(id, b)])
        const [first, second] = order === 'a first' ? [a, b] : [b, a]
        await name(id, first)
        expect(await kept(id, [before, first])).toEqual([false, true])
        await name(id, second)
        expect(await lastStill(id)).toEqual(still(second))
        expect(await kept(id, [first, second])).toEqual([false, true])
      }
    })

    test('in a crowd of uploads, drops and changes a stream never names bytes that are not there', async () => {
      const { id } = await addStream(store, ada)
      // Few pictures for many uploads, so that one is uploaded, named and deleted at the same time.
      const pictures = Array.from({ length: 5 }, () => picture())
      const begin = picture()
      await put(id, begin)
      await name(id, begin)
      let named = 0
      const refused: string[] = []
      const overtaken: { before: Still | null | undefined; after: Still | null | undefined }[] = []
      const upload = async (n: number) => {
        const one = pictures[n % pictures.length] as Picture
        await put(id, one)
        if (n % 11 === 0) return await store.stills.drop(id, one.hash)
        try {
          await name(id, one, t0 + n)
          named++
        } catch (error) {
          refused.push((error as { refusal: { code: string } }).refusal.code)
        }
      }
      const whole = async () => {
        const before = await lastStill(id)
        if (await store.stills.get(id, before?.hash ?? '')) return
        // Gone between the two questions: then it is not the last any more.
        overtaken.push({ before, after: await lastStill(id) })
      }
      for (let round = 0; round < 8; round++) {
        await Promise.all(Array.from({ length: 24 }, (_, n) => (n % 4 === 3 ? whole() : upload(round * 24 + n))))
        const last = await lastStill(id)
        expect(await store.stills.get(id, last?.hash ?? '')).not.toBeNull()
      }
      for (const { before, after } of overtaken) expect(after).not.toEqual(before)
      expect(named).toBeGreaterThan(8)
      // Its bytes went with another's change or drop while it was under way.
      expect(new Set(refused).isSubsetOf(new Set(['wrong_order']))).toBe(true)
      const end = picture()
      await put(id, end, t0 + 2 * minute)
      await name(id, end, t0 + 2 * minute)
      expect(await kept(id, [...pictures, end])).toEqual([...pictures.map(() => false), true])
    }, 60_000)

    test('in a crowd of uploads the end of the stream leaves its last still and nothing else', async () => {
      const { id } = await addStream(store, ada)
      const pictures = Array.from({ length: 12 }, () => picture())
      const uploads = pictures.map(async (one) => {
        await put(id, one)
        await name(id, one)
      })
      await uploads[0]
      await store.streams.keep(id, { type: 'ended', at: t0 + 1, why: 'owner', workedMs: 0 })
      for (const outcome of await Promise.allSettled(uploads)) {
        if (outcome.status === 'rejected') expect(outcome.reason.refusal.code).toBe('stream_ended')
      }
      const last = await lastStill(id)
      expect(last).not.toBeNull()
      expect(await kept(id, pictures)).toEqual(pictures.map(({ hash }) => hash === last?.hash))
    }, 30_000)
  })
}
