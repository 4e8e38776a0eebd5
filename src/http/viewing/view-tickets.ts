import type { ViewRight } from '../../actors/ports/view-right.ts'
import { RefusedError, refuse } from '../../contracts/problem.ts'
import type { ViewTicketGrant } from '../../contracts/viewing.ts'
import { authorisedStream } from '../access/authorised-stream.ts'
import type { Dependencies } from '../dependencies.ts'
import { hashSecret, mintSecret } from '../identity/secret.ts'
import { rfc3339 } from '../streams/stream-resource.ts'

/** A view ticket lives ten minutes… */
export const viewTicketLifetime = 10 * 60 * 1000
/** …and is renewed to four hours from the first mint at most. */
export const viewTicketLimit = 4 * 60 * 60 * 1000

/** A new view ticket by that right: shown once, its hash is kept. */
export async function mintViewTicket(needs: Dependencies, stream: string, right: ViewRight): Promise<ViewTicketGrant> {
  const { secret, hash } = mintSecret('viewTicket')
  const firstMintedAt = needs.now()
  const expiresAt = firstMintedAt + viewTicketLifetime
  await needs.viewTickets.mint({ hash, stream, right, firstMintedAt, expiresAt })
  return grant(secret, firstMintedAt, expiresAt)
}

/**
 * Lets a view ticket live on, and whoever watches by it.
 * @throws RefusedError `invalid_view_ticket` when it does not stand, or has lived its four hours
 */
export async function renewViewTicket(needs: Dependencies, stream: string, secret: string): Promise<ViewTicketGrant> {
  const hash = hashSecret(secret)
  // The right that it was minted by is asked for again: it may have been taken back.
  await authorisedStream(needs, { principal: { kind: 'viewer_ticket', hash }, linkKey: null }, 'watch', stream)
  const now = needs.now()
  const ticket = await needs.viewTickets.find(hash, now)
  const end = (ticket?.firstMintedAt ?? 0) + viewTicketLimit
  const expiresAt = Math.min(now + viewTicketLifetime, end)
  if (ticket === null || now >= end || !(await needs.viewTickets.renew(hash, now, expiresAt))) {
    const detail =
      'The view ticket cannot be renewed any more: four hours from its first mint are over. Ask for another.'
    throw new RefusedError(refuse('invalid_view_ticket', detail))
  }
  needs.system.tell(stream, { type: 'view_ticket.renewed', ticket: hash, until: expiresAt })
  return grant(secret, ticket.firstMintedAt, expiresAt)
}

function grant(ticket: string, firstMintedAt: number, expiresAt: number): ViewTicketGrant {
  return { ticket, expires_at: rfc3339(expiresAt), renewable_until: rfc3339(firstMintedAt + viewTicketLimit) }
}
