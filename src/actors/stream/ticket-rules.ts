import { timingSafeEqual } from 'node:crypto'
import type { KeptTicket, Millis, ReplacedTicket } from '../ports/store.ts'
import type { TicketVerdict } from './stream-asks.ts'

/** A publish ticket lives four hours (specification, "The publish ticket"). */
export const ticketLifetime = 4 * 60 * 60 * 1000
/** How long the ticket before a renewal still serves: the desk needs a moment to switch. */
export const replacedGrace = 60 * 1000

export interface Tickets {
  readonly ticket: KeptTicket | null
  readonly replacedTickets: readonly ReplacedTicket[]
}

/** How a presented ticket (its hash) stands at `now`. Takes the same time whatever is wrong with it. */
export function verifyTicket(tickets: Tickets, hash: string, now: Millis): TicketVerdict {
  const current = tickets.ticket !== null && sameHash(tickets.ticket.hash, hash) && now < tickets.ticket.expiresAt
  let replaced = false
  for (const old of tickets.replacedTickets) {
    if (sameHash(old.hash, hash) && now < old.until) replaced = true
  }
  return current ? 'current' : replaced ? 'replaced' : 'invalid'
}

/** The tickets after `minted` replaced the current one at `now`. */
export function replaceTicket(tickets: Tickets, minted: KeptTicket, now: Millis, replacedUntil: Millis): Tickets {
  const stillGood = tickets.replacedTickets.filter(({ until }) => until > now)
  const before = tickets.ticket
  if (before === null) return { ticket: minted, replacedTickets: stillGood }
  // A ticket never lives longer for having been replaced.
  const until = Math.min(before.expiresAt, replacedUntil)
  return { ticket: minted, replacedTickets: [...stillGood, { hash: before.hash, until }] }
}

/** Compares two hashes in constant time. */
export function sameHash(a: string, b: string): boolean {
  const left = Buffer.from(a)
  const right = Buffer.from(b)
  return left.length === right.length && timingSafeEqual(left, right)
}
