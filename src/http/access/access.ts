import type { ViewRight } from '../../actors/ports/view-right.ts'
import type { StreamFacts, TicketVerdict } from '../../actors/stream/stream-asks.ts'
import { type Refusal, refuse } from '../../contracts/problem.ts'
import type { Principal } from './principal.ts'

/** What can be done with a stream. */
export const actions = [
  /** Read the resource, its still, its steps. */
  'view',
  /** Receive media, by our player's socket or by WHEP. */
  'watch',
  'mint_view_ticket',
  'update',
  'rotate_link',
  'share',
  'mint_ticket',
  'revoke_ticket',
  'publish',
  'desk_state',
  'put_still',
  'curtain',
  /** Who holds the curtain and why: the reasons are the owner's alone. */
  'curtain_reasons',
  'end',
] as const
export type Action = (typeof actions)[number]

/** The capability of services that put agents' screens on air. */
export const publishCapability = 'live.agent_stream.publish'

/** What the rule needs to know of a stream and of what the caller presented. */
export interface AccessFacts extends Pick<StreamFacts, 'owner' | 'visibility'> {
  /** How the publish ticket stands that a desk presented. */
  readonly ticket: TicketVerdict | null
  /** The key (SHA-256) of the link that the caller came by, when it is this stream's. */
  readonly link: string | null
  /** The stream is shared with the caller. */
  readonly shared: boolean
  /** The caller moderates the stream's channel. */
  readonly moderator: boolean
  /** The right that the presented view ticket gives, when it is this stream's and stands. */
  readonly viewTicket: ViewRight | null
}

/** Allowed, and by what right the caller sees the stream; or not, and why. */
export type Access = { readonly right: ViewRight } | { readonly refusal: Refusal }

/**
 * Who may do what with a stream: the one place that says it. Pure.
 *
 * Whoever may not view a stream is told that there is none, whatever they try: nobody learns
 * that it exists. Tickets are the exception that the specification makes: a bad one is 401.
 */
export function accessTo(principal: Principal, action: Action, facts: AccessFacts): Access {
  const right = viewRight(principal, facts)
  if (right === null) return { refusal: unseen(principal, action) }
  const refusal = actionRefusal(principal, action, facts)
  return refusal === null ? { right } : { refusal }
}

/** By what right the caller may see the stream, the strongest first; `null`: by none. */
function viewRight(principal: Principal, facts: AccessFacts): ViewRight | null {
  if (principal.kind === 'desk') return facts.ticket === null || facts.ticket === 'invalid' ? null : { type: 'desk' }
  if (principal.kind === 'viewer_ticket') return facts.viewTicket
  const person = personOf(principal)
  if (person === facts.owner) return { type: 'owner' }
  if (person !== null && facts.shared) return { type: 'shared', person }
  if (person !== null && facts.moderator && facts.visibility !== 'private') return { type: 'moderator', person }
  if (facts.link !== null && facts.visibility === 'unlisted') return { type: 'link', key: facts.link }
  return facts.visibility === 'public' ? { type: 'public' } : null
}

/** What somebody is told who may not even know; and who asks for a stream that is not there. */
export function unseen(principal: Principal, action: Action): Refusal {
  if (principal.kind === 'desk') {
    return refuse(
      'invalid_ticket',
      'The publish ticket is not valid for this stream: expired, revoked or replaced. Mint another one.',
    )
  }
  if (principal.kind === 'viewer_ticket') {
    const publishes = action === 'publish' || action === 'desk_state' || action === 'put_still'
    return publishes
      ? ticketWanted
      : refuse('invalid_view_ticket', 'The view ticket is not valid for this stream, or has expired. Ask for another.')
  }
  return refuse('not_found', 'There is no such stream, or it is not yours to see.')
}

/** Why somebody who may see the stream may not do this, or `null`. */
function actionRefusal(principal: Principal, action: Action, facts: AccessFacts): Refusal | null {
  switch (action) {
    case 'view':
      return null
    case 'watch':
      return facts.visibility === 'public' || principal.kind === 'viewer_ticket'
        ? null
        : refuse('view_ticket_required', 'Ask for a view ticket (POST …/view-ticket) and come with it.')
    case 'mint_view_ticket':
      return principal.kind === 'desk' || principal.kind === 'viewer_ticket'
        ? refuse('forbidden', 'A ticket gives no other ticket. Renew a view ticket with it as `renew`.')
        : null
    case 'publish':
    case 'desk_state':
    case 'put_still':
      return principal.kind === 'desk' ? null : ticketWanted
    case 'mint_ticket':
      if (principal.kind === 'desk') {
        // A ticket renews itself, but a replaced one must not undo its replacement.
        return facts.ticket === 'current' ? null : refuse('invalid_ticket', 'The ticket was replaced. Use the new one.')
      }
      return ownerRefusal(principal, facts)
    case 'curtain':
      if (principal.kind === 'desk') return null
      return isModerator(principal, facts) ? null : ownerRefusal(principal, facts)
    case 'end':
      return principal.kind === 'desk' ? null : ownerRefusal(principal, facts)
    case 'curtain_reasons':
    case 'revoke_ticket':
    case 'update':
    case 'rotate_link':
    case 'share':
      return ownerRefusal(principal, facts)
  }
}

/** Why somebody may not act as the owner, or `null`. */
function ownerRefusal(principal: Principal, facts: AccessFacts): Refusal | null {
  if (principal.kind === 'anonymous') return refuse('sign_in_required', 'Sign in as the owner of the stream.')
  if (personOf(principal) !== facts.owner) return refuse('forbidden', 'Only the owner of the stream may do that.')
  return capabilityRefusal(principal)
}

/** Why somebody's token may not act for its person, or `null`: to see needs no capability, to act does. */
export function capabilityRefusal(principal: Principal): Refusal | null {
  if (principal.kind !== 'service' || principal.capabilities.includes(publishCapability)) return null
  return refuse('capability.denied', `The token lacks the capability ${publishCapability}. Ask for one that has it.`)
}

/** Moderators act by their own session: no service moderates for them. */
export function isModerator(principal: Principal, facts: Pick<AccessFacts, 'owner' | 'moderator'>): boolean {
  return principal.kind === 'person' && principal.person !== facts.owner && facts.moderator
}

/** Who may create a stream, and for whom: the owner's id. */
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
    case 'viewer_ticket':
      return { refusal: refuse('forbidden', 'A ticket is for one stream; it creates none. Sign in.') }
    case 'anonymous':
      return { refusal: refuse('sign_in_required', 'Sign in, or send a service token that names the person.') }
  }
}

const ticketWanted = refuse('invalid_ticket', 'Send the stream’s publish ticket: Authorization: Bearer wpt_….')

/** Who the caller is, or acts for. */
export function personOf(principal: Principal): string | null {
  return principal.kind === 'person' || principal.kind === 'service' ? principal.person : null
}
