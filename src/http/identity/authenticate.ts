import { isId } from '../../contracts/ids.ts'
import { RefusedError, refuse } from '../../contracts/problem.ts'
import { publishCapability } from '../access/access.ts'
import { anonymous, type Principal } from '../access/principal.ts'
import type { Dependencies } from '../dependencies.ts'
import { readBearer } from './bearer.ts'
import { isSameOrigin } from './same-origin.ts'
import { hashSecret } from './secret.ts'
import { readSessionCookie } from './session-cookie.ts'

type Needs = Pick<Dependencies, 'identity' | 'tokens' | 'origin' | 'now'>

/**
 * Who makes the request: by its bearer token (RFC 6750) or else by its session cookie. A
 * write that the cookie alone vouches for must come from our own pages.
 * @throws RefusedError `invalid_token`, `forbidden` (a developer app, an unusable `X-OV-Subject`),
 * `capability.denied` (`X-OV-Subject` from a service that may act for nobody), `foreign_origin`,
 * `issuer_unavailable` or `store_unavailable`
 */
export async function authenticate(needs: Needs, request: Request): Promise<Principal> {
  const header = request.headers.get('authorization')
  if (header !== null) return await byBearer(needs, header, request.headers.get('x-ov-subject'))
  const cookie = readSessionCookie(request.headers.get('cookie'))
  if (cookie === null) return anonymous
  const session = await needs.identity.session(hashSecret(cookie), needs.now())
  if (session === null) return anonymous
  const reads = request.method === 'GET' || request.method === 'HEAD' || request.method === 'OPTIONS'
  if (!reads && !isSameOrigin(request.headers, needs.origin())) {
    throw new RefusedError(
      refuse('foreign_origin', 'A request with the session cookie must come from this site: send its Origin header.'),
    )
  }
  return { kind: 'person', person: session.person, handle: session.handle, channel: session.channel }
}

async function byBearer(needs: Needs, header: string, onBehalf: string | null): Promise<Principal> {
  const token = readBearer(header)
  if (token === null) {
    throw new RefusedError(refuse('invalid_token', 'Send Authorization: Bearer, and one token.'))
  }
  // Whatever begins like a ticket is answered as one, so that a mistyped ticket is told apart from a bad token.
  if (token.startsWith('wpt_')) return { kind: 'desk', ticket: hashSecret(token) }
  if (token.startsWith('wvt_')) return { kind: 'viewer_ticket', hash: hashSecret(token) }
  const { subject, capabilities, app } = await needs.tokens.verify(token)
  if (app) {
    throw new RefusedError(
      refuse('forbidden', 'Developer apps cannot act here: sign the person in, or use a first-party service’s token.'),
    )
  }
  if (isId('person', subject)) return { kind: 'service', person: subject, capabilities }
  if (onBehalf === null || !/^(svc|node):/.test(subject)) return { kind: 'service', person: null, capabilities }
  // The header is the service's word alone: it counts from those who may put people's agents on air.
  if (!capabilities.includes(publishCapability)) {
    throw new RefusedError(
      refuse('capability.denied', `X-OV-Subject needs a token with the capability ${publishCapability}.`),
    )
  }
  if (!isId('person', onBehalf)) {
    throw new RefusedError(
      refuse('forbidden', 'X-OV-Subject must name the person that the service acts for: usr_ and a ULID.'),
    )
  }
  return { kind: 'service', person: onBehalf, capabilities }
}
