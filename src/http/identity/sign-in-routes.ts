import { Elysia } from 'elysia'
import { RefusedError, refuse } from '../../contracts/problem.ts'
import { pageHeaders } from '../../web/pages/page-headers.ts'
import { renderSignInPage } from '../../web/pages/sign-in-page.tsx'
import type { Dependencies } from '../dependencies.ts'
import { isSameOrigin } from './same-origin.ts'
import { hashSecret, mintSecret } from './secret.ts'
import { clearSessionCookie, readSessionCookie, sessionLifetime, writeSessionCookie } from './session-cookie.ts'

/**
 * One-time sign-in links, the session they open, and this server's public keys. Looking at a
 * link spends nothing; the button on its page does.
 */
export function signInRoutes(needs: Dependencies) {
  const { identity, issuer, assets, origin, now } = needs
  return new Elysia({ name: 'sign-in' })
    .get('/.well-known/jwks.json', () => issuer.jwks)
    .get('/sign-in/:link', ({ params: { link } }) => {
      const html = renderSignInPage({ action: `/sign-in/${encodeURIComponent(link)}`, assets })
      return new Response(html, { headers: pageHeaders({ origin: origin(), frameAncestors: [] }) })
    })
    .post(
      '/sign-in/:link',
      async ({ request, params: { link } }) => {
        mustBeOurs(request)
        const person = await identity.useSignInLink(hashSecret(link), now())
        if (person === null) {
          const detail = 'The link was used already or has expired. Ask for another: footlight person link HANDLE.'
          throw new RefusedError(refuse('link_used', detail))
        }
        const { secret, hash } = mintSecret('session')
        const createdAt = now()
        const expiresAt = createdAt + sessionLifetime * 1000
        await identity.createSession({ hash, person: person.id, createdAt, expiresAt })
        return new Response(null, {
          status: 303,
          headers: { Location: '/', 'Set-Cookie': writeSessionCookie(secret, origin()), 'Cache-Control': 'no-store' },
        })
      },
      { parse: 'none' },
    )
    .post(
      '/sign-out',
      async ({ request }) => {
        mustBeOurs(request)
        const cookie = readSessionCookie(request.headers.get('cookie'))
        if (cookie !== null) await identity.deleteSession(hashSecret(cookie))
        return new Response(null, {
          status: 303,
          headers: { Location: '/', 'Set-Cookie': clearSessionCookie(origin()), 'Cache-Control': 'no-store' },
        })
      },
      { parse: 'none' },
    )

  /** Nobody is signed in or out by another site's page. */
  function mustBeOurs(request: Request): void {
    if (request.headers.has('origin') && !isSameOrigin(request.headers, origin())) {
      throw new RefusedError(
        refuse('foreign_origin', 'Open the link in the browser itself and press the button there.'),
      )
    }
  }
}
