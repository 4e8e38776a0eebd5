import { and, eq, gt, isNull, lte, type SQL, sql } from 'drizzle-orm'
import { ulid } from 'ulid'
import type { Millis } from '../actors/ports/store.ts'
import { idPrefix, isId } from '../contracts/ids.ts'
import { RefusedError, refuse } from '../contracts/problem.ts'
import type { Database } from './database.ts'
import { handlePattern, type IdentityStore, type Person, type SignedIn } from './identity-store.ts'
import { personMustExist } from './must-exist.ts'
import type { Queries } from './queries.ts'
import { channels } from './schema/channels.ts'
import { people } from './schema/people.ts'
import { sessions, signInLinks } from './schema/sessions.ts'

const personColumns = { id: people.id, handle: people.handle, channel: channels.id }

/** {@link IdentityStore} in the database. */
export class DatabaseIdentityStore implements IdentityStore {
  constructor(private readonly queries: Queries) {}

  async addPerson(
    input: { readonly handle: string; readonly issuer?: string; readonly subject?: string },
    now: Millis,
  ): Promise<Person | null> {
    const { handle } = input
    if (!handlePattern.test(handle)) {
      throw new RefusedError(
        refuse(
          'invalid_request',
          'A handle has 2 to 30 of a-z, 0-9, "_" and "-", and begins with a letter or digit. Choose another.',
        ),
      )
    }
    const identity = identityOf(input)
    const person = { id: `${idPrefix.person}_${ulid(now)}`, handle, channel: `${idPrefix.channel}_${ulid(now)}` }
    return await this.queries.write(async (transaction) => {
      const added = await transaction
        .insert(people)
        .values({ id: person.id, handle, createdAt: now, ...identity })
        .onConflictDoNothing()
        .returning({ id: people.id })
      if (added.length === 0) {
        return identity ? await personWhere(transaction, identifiedBy(identity.issuer, identity.subject)) : null
      }
      await transaction.insert(channels).values({ id: person.channel, owner: person.id, handle, createdAt: now })
      return person
    })
  }

  async personBySubject(issuer: string, subject: string): Promise<Person | null> {
    if (!keepable(issuer) || !keepable(subject)) return null
    return await this.queries.read((database) => personWhere(database, identifiedBy(issuer, subject)))
  }

  async personByHandle(handle: string): Promise<Person | null> {
    const lowerCase = handle.toLowerCase()
    if (!handlePattern.test(lowerCase)) return null
    return await this.queries.read((database) => personWhere(database, eq(sql`lower(${people.handle})`, lowerCase)))
  }

  async person(id: string): Promise<Person | null> {
    if (!isId('person', id)) return null
    return await this.queries.read((database) => personWhere(database, eq(people.id, id)))
  }

  async channelOf(person: string): Promise<string | null> {
    return (await this.person(person))?.channel ?? null
  }

  async createSignInLink(input: { readonly hash: string; readonly person: string; readonly expiresAt: Millis }) {
    await this.queries.write(async (transaction) => {
      await personMustExist(transaction, input.person)
      await transaction
        .insert(signInLinks)
        .values({ hash: input.hash, person: input.person, expiresAt: input.expiresAt })
    })
  }

  useSignInLink(hash: string, now: Millis): Promise<Person | null> {
    return this.queries.write(async (transaction) => {
      // One statement finds and spends: PostgreSQL lets one of many at once see it unspent.
      const [used] = await transaction
        .update(signInLinks)
        .set({ usedAt: now })
        .where(and(eq(signInLinks.hash, hash), isNull(signInLinks.usedAt), gt(signInLinks.expiresAt, now)))
        .returning({ person: signInLinks.person })
      return used ? await personWhere(transaction, eq(people.id, used.person)) : null
    })
  }

  async createSession(input: {
    readonly hash: string
    readonly person: string
    readonly createdAt: Millis
    readonly expiresAt: Millis
  }) {
    const { hash, person, createdAt, expiresAt } = input
    await this.queries.write(async (transaction) => {
      await personMustExist(transaction, person)
      await transaction.delete(sessions).where(and(eq(sessions.person, person), lte(sessions.expiresAt, createdAt)))
      await transaction.insert(sessions).values({ hash, person, createdAt, expiresAt })
    })
  }

  session(hash: string, now: Millis): Promise<SignedIn | null> {
    return this.queries.read(async (database) => {
      const [found] = await database
        .select({
          person: sessions.person,
          handle: people.handle,
          channel: channels.id,
          expiresAt: sessions.expiresAt,
        })
        .from(sessions)
        .innerJoin(people, eq(people.id, sessions.person))
        .innerJoin(channels, eq(channels.owner, people.id))
        .where(and(eq(sessions.hash, hash), gt(sessions.expiresAt, now)))
      return found ?? null
    })
  }

  async deleteSession(hash: string) {
    await this.queries.write((transaction) => transaction.delete(sessions).where(eq(sessions.hash, hash)))
  }

  async sweep(now: Millis) {
    await this.queries.write(async (transaction) => {
      await transaction.delete(sessions).where(lte(sessions.expiresAt, now))
      await transaction.delete(signInLinks).where(lte(signInLinks.expiresAt, now))
    })
  }
}

async function personWhere(database: Database, condition: SQL | undefined): Promise<Person | null> {
  const [found] = await database
    .select(personColumns)
    .from(people)
    .innerJoin(channels, eq(channels.owner, people.id))
    .where(condition)
  return found ?? null
}

function identifiedBy(issuer: string, subject: string) {
  return and(eq(people.issuer, issuer), eq(people.subject, subject))
}

/** What the index can hold, and far more than the 255 letters that OpenID Connect Core 1.0 section 2 gives a `sub`. */
function keepable(text: string): boolean {
  return text !== '' && Buffer.byteLength(text) <= 1000 && !text.includes('\0') && text.isWellFormed()
}

/** Both or neither; `null`: neither. */
function identityOf({ issuer, subject }: { readonly issuer?: string; readonly subject?: string }) {
  if (issuer === undefined && subject === undefined) return null
  if (issuer === undefined || subject === undefined || !keepable(issuer) || !keepable(subject)) {
    throw new RefusedError(
      refuse('invalid_request', 'An issuer and a subject go together, 1 to 1000 bytes each. Give both or neither.'),
    )
  }
  return { issuer, subject }
}
