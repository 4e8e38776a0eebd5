import type { IdentityStore, Person } from '../../store/identity-store.ts'
import { mintSecret } from './secret.ts'

/** A sign-in link is good for fifteen minutes, once. */
const linkLifetime = 15 * 60 * 1000

/** A new one-time sign-in link for a person: shown once, its hash is kept. */
export async function inviteSignIn(
  identity: IdentityStore,
  person: Person,
  origin: string,
  now: number,
): Promise<string> {
  const { secret, hash } = mintSecret('signInLink')
  await identity.createSignInLink({ hash, person: person.id, expiresAt: now + linkLifetime })
  return `${origin}/sign-in/${secret}`
}
