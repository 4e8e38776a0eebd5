import { RefusedError, refuse } from '../../contracts/problem.ts'
import type { IdentityStore, Person } from '../../store/identity-store.ts'

/**
 * The person whom a caller names, with or without `@`.
 * @throws RefusedError `not_found`
 */
export async function personByHandle(identity: IdentityStore, handle: string): Promise<Person> {
  const person = await identity.personByHandle(handle.replace(/^@/, '').toLowerCase())
  if (person === null)
    throw new RefusedError(refuse('not_found', 'There is nobody with that handle. Check its spelling.'))
  return person
}
