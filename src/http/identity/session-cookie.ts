import { parseCookie, stringifySetCookie } from 'cookie'
import { isSecret } from './secret.ts'

/** The session cookie's name. */
export const sessionCookieName = 'footlight_session'
/** A session lasts thirty days. In seconds. */
export const sessionLifetime = 30 * 24 * 60 * 60

/** The session's token, if the `Cookie` header has one of the right shape. */
export function readSessionCookie(header: string | null): string | null {
  const value = header === null ? undefined : parseCookie(header)[sessionCookieName]
  return value !== undefined && isSecret('session', value) ? value : null
}

/** `Set-Cookie` for a new session. `Secure` when people reach us by https. */
export function writeSessionCookie(token: string, origin: string): string {
  return stringifySetCookie(sessionCookieName, token, { ...attributes(origin), maxAge: sessionLifetime })
}

/** `Set-Cookie` that takes the session from the browser. */
export function clearSessionCookie(origin: string): string {
  return stringifySetCookie(sessionCookieName, '', { ...attributes(origin), maxAge: 0 })
}

function attributes(origin: string) {
  return { httpOnly: true, sameSite: 'lax', path: '/', secure: origin.startsWith('https:') } as const
}
