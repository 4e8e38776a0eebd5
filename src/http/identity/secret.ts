import { createHash, randomBytes } from 'node:crypto'

/** What a secret is for. The prefix stands before 32 random bytes, base64url: `wpt_…`. */
export const secretPrefix = {
  publishTicket: 'wpt',
  viewTicket: 'wvt',
  session: 'ses',
  signInLink: 'sil',
} as const

export type SecretKind = keyof typeof secretPrefix

/** A new secret, shown once, and what is kept of it. */
export function mintSecret(kind: SecretKind): { readonly secret: string; readonly hash: string } {
  const secret = `${secretPrefix[kind]}_${randomBytes(32).toString('base64url')}`
  return { secret, hash: hashSecret(secret) }
}

/** SHA-256, lower-case hex: what the store keeps and the actors compare. */
export function hashSecret(secret: string): string {
  return createHash('sha256').update(secret).digest('hex')
}

/** A new key for an unlisted stream's link (`?k=`): 22 characters, 128 random bits. */
export function mintLinkKey(): { readonly secret: string; readonly hash: string } {
  const secret = randomBytes(16).toString('base64url')
  return { secret, hash: hashSecret(secret) }
}

/** True when the text has the shape of that kind of secret. */
export function isSecret(kind: SecretKind, text: string): boolean {
  return text.startsWith(`${secretPrefix[kind]}_`) && /^[A-Za-z0-9_-]{47}$/.test(text)
}

/** An unguessable resource id for a WHIP or WHEP session (RFC 9725 section 4.2: it must not be guessed). */
export function mintResourceId(): string {
  return randomBytes(16).toString('base64url')
}
