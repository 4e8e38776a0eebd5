import { randomInt } from 'node:crypto'
import { handlePattern, type IdentityStore, type Person } from '../../store/identity-store.ts'
import type { ProviderPerson } from './oidc-provider.ts'

/** How long a handle may be. */
const longest = 30

/**
 * The person whom a provider signed in: known by issuer and subject, never by a name. At
 * their first sign-in they are added, with a handle made of what the provider calls them.
 */
export async function personOf(
  identity: Pick<IdentityStore, 'personBySubject' | 'addPerson'>,
  signedIn: ProviderPerson,
  now: number,
): Promise<Person> {
  const { issuer, subject } = signedIn
  const known = await identity.personBySubject(issuer, subject)
  if (known !== null) return known
  for (const handle of handlesFor(await signedIn.names())) {
    // The same person, when another sign-in of theirs was first.
    const person = await identity.addPerson({ handle, issuer, subject }, now)
    if (person !== null) return person
  }
  throw new Error('No handle was free for a new person.')
}

/** Handles to try, in this order: the best name, the same numbered, at last with a number nobody has. */
export function* handlesFor(names: readonly string[]): Generator<string> {
  const base = names.map(fitHandle).find((handle) => handle !== null) ?? 'person'
  yield base
  for (let number = 2; number <= 9; number++) yield numbered(base, number)
  for (let attempt = 0; attempt < 10; attempt++) yield numbered(base, randomInt(1000, 1_000_000_000))
}

/** The name as a handle: `Zoë Łukasz` is `zoe-ukasz`. `null`: nothing is left of it. */
export function fitHandle(name: string): string | null {
  const handle = name
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/[^a-z0-9_-]+/g, '-')
    .replace(/^[-_]+/, '')
    .slice(0, longest)
    .replace(/[-_]+$/, '')
  return handlePattern.test(handle) ? handle : null
}

function numbered(base: string, number: number): string {
  const suffix = `-${number}`
  return base.slice(0, longest - suffix.length).replace(/[-_]+$/, '') + suffix
}
