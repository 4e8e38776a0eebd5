import { Elysia } from 'elysia'
import { RefusedError, refuse } from '../../contracts/problem.ts'
import { renderMessagePage } from '../../web/pages/message-page.tsx'
import { pageHeaders } from '../../web/pages/page-headers.ts'
import { renderSignInPage } from '../../web/pages/sign-in-page.tsx'
import type { Dependencies } from '../dependencies.ts'
import { personOf } from './provider-person.ts'
import { returnPath } from './return-path.ts'
import { isSameOrigin } from './same-origin.ts'
import { hashSecret, mintSecret } from './secret.ts'
import { clearSessionCookie, readSessionCookie, sessionLifetime, writeSessionCookie } from './session-cookie.ts'
import { clearSignInCookie, readSignInCookie, writeSignInCookie } from './sign-in-cookie.ts'
import { signInOperations } from './sign-in-operations.ts'

/**
 * Signing in, with the OpenID Connect provider where there is one and with one-time links,
 * the session that it opens, and this server's public keys. Looking at a link spends nothing;
 * the button on its page does.
 */
export function signInRoutes(needs: Dependencies) {
  const { identity, issuer, oidc, rateLimits, assets, origin, now } = needs
  return new Elysia({ name: 'sign-in' })
    .get('/.well-known/jwks.json', () => issuer.jwks, signInOperations.keys)
    .get(
      '/sign-in',
      async ({ request, server }) => {
        if (oidc === null) return howToSignIn()
        await rateLimits.take('sign_in', rateLimits.addressKey(request, server))
        const { url, attempt } = await oidc.begin(callbackAddress().href)
        const to = returnPath(new URL(request.url).searchParams.get('to'), origin())
        return goTo(url, writeSignInCookie({ ...attempt, to }, origin(), now()))
      },
      signInOperations.begin,
    )
    .get(
      '/sign-in/callback',
      async ({ request, server, set }) => {
        if (oidc === null) throw new RefusedError(refuse('not_found', 'No provider signs people in here.'))
        await rateLimits.take('sign_in', rateLimits.addressKey(request, server))
        // Whatever comes of it, the attempt is spent.
        set.headers['set-cookie'] = clearSignInCookie(origin())
        const begun = readSignInCookie(request.headers.get('cookie'), origin(), now())
        if (begun === null) {
          const detail = 'This browser has begun no sign-in, or too long ago. Go to /sign-in to begin again.'
          throw new RefusedError(refuse('sign_in_failed', detail))
        }
        const callback = callbackAddress()
        callback.search = new URL(request.url).search
        const person = await personOf(identity, await oidc.finish(callback, begun), now())
        return goTo(returnPath(begun.to, origin()), await openSession(person.id))
      },
      signInOperations.callback,
    )
    .get(
      '/sign-in/:link',
      ({ params: { link } }) => {
        const html = renderSignInPage({ action: `/sign-in/${encodeURIComponent(link)}`, assets })
        return new Response(html, { headers: pageHeaders({ origin: origin(), frameAncestors: [] }) })
      },
      signInOperations.look,
    )
    .post(
      '/sign-in/:link',
      async ({ request, server, params: { link } }) => {
        mustBeOurs(request)
        await rateLimits.take('sign_in', rateLimits.addressKey(request, server))
        const person = await identity.useSignInLink(hashSecret(link), now())
        if (person === null) {
          const detail = 'The link was used already or has expired. Ask for another: footlight person link HANDLE.'
          throw new RefusedError(refuse('link_used', detail))
        }
        return goTo('/', await openSession(person.id))
      },
      { parse: 'none', ...signInOperations.spend },
    )
    .post(
      '/sign-out',
      async ({ request }) => {
        mustBeOurs(request)
        const cookie = readSessionCookie(request.headers.get('cookie'))
        if (cookie !== null) await identity.deleteSession(hashSecret(cookie))
        return goTo('/', clearSessionCookie(origin()))
      },
      { parse: 'none', ...signInOperations.signOut },
    )

  /** A session for the person: its `Set-Cookie`. */
  async function openSession(person: string): Promise<string> {
    const { secret, hash } = mintSecret('session')
    const createdAt = now()
    await identity.createSession({ hash, person, createdAt, expiresAt: createdAt + sessionLifetime * 1000 })
    return writeSessionCookie(secret, origin())
  }

  function goTo(location: string, cookie: string): Response {
    const headers = { Location: location, 'Set-Cookie': cookie, 'Cache-Control': 'no-store' }
    return new Response(null, { status: 303, headers })
  }

  /** Where the provider sends people back to. It is registered there. */
  function callbackAddress(): URL {
    return new URL('/sign-in/callback', origin())
  }

  function howToSignIn(): Response {
    const detail =
      'People sign in here with a link that works once. Ask whoever runs this server for one; they make it with: footlight person add HANDLE.'
    const html = renderMessagePage({ title: 'Sign in', detail, assets })
    return new Response(html, { headers: pageHeaders({ origin: origin(), frameAncestors: [] }) })
  }

  /** Nobody is signed in or out by another site's page. */
  function mustBeOurs(request: Request): void {
    if (request.headers.has('origin') && !isSameOrigin(request.headers, origin())) {
      throw new RefusedError(
        refuse('foreign_origin', 'Open the link in the browser itself and press the button there.'),
      )
    }
  }
}
