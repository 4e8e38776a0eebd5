import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { randomBytes } from 'node:crypto'
import { isId, newId } from '../../src/contracts/ids.ts'
import { RefusedError } from '../../src/contracts/problem.ts'
import type { Person } from '../../src/store/identity-store.ts'
import type { Store } from '../../src/store/open-store.ts'
import { refusalOf } from './refusal-of.ts'
import { sha256 } from './sha256.ts'
import { storesUnderTest } from './stores.ts'

const now = Date.UTC(2026, 10, 6, 10)
const codeOf = (error: unknown) => (error instanceof RefusedError ? error.refusal.code : error)

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

    test('a person of an issuer is found by its name for them, exactly', async () => {
      const issuer = 'https://id.example.org'
      const person = await store.identity.addPerson({ handle: 'oidc', issuer, subject: 'Sub|1' }, now)
      expect(person?.handle).toBe('oidc')
      expect(await store.identity.personBySubject(issuer, 'Sub|1')).toEqual(person)
      expect(await store.identity.personByHandle('oidc')).toEqual(person)
      for (const [otherIssuer, subject] of [
        [issuer, 'sub|1'],
        [issuer, 'Sub|1 '],
        [issuer, ''],
        ['', ''],
        [`${issuer}/`, 'Sub|1'],
        [issuer, 'a\u0000b'],
        [issuer, '\ud800'],
        [issuer, 'x'.repeat(100_000)],
      ] as const) {
        expect(await store.identity.personBySubject(otherIssuer, subject)).toBeNull()
      }
      // The same name at another issuer is somebody else.
      const other = await store.identity.addPerson({ handle: 'oidc-2', issuer: `${issuer}/`, subject: 'Sub|1' }, now)
      expect(other?.id).not.toBe(person?.id)
      expect(await store.identity.personBySubject(`${issuer}/`, 'Sub|1')).toEqual(other)
    })

    test('a handle that is taken is taken for a person of an issuer too, and nothing of them stays', async () => {
      await added('taken')
      const issuer = 'https://id.example.org'
      expect(await store.identity.addPerson({ handle: 'taken', issuer, subject: 'late' }, now)).toBeNull()
      expect(await store.identity.personBySubject(issuer, 'late')).toBeNull()
      const person = await store.identity.addPerson({ handle: 'taken-2', issuer, subject: 'late' }, now)
      expect(await store.identity.personBySubject(issuer, 'late')).toEqual(person)
    })

    test('of many first sign-ins of one subject at once there is one person, and all get them', async () => {
      const issuer = 'https://id.example.org'
      const answers = await Promise.all(
        Array.from({ length: 20 }, (_, n) =>
          store.identity.addPerson({ handle: `many-${n}`, issuer, subject: 'many' }, now),
        ),
      )
      const person = await store.identity.personBySubject(issuer, 'many')
      if (!person) throw new Error('nobody')
      expect(answers).toEqual(answers.map(() => person))
      const handles = await Promise.all(answers.map((_, n) => store.identity.personByHandle(`many-${n}`)))
      expect(handles.filter((one) => one !== null)).toEqual([person])
    })

    test.each([
      { issuer: 'https://id.example.org' },
      { subject: 's' },
      { issuer: '', subject: 's' },
      { issuer: 'https://id.example.org', subject: '' },
      { issuer: 'https://id.example.org', subject: 'a\u0000b' },
      { issuer: 'https://id.example.org', subject: 'x'.repeat(1001) },
    ])('an issuer and subject that cannot be kept are refused: %j', async (identity) => {
      expect(await refusalOf(store.identity.addPerson({ handle: 'unkept', ...identity }, now))).toBe('invalid_request')
      expect(await store.identity.personByHandle('unkept')).toBeNull()
    })

    test('a subject of 1000 bytes can be kept', async () => {
      const [issuer, subject] = [randomBytes(500).toString('hex'), randomBytes(500).toString('hex')]
      const person = await store.identity.addPerson({ handle: 'long', issuer, subject }, now)
      expect(await store.identity.personBySubject(issuer, subject)).toEqual(person)
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

    test('a sweep deletes what has expired, of everybody, and leaves what stands', async () => {
      const other = await underTest.open()
      const people = [
        await other.store.identity.addPerson({ handle: 'ada' }, now),
        await other.store.identity.addPerson({ handle: 'grace' }, now),
      ]
      const { identity } = other.store
      const kept: { expiresAt: number; session: string; link: string; used: string }[] = []
      for (const { id: person } of people.filter((one) => one !== null)) {
        for (const expiresAt of [now + 1, now + 2, now + 3]) {
          const [session, link, used] = [secret(), secret(), secret()]
          await identity.createSession({ hash: session, person, createdAt: now, expiresAt })
          await identity.createSignInLink({ hash: link, person, expiresAt })
          await identity.createSignInLink({ hash: used, person, expiresAt })
          await identity.useSignInLink(used, now)
          kept.push({ expiresAt, session, link, used })
        }
      }
      await identity.sweep(now + 2)
      // Asked with a time before every expiry, so that only a deletion explains what is gone.
      for (const { expiresAt, session, link, used } of kept) {
        const stands = expiresAt > now + 2
        expect((await identity.session(session, now)) !== null).toBe(stands)
        expect((await identity.useSignInLink(link, now)) !== null).toBe(stands)
        // A used link that stands must go on being known as used: it is not there to be made again.
        const again = identity.createSignInLink({ hash: used, person: people[0]?.id ?? '', expiresAt })
        expect(await again.then(() => 'made', codeOf)).toBe(stands ? 'internal' : 'made')
      }
      await other.done()
    }, 30_000)

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
      expect(await refusalOf(other.store.viewTickets.find(secret(), now))).toBe('store_unavailable')
      expect(await refusalOf(other.store.listing.list({ ended: null, limit: 1 }))).toBe('store_unavailable')
      await other.done()
    }, 30_000)
  })
}
