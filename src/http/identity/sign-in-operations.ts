import { KeySet } from '../../contracts/server.ts'
import { described } from '../description/described.ts'

const page = ['text/html'] as const
const anybody = { area: 'Signing in', accepts: [], open: true } as const

/** What the routes of signing in say of themselves. */
export const signInOperations = {
  keys: described({
    ...anybody,
    name: 'readKeys',
    summary: 'Read this server’s public keys',
    about: 'A JWK set (RFC 7517): what other services check this server’s tokens with.',
    who: 'Anybody.',
    answers: { 200: { says: 'The keys.', contract: KeySet } },
    refuses: [],
  }),
  begin: described({
    ...anybody,
    name: 'beginSignIn',
    summary: 'Sign in',
    about: 'Sends the browser to the OpenID Connect provider; without one, says how people get a link.',
    who: 'Anybody, in a browser.',
    parameters: [{ name: 'to', in: 'query', says: 'The path on this server to come back to.' }],
    answers: {
      200: { says: 'How to sign in here.', types: page },
      303: { says: 'To the provider.', headers: ['Location', 'Set-Cookie'] },
    },
    refuses: ['too_many_requests', 'issuer_unavailable', 'internal'],
  }),
  callback: described({
    ...anybody,
    name: 'finishSignIn',
    summary: 'Come back from the provider',
    who: 'The browser that began.',
    answers: { 303: { says: 'Signed in.', headers: ['Location', 'Set-Cookie'] } },
    refuses: [
      'not_found',
      'sign_in_failed',
      'too_many_requests',
      'issuer_unavailable',
      'store_unavailable',
      'internal',
    ],
  }),
  look: described({
    ...anybody,
    name: 'lookAtSignInLink',
    summary: 'Open a one-time link',
    about: 'Spends nothing: the page’s button does.',
    who: 'Whoever has the link.',
    answers: { 200: { says: 'A page with a button.', types: page } },
    refuses: [],
  }),
  spend: described({
    ...anybody,
    name: 'useSignInLink',
    summary: 'Sign in with a one-time link',
    about: 'Works once, within fifteen minutes of the link’s making.',
    who: 'Whoever has the link.',
    answers: { 303: { says: 'Signed in.', headers: ['Location', 'Set-Cookie'] } },
    refuses: ['foreign_origin', 'link_used', 'too_many_requests', 'store_unavailable', 'internal'],
  }),
  signOut: described({
    area: 'Signing in',
    name: 'signOut',
    summary: 'Sign out',
    who: 'Anybody; nothing happens to whom is not signed in.',
    accepts: ['session'],
    open: true,
    answers: { 303: { says: 'Signed out.', headers: ['Location', 'Set-Cookie'] } },
    refuses: ['foreign_origin', 'store_unavailable', 'internal'],
  }),
} as const
