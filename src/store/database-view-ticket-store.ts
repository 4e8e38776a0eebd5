import { and, eq, gt, isNull, lt, sql } from 'drizzle-orm'
import type { Millis } from '../actors/ports/store.ts'
import { isId } from '../contracts/ids.ts'
import { personMustExist } from './must-exist.ts'
import type { Queries } from './queries.ts'
import { viewTickets } from './schema/tickets.ts'
import { lockStream } from './stream-row.ts'
import type { ViewTicket, ViewTicketStore } from './viewing-store.ts'

/** {@link ViewTicketStore} in the database. */
export class DatabaseViewTicketStore implements ViewTicketStore {
  constructor(private readonly queries: Queries) {}

  async mint(ticket: ViewTicket): Promise<void> {
    const { hash, stream, right, firstMintedAt, expiresAt } = ticket
    const person = 'person' in right ? right.person : null
    await this.queries.write(async (transaction) => {
      await lockStream(transaction, stream, 'key share')
      if (person !== null) await personMustExist(transaction, person)
      await transaction
        .insert(viewTickets)
        .values({ hash, stream, right, person, firstMintedAt, expiresAt })
        // Said before: what was done to it since (renewed, revoked) stays.
        .onConflictDoNothing({ target: viewTickets.hash })
    })
  }

  find(hash: string, now: Millis): Promise<ViewTicket | null> {
    return this.queries.read(async (database) => {
      const [found] = await database
        .select({
          hash: viewTickets.hash,
          stream: viewTickets.stream,
          right: viewTickets.right,
          firstMintedAt: viewTickets.firstMintedAt,
          expiresAt: viewTickets.expiresAt,
        })
        .from(viewTickets)
        .where(standing(hash, now))
      return found ?? null
    })
  }

  renew(hash: string, now: Millis, expiresAt: Millis): Promise<boolean> {
    return this.queries.write(async (transaction) => {
      const renewed = await transaction
        .update(viewTickets)
        .set({ expiresAt })
        .where(standing(hash, now))
        .returning({ hash: viewTickets.hash })
      return renewed.length > 0
    })
  }

  async revokeShared(stream: string, person: string): Promise<readonly string[]> {
    if (!isId('agentStream', stream) || !isId('person', person)) return []
    return await this.queries.write(async (transaction) => {
      const revoked = await transaction
        .update(viewTickets)
        // That it is set counts; by the database's clock, for whoever reads the table.
        .set({ revokedAt: sql`(extract(epoch from now()) * 1000)::bigint` })
        .where(
          and(
            eq(viewTickets.stream, stream),
            eq(viewTickets.person, person),
            sql`${viewTickets.right} ->> 'type' = 'shared'`,
            isNull(viewTickets.revokedAt),
          ),
        )
        .returning({ hash: viewTickets.hash })
      return revoked.map(({ hash }) => hash)
    })
  }

  async sweep(before: Millis): Promise<void> {
    await this.queries.write((transaction) => transaction.delete(viewTickets).where(lt(viewTickets.expiresAt, before)))
  }
}

function standing(hash: string, now: Millis) {
  return and(eq(viewTickets.hash, hash), isNull(viewTickets.revokedAt), gt(viewTickets.expiresAt, now))
}
