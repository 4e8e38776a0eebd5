import { Type } from '@sinclair/typebox'
import { Elysia } from 'elysia'
import { RefusedError, refuse } from '../../contracts/problem.ts'
import { NamedPerson, type PeopleList } from '../../contracts/viewing.ts'
import { authorisedStream } from '../access/authorised-stream.ts'
import { callerOf } from '../access/caller-of.ts'
import type { Dependencies } from '../dependencies.ts'
import { personByHandle } from '../identity/person-by-handle.ts'
import { parseJson } from '../read-body.ts'
import { rfc3339 } from '../streams/stream-resource.ts'
import { sharingOperations } from './sharing-operations.ts'

/** The Share sheet's API: people by handle, behind the sharing port. */
export function sharingRoutes(needs: Dependencies) {
  const { system, sharing, viewTickets, now } = needs
  return new Elysia({ name: 'sharing' })
    .get(
      '/api/streams/agent/:id/share',
      async ({ request, params: { id } }) => {
        await mustOwn(request, id)
        return await list(id)
      },
      sharingOperations.list,
    )
    .put(
      '/api/streams/agent/:id/share',
      async ({ request, params: { id }, body }) => {
        const { facts } = await mustOwn(request, id)
        const person = await personByHandle(needs.identity, body.handle)
        if (person.id === facts.owner) {
          throw new RefusedError(refuse('invalid_request', 'The stream is theirs already. Name somebody else.'))
        }
        await sharing.share(id, person.id, now())
        return await list(id)
      },
      { parse: parseJson, body: NamedPerson, ...sharingOperations.add },
    )
    .delete(
      '/api/streams/agent/:id/share',
      async ({ request, params: { id }, query }) => {
        await mustOwn(request, id)
        const person = await personByHandle(needs.identity, query.handle)
        if (!(await sharing.unshare(id, person.id))) {
          throw new RefusedError(refuse('not_found', `The stream is not shared with @${person.handle}.`))
        }
        // Their tickets are dead and those who watch are gone before this is answered.
        await viewTickets.revokeShared(id, person.id)
        await system.ask(id, 'share.removed', { person: person.id })
        return await list(id)
      },
      {
        query: Type.Object({ handle: NamedPerson.properties.handle }, { additionalProperties: false }),
        ...sharingOperations.remove,
      },
    )

  async function mustOwn(request: Request, id: string) {
    return await authorisedStream(needs, await callerOf(needs, request), 'share', id)
  }

  async function list(id: string): Promise<PeopleList> {
    const people = await sharing.list(id)
    return { people: people.map(({ person, handle, sharedAt }) => ({ person, handle, since: rfc3339(sharedAt) })) }
  }
}
