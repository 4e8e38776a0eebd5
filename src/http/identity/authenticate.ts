import { isId } from '../../contracts/ids.ts'
import { RefusedError, refuse } from '../../contracts/problem.ts'
import { anonymous, type Principal } from '../access/principal.ts'
import type { Dependencies } from '../dependencies.ts'
import { isSameOrigin } from './same-origin.ts'
import { hashSecret } from './secret.ts'
import { readSessionCookie } from './session-cookie.ts'

type Needs = Pick<Dependencies, 'identity' | 'issuer' | 'audience' | 'origin' | 'now'>

/**
 * Who makes the request: by its bearer token (RFC 6750) or else by its session cookie. A
 * write that the cookie alone vouches for must come from our own pages.
 * @throws RefusedError `invalid_token`, `foreign_origin` or `store_unavailable`
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
  const [, token] = /^Bearer +([^\s]+)$/i.exec(header) ?? []
  if (token === undefined) {
    throw new RefusedError(refuse('invalid_token', 'Send Authorization: Bearer, and one token.'))
  }
  // Whatever begins like a ticket is answered as one, so that a mistyped ticket is told apart from a bad token.
  if (token.startsWith('wpt_')) return { kind: 'desk', ticket: hashSecret(token) }
  if (token.startsWith('wvt_')) return { kind: 'viewer_ticket', hash: hashSecret(token) }
  const claims = await needs.issuer.verify(token, needs.audience).catch(() => {
    throw new RefusedError(
      refuse('invalid_token', 'The token does not verify: expired, for another audience, or signed by nobody we know.'),
    )
  })
  const { subject, capabilities } = claims
  if (isId('person', subject)) return { kind: 'service', person: subject, capabilities }
  const service = subject.startsWith('svc:') || subject.startsWith('node:')
  const person = service && onBehalf !== null && isId('person', onBehalf) ? onBehalf : null
  return { kind: 'service', person, capabilities }
}
