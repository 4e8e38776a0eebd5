import { and, desc, eq, isNull, sql } from 'drizzle-orm'
import type { NewStream, StorePort, StreamChange, StreamRecord } from '../actors/ports/store.ts'
import { isId } from '../contracts/ids.ts'
import type { Database } from './database.ts'
import type { Queries } from './queries.ts'
import { channels } from './schema/channels.ts'
import { managedStreams } from './schema/managed-streams.ts'
import { people } from './schema/people.ts'
import { publishTickets } from './schema/tickets.ts'
import { changeStill, forgetUnnamedStills, stillOf } from './still-changes.ts'
import { type LockedStream, lockStream, noSuchStream, streamEnded } from './stream-row.ts'

/**
 * Streams and their publish tickets, for the actors. Calls for one stream are carried out in
 * the order they were made, loads included, so that a change cannot overtake the one before
 * it on another connection.
 */
export class DatabaseStreamStore implements StorePort {
  constructor(private readonly queries: Queries) {}

  async loadStream(id: string): Promise<StreamRecord | null> {
    if (!isId('agentStream', id)) return null
    return await this.queries.read((database) => load(database, id), id)
  }

  createStream(stream: NewStream): Promise<StreamRecord | null> {
    return this.queries.write(async (transaction) => {
      const [channel] = await transaction
        .select({ id: channels.id })
        .from(channels)
        .where(eq(channels.owner, stream.owner))
      if (!channel) return null
      await transaction.insert(managedStreams).values({
        id: stream.id,
        owner: stream.owner,
        channel: channel.id,
        task: stream.task,
        visibility: stream.visibility,
        createdAt: stream.createdAt,
        curtain: { since: null, holds: {} },
        linkKeyHash: stream.linkKeyHash,
      })
      await transaction.insert(publishTickets).values({
        hash: stream.ticket.hash,
        stream: stream.id,
        mintedAt: stream.createdAt,
        expiresAt: stream.ticket.expiresAt,
      })
      return await load(transaction, stream.id)
    }, stream.id)
  }

  async keep(stream: string, change: StreamChange): Promise<void> {
    if (!isId('agentStream', stream)) throw noSuchStream()
    await this.queries.write(async (transaction) => {
      // The row is locked first: on whichever connection or server, one change of a stream at a time.
      const row = await lockStream(transaction, stream)
      await apply(transaction, stream, change, row)
    }, stream)
  }
}

async function apply(transaction: Database, stream: string, change: StreamChange, row: LockedStream): Promise<void> {
  const { ended } = row
  const update = (values: Parameters<ReturnType<Database['update']>['set']>[0]) =>
    transaction.update(managedStreams).set(values).where(eq(managedStreams.id, stream))
  switch (change.type) {
    case 'ticket_minted': {
      const [known] = await transaction
        .select({ hash: publishTickets.hash })
        .from(publishTickets)
        .where(and(eq(publishTickets.hash, change.ticket.hash), eq(publishTickets.stream, stream)))
      // Said before. It must not replace itself, nor one that came after it.
      if (known) return
      if (ended) throw streamEnded()
      await transaction
        .update(publishTickets)
        .set({ replacedUntil: change.replacedUntil })
        .where(currentTicketOf(stream))
      await transaction.insert(publishTickets).values({
        hash: change.ticket.hash,
        stream,
        mintedAt: change.at,
        expiresAt: change.ticket.expiresAt,
      })
      return
    }
    case 'ticket_revoked':
      return await revokeTickets(transaction, stream, change.at)
    case 'curtain_changed':
      if (ended) throw streamEnded()
      await update({ curtain: change.curtain })
      return
    case 'started':
      if (!ended) await update({ startedAt: sql`coalesce(${managedStreams.startedAt}, ${change.at})` })
      return
    case 'worked':
      if (!ended) await update({ workedMs: sql`greatest(${managedStreams.workedMs}, ${change.workedMs})` })
      return
    case 'visibility_changed':
      // After the end too: it is then the recording's.
      await update({ visibility: change.visibility })
      return
    case 'link_rotated':
      await update({ linkKeyHash: change.linkKeyHash })
      return
    case 'still_changed':
      return await changeStill(transaction, stream, change.still, row)
    case 'ended':
      // The first end wins; whoever says it again is right already.
      if (ended) return
      await update({ endedAt: change.at, endedWhy: change.why, workedMs: change.workedMs })
      await forgetUnnamedStills(transaction, stream)
      return await revokeTickets(transaction, stream, change.at)
    default:
      return change satisfies never
  }
}

/**
 * Kills every ticket, whenever it was minted: clocks may have stepped, and the kill switch
 * must not ask them.
 */
async function revokeTickets(transaction: Database, stream: string, at: number): Promise<void> {
  await transaction
    .update(publishTickets)
    .set({ revokedAt: at })
    .where(and(eq(publishTickets.stream, stream), isNull(publishTickets.revokedAt)))
}

function currentTicketOf(stream: string) {
  return and(eq(publishTickets.stream, stream), isNull(publishTickets.replacedUntil), isNull(publishTickets.revokedAt))
}

async function load(database: Database, id: string): Promise<StreamRecord | null> {
  const [found] = await database
    .select({ stream: managedStreams, handle: people.handle })
    .from(managedStreams)
    .innerJoin(people, eq(people.id, managedStreams.owner))
    .where(eq(managedStreams.id, id))
  if (!found) return null
  const tickets = await database
    .select()
    .from(publishTickets)
    .where(and(eq(publishTickets.stream, id), isNull(publishTickets.revokedAt)))
    .orderBy(desc(publishTickets.mintedAt))
  const { stream, handle } = found
  const current = tickets.find((ticket) => ticket.replacedUntil === null)
  return {
    id: stream.id,
    owner: stream.owner,
    handle,
    channel: stream.channel,
    task: stream.task,
    visibility: stream.visibility,
    createdAt: stream.createdAt,
    startedAt: stream.startedAt,
    ended: stream.endedAt === null || stream.endedWhy === null ? null : { at: stream.endedAt, why: stream.endedWhy },
    workedMs: stream.workedMs,
    ticket: current ? { hash: current.hash, expiresAt: current.expiresAt } : null,
    replacedTickets: tickets.flatMap(({ hash, replacedUntil, expiresAt }) =>
      // No grace makes a ticket outlive its own expiry.
      replacedUntil === null ? [] : [{ hash, until: Math.min(replacedUntil, expiresAt) }],
    ),
    curtain: stream.curtain,
    linkKeyHash: stream.linkKeyHash,
    still: stillOf(stream),
  }
}
