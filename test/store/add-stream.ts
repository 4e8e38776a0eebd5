import type { NewStream, StreamRecord } from '../../src/actors/ports/store.ts'
import { newId } from '../../src/contracts/ids.ts'
import type { Person } from '../../src/store/identity-store.ts'
import type { Store } from '../../src/store/open-store.ts'
import { sha256 } from './sha256.ts'

/** A person who is there. */
export async function addPerson(store: Store, handle: string): Promise<Person> {
  const person = await store.identity.addPerson({ handle }, 1)
  if (!person) throw new Error(`${handle} is taken`)
  return person
}

/** A stream that is there, private unless told otherwise. */
export async function addStream(store: Store, owner: Person, over: Partial<NewStream> = {}): Promise<StreamRecord> {
  const id = over.id ?? newId('agentStream')
  const record = await store.streams.createStream({
    id,
    owner: owner.id,
    task: { source: 'desk', ref: 'r', title: 'Work' },
    visibility: 'private',
    ticket: { hash: sha256(`ticket of ${id}`), expiresAt: 1e15 },
    linkKeyHash: null,
    createdAt: 1,
    ...over,
  })
  if (!record) throw new Error('not created')
  return record
}
