import type { ViewRight } from '../../actors/ports/view-right.ts'
import type { Admission, StreamFacts } from '../../actors/stream/stream-asks.ts'
import { isId } from '../../contracts/ids.ts'
import { RefusedError, refuse } from '../../contracts/problem.ts'
import type { Dependencies } from '../dependencies.ts'
import { hashSecret } from '../identity/secret.ts'
import { type AccessFacts, type Action, accessTo, personOf, unseen } from './access.ts'
import type { Principal } from './principal.ts'

/** What a caller presents: who they are, and the key of the link that they came by (`?k=`). */
export interface Caller {
  readonly principal: Principal
  readonly linkKey: string | null
}

/** A stream that the caller may do this with, and how they come to it. */
export interface AuthorisedStream {
  readonly facts: StreamFacts
  readonly right: ViewRight
  /** The caller moderates the stream's channel. */
  readonly moderator: boolean
  /** The view ticket that they presented. */
  readonly admitted: Admission['admitted']
}

type Needs = Pick<Dependencies, 'system' | 'viewTickets' | 'sharing' | 'moderators' | 'now'>

/**
 * Finds the stream and asks the access rule.
 * @throws RefusedError `not_found`, or what the access rule answers
 */
export async function authorisedStream(
  needs: Needs,
  { principal, linkKey }: Caller,
  action: Action,
  id: string,
): Promise<AuthorisedStream> {
  // What is no id names no stream; it never reaches an actor.
  if (!isId('agentStream', id)) throw new RefusedError(refuse('not_found', 'There is no such stream.'))
  const { system } = needs
  // A ticket for a stream that is not there gets the answer that it would get if it were.
  const facts = await system.ask(id, 'describe', {}).catch((error) => {
    const gone = error instanceof RefusedError && error.refusal.code === 'not_found'
    throw gone ? new RefusedError(unseen(principal, action)) : error
  })
  const [ticket, link, admission] = await Promise.all([
    principal.kind === 'desk' ? system.ask(id, 'ticket.verify', { ticket: principal.ticket }) : null,
    linkKey === null ? null : verifiedLink(needs, id, linkKey),
    principal.kind === 'viewer_ticket' ? findTicket(needs, id, principal.hash) : null,
  ])
  const person = personOf(principal)
  const other = person !== null && person !== facts.owner
  const [shared, moderator] = await Promise.all([
    other && needs.sharing.isShared(id, person),
    other && needs.moderators.isModerator(facts.channel, person),
  ])
  const known: AccessFacts = {
    owner: facts.owner,
    visibility: facts.visibility,
    ticket,
    link,
    shared,
    moderator,
    viewTicket: admission === null ? null : await standing(needs, facts, admission.right),
  }
  const access = accessTo(principal, action, known)
  if ('refusal' in access) throw new RefusedError(access.refusal)
  return { facts, right: access.right, moderator, admitted: admission?.admitted ?? null }
}

/** The key's hash, when it is the key of this stream's link. */
async function verifiedLink({ system }: Needs, id: string, linkKey: string): Promise<string | null> {
  const key = hashSecret(linkKey)
  return (await system.ask(id, 'link.verify', { key })) ? key : null
}

async function findTicket({ viewTickets, now }: Needs, id: string, hash: string) {
  const found = await viewTickets.find(hash, now())
  if (found === null || found.stream !== id) return null
  return { right: found.right, admitted: { ticket: hash, until: found.expiresAt } }
}

/** A ticket's right, if what it was minted by still holds. */
async function standing(needs: Needs, facts: StreamFacts, right: ViewRight): Promise<ViewRight | null> {
  switch (right.type) {
    case 'owner':
    case 'desk':
      return right
    case 'shared':
      return (await needs.sharing.isShared(facts.id, right.person)) ? right : null
    case 'moderator':
      return facts.visibility !== 'private' && (await needs.moderators.isModerator(facts.channel, right.person))
        ? right
        : null
    case 'link':
      if (facts.visibility === 'private') return null
      return facts.visibility === 'public' || (await needs.system.ask(facts.id, 'link.verify', { key: right.key }))
        ? right
        : null
    case 'public':
      return facts.visibility === 'public' ? right : null
  }
}
