import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { isId, newId } from '../../src/contracts/ids.ts'
import type { Person } from '../../src/store/identity-store.ts'
import type { Store } from '../../src/store/open-store.ts'
import { refusalOf } from './refusal-of.ts'
import { sha256 } from './sha256.ts'
import { storesUnderTest } from './stores.ts'

const now = Date.UTC(2026, 10, 6, 10)

for (const underTest of storesUnderTest) {
  describe(`IdentityStore on ${underTest.name}`, () => {
    let store: Store
    let done: () => Promise<void>

    beforeAll(async () => {
      ;({ store, done } = await underTest.open())
    }, 30_000)
    afterAll(() => done())

    async function added(handle: string): Promise<Person> {
      const person = await store.identity.addPerson({ handle }, now)
      if (!person) throw new Error('taken')
      return person
    }

    const secret = () => sha256(crypto.randomUUID())

    test('a person has a handle and a channel, and is found by id and by handle', async () => {
      const ada = await added('ada')
      expect(isId('person', ada.id)).toBe(true)
      expect(isId('channel', ada.channel)).toBe(true)
      expect(ada.handle).toBe('ada')
      expect(await store.identity.person(ada.id)).toEqual(ada)
      expect(await store.identity.personByHandle('ada')).toEqual(ada)
      expect(await store.identity.personByHandle('ADA')).toEqual(ada)
      expect(await store.identity.channelOf(ada.id)).toBe(ada.channel)
    })

    test('who is not there is null', async () => {
      expect(await store.identity.person(newId('person'))).toBeNull()
      for (const handle of ['nobody', '', 'a\u0000b', '%', 'x'.repeat(100_000)]) {
        expect(await store.identity.personByHandle(handle)).toBeNull()
      }
      expect(await store.identity.channelOf(newId('person'))).toBeNull()
      expect(await store.identity.session(secret(), now)).toBeNull()
      expect(await store.identity.useSignInLink(secret(), now)).toBeNull()
    })

    test('a handle is given once, however many ask at once', async () => {
      const answers = await Promise.all(
        Array.from({ length: 30 }, () => store.identity.addPerson({ handle: 'grace' }, now)),
      )
      const winners = answers.filter((answer) => answer !== null)
      expect(winners).toHaveLength(1)
      expect(await store.identity.personByHandle('grace')).toEqual(winners[0] ?? null)
    })

    test.each(['', 'a', 'Ada', '-ada', '_a', 'a'.repeat(31), 'a b', 'ä1', 'a\n', '@ada'])(
      'the handle %j is refused',
      async (handle) => {
        expect(await refusalOf(store.identity.addPerson({ handle }, now))).toBe('invalid_request')
      },
    )

    test.each(['a1', '0x', 'a'.repeat(30), 'a-b_c'])('the handle %j is good', async (handle) => {
      expect((await added(handle)).handle).toBe(handle)
    })

    test('a sign-in link is spent once, however many use it at once', async () => {
      const person = await added('once')
      const hash = secret()
      await store.identity.createSignInLink({ hash, person: person.id, expiresAt: now + 1000 })
      const answers = await Promise.all(Array.from({ length: 50 }, () => store.identity.useSignInLink(hash, now + 999)))
      expect(answers.filter((answer) => answer !== null)).toEqual([person])
      expect(await store.identity.useSignInLink(hash, now + 999)).toBeNull()
    })

    test('a sign-in link is no good from the moment it expires', async () => {
      const person = await added('late')
      const hash = secret()
      await store.identity.createSignInLink({ hash, person: person.id, expiresAt: now + 1000 })
      expect(await store.identity.useSignInLink(hash, now + 1000)).toBeNull()
      expect(await store.identity.useSignInLink(hash, now + 999)).toEqual(person)
    })

    test('a session says who is signed in until it expires or is deleted', async () => {
      const person = await added('signed-in')
      const hash = secret()
      await store.identity.createSession({ hash, person: person.id, createdAt: now, expiresAt: now + 1000 })
      const standing = { person: person.id, handle: 'signed-in', channel: person.channel, expiresAt: now + 1000 }
      expect(await store.identity.session(hash, now + 999)).toEqual(standing)
      expect(await store.identity.session(hash, now + 1000)).toBeNull()
      await store.identity.deleteSession(hash)
      expect(await store.identity.session(hash, now)).toBeNull()
      await store.identity.deleteSession(hash)
    })

    test('a new session leaves the others that stand, and clears the expired away', async () => {
      const person = await added('many')
      const [old, standing, fresh] = [secret(), secret(), secret()]
      await store.identity.createSession({ hash: old, person: person.id, createdAt: now, expiresAt: now + 10 })
      await store.identity.createSession({ hash: standing, person: person.id, createdAt: now, expiresAt: now + 99 })
      await store.identity.createSession({ hash: fresh, person: person.id, createdAt: now + 10, expiresAt: now + 99 })
      // Asked with a time before its expiry, so that only a deletion explains the null.
      expect(await store.identity.session(old, now)).toBeNull()
      expect(await store.identity.session(standing, now + 10)).not.toBeNull()
      expect(await store.identity.session(fresh, now + 10)).not.toBeNull()
    })

    test('nobody gets neither a link nor a session', async () => {
      const person = newId('person')
      expect(await refusalOf(store.identity.createSignInLink({ hash: secret(), person, expiresAt: now }))).toBe(
        'not_found',
      )
      expect(
        await refusalOf(store.identity.createSession({ hash: secret(), person, createdAt: now, expiresAt: now })),
      ).toBe('not_found')
    })

    test('a secret that was not hashed is refused by the database itself', async () => {
      const { id: person } = await added('plain')
      const plain = 'a-token-in-plain-text'
      expect(await refusalOf(store.identity.createSignInLink({ hash: plain, person, expiresAt: now }))).toBe('internal')
      expect(
        await refusalOf(store.identity.createSession({ hash: plain, person, createdAt: now, expiresAt: now + 1 })),
      ).toBe('internal')
    })

    test('a closed store refuses', async () => {
      const other = await underTest.open()
      await other.store.ping()
      await other.store.close()
      expect(await refusalOf(other.store.ping())).toBe('store_unavailable')
      expect(await refusalOf(other.store.identity.personByHandle('ada'))).toBe('store_unavailable')
      expect(await refusalOf(other.store.streams.loadStream(newId('agentStream')))).toBe('store_unavailable')
      await other.done()
    }, 30_000)
  })
}
