import { parseCookie, stringifySetCookie } from 'cookie'
import type { SignInAttempt } from './oidc-provider.ts'

/** A sign-in with a provider must be over in ten minutes. In seconds. */
const lifetime = 10 * 60

/** A sign-in that this browser began, and where it goes afterwards. */
export interface BegunSignIn extends SignInAttempt {
  /** A path on this server. */
  readonly to: string
}

/**
 * `Set-Cookie` that keeps a begun sign-in in the browser: its own values, which nobody else
 * gains from, so that they are neither signed nor sealed. One at a time: a second tab that
 * signs in replaces it. Under https no neighbouring host can set it (`__Host-`).
 */
export function writeSignInCookie(begun: BegunSignIn, origin: string, now: number): string {
  const { state, nonce, verifier, to } = begun
  const parts = [state, nonce, verifier, String(now + lifetime * 1000), Buffer.from(to).toString('base64url')]
  return stringifySetCookie(nameAt(origin), parts.join('.'), { ...attributes(origin), maxAge: lifetime })
}

/** The sign-in that the browser began, unless that is too long ago. */
export function readSignInCookie(header: string | null, origin: string, now: number): BegunSignIn | null {
  const value = header === null ? undefined : parseCookie(header)[nameAt(origin)]
  const shape = /^([\w-]{43})\.([\w-]{43})\.([\w-]{43})\.(\d{13,15})\.([\w-]+)$/
  const [, state, nonce, verifier, expiresAt, to] = shape.exec(value ?? '') ?? []
  if (state === undefined || nonce === undefined || verifier === undefined || to === undefined) return null
  if (Number(expiresAt) <= now) return null
  return { state, nonce, verifier, to: Buffer.from(to, 'base64url').toString() }
}

/** `Set-Cookie` that forgets the begun sign-in. */
export function clearSignInCookie(origin: string): string {
  return stringifySetCookie(nameAt(origin), '', { ...attributes(origin), maxAge: 0 })
}

function nameAt(origin: string): string {
  return origin.startsWith('https:') ? '__Host-footlight_sign_in' : 'footlight_sign_in'
}

function attributes(origin: string) {
  // The provider sends the browser back from another site: `Strict` would hold the cookie back.
  return { httpOnly: true, sameSite: 'lax', path: '/', secure: origin.startsWith('https:') } as const
}
