import type { StreamFacts, TicketVerdict } from '../../actors/stream/stream-asks.ts'
import { type Refusal, refuse } from '../../contracts/problem.ts'
import type { Principal } from './principal.ts'

/** What can be done with a stream. */
export const actions = ['view', 'mint_ticket', 'revoke_ticket', 'publish', 'desk_state', 'curtain', 'end'] as const
export type Action = (typeof actions)[number]

/** The capability of services that put agents' screens on air. */
export const publishCapability = 'live.agent_stream.publish'

/** What the rule needs to know of a stream. `ticket`: how the ticket stands that a desk presented. */
export interface AccessFacts extends Pick<StreamFacts, 'owner' | 'visibility'> {
  readonly ticket: TicketVerdict | null
}

/**
 * Who may do what with a stream: the one place that says it. Pure. `null`: allowed.
 *
 * Whoever may not view a stream is told that there is none, whatever they try: nobody
 * learns that it exists. A publish ticket is the exception that the specification makes.
 */
export function accessRefusal(principal: Principal, action: Action, facts: AccessFacts): Refusal | null {
  if (principal.kind === 'desk') return deskRefusal(action, facts)
  if (action === 'publish' || action === 'desk_state') {
    return mayView(principal, facts) ? ticketWanted : notFound
  }
  if (action === 'view') return mayView(principal, facts) ? null : notFound
  if (isOwner(principal, facts)) {
    return principal.kind === 'service' && !principal.capabilities.includes(publishCapability)
      ? refuse('capability.denied', `The token lacks the capability ${publishCapability}. Ask for one that has it.`)
      : null
  }
  if (!mayView(principal, facts)) return notFound
  return principal.kind === 'anonymous'
    ? refuse('sign_in_required', 'Sign in as the owner of the stream.')
    : refuse('forbidden', 'Only the owner of the stream may do that.')
}

/** Who may create a stream for themselves, and for whom: the owner's id. */
export function createAccess(principal: Principal): { readonly owner: string } | { readonly refusal: Refusal } {
  switch (principal.kind) {
    case 'person':
      return { owner: principal.person }
    case 'service':
      if (!principal.capabilities.includes(publishCapability)) {
        return { refusal: refuse('capability.denied', `The token lacks the capability ${publishCapability}.`) }
      }
      return principal.person === null
        ? { refusal: refuse('forbidden', 'Name the person: by the token’s sub, or by X-OV-Subject for a service.') }
        : { owner: principal.person }
    case 'desk':
      return { refusal: refuse('forbidden', 'A publish ticket publishes one stream; it creates none. Sign in.') }
    case 'viewer_ticket':
      return { refusal: refuse('forbidden', 'A view ticket shows one stream; it creates none. Sign in.') }
    case 'anonymous':
      return { refusal: refuse('sign_in_required', 'Sign in, or send a service token that names the person.') }
  }
}

const notFound = refuse('not_found', 'There is no such stream, or it is not yours to see.')
const ticketWanted = refuse('invalid_ticket', 'Send the stream’s publish ticket: Authorization: Bearer wpt_….')

function deskRefusal(action: Action, facts: AccessFacts): Refusal | null {
  if (facts.ticket === null || facts.ticket === 'invalid') {
    return refuse(
      'invalid_ticket',
      'The publish ticket is not valid for this stream: expired, revoked or replaced. Mint another one.',
    )
  }
  switch (action) {
    case 'mint_ticket':
      // A ticket renews itself, but a replaced one must not undo its replacement.
      return facts.ticket === 'current' ? null : refuse('invalid_ticket', 'The ticket was replaced. Use the new one.')
    case 'revoke_ticket':
      return refuse('forbidden', 'The kill switch is the owner’s. End the stream instead.')
    default:
      return null
  }
}

function mayView(principal: Principal, facts: AccessFacts): boolean {
  return facts.visibility === 'public' || isOwner(principal, facts)
}

function isOwner(principal: Principal, facts: AccessFacts): boolean {
  return (principal.kind === 'person' || principal.kind === 'service') && principal.person === facts.owner
}
