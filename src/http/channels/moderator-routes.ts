import { Type } from '@sinclair/typebox'
import { Elysia } from 'elysia'
import { RefusedError, refuse } from '../../contracts/problem.ts'
import { NamedPerson, type PeopleList } from '../../contracts/viewing.ts'
import { capabilityRefusal, personOf } from '../access/access.ts'
import type { Dependencies } from '../dependencies.ts'
import { authenticate } from '../identity/authenticate.ts'
import { personByHandle } from '../identity/person-by-handle.ts'
import { parseJson } from '../read-body.ts'
import { rfc3339 } from '../streams/stream-resource.ts'
import { moderatorOperations } from './moderator-operations.ts'

/** How many streams of a channel are looked at, at a time. */
const pageSize = 100

/** The people who moderate a channel: its owner lists them. */
export function moderatorRoutes(needs: Dependencies) {
  const { system, identity, moderators, listing, now } = needs
  return new Elysia({ name: 'moderators' })
    .get(
      '/api/channels/:channel/moderators',
      async ({ request, params: { channel } }) => {
        await mustOwn(request, channel)
        return await list(channel)
      },
      moderatorOperations.list,
    )
    .put(
      '/api/channels/:channel/moderators',
      async ({ request, params: { channel }, body }) => {
        const owner = await mustOwn(request, channel)
        const person = await personByHandle(identity, body.handle)
        if (person.id === owner) {
          throw new RefusedError(
            refuse('invalid_request', 'The owner needs no moderator’s rights. Name somebody else.'),
          )
        }
        await moderators.add(channel, person.id, now())
        return await list(channel)
      },
      { parse: parseJson, body: NamedPerson, ...moderatorOperations.add },
    )
    .delete(
      '/api/channels/:channel/moderators',
      async ({ request, params: { channel }, query }) => {
        await mustOwn(request, channel)
        const person = await personByHandle(identity, query.handle)
        if (!(await moderators.remove(channel, person.id))) {
          throw new RefusedError(refuse('not_found', `@${person.handle} does not moderate the channel.`))
        }
        await dropFromStreams(channel, person.id)
        return await list(channel)
      },
      {
        query: Type.Object({ handle: NamedPerson.properties.handle }, { additionalProperties: false }),
        ...moderatorOperations.remove,
      },
    )

  /** Its owner's id. A channel that is not the caller's looks like none. */
  async function mustOwn(request: Request, channel: string): Promise<string> {
    const principal = await authenticate(needs, request)
    if (principal.kind === 'anonymous') throw new RefusedError(refuse('sign_in_required', 'Sign in as its owner.'))
    const person = personOf(principal)
    if (person === null || (await identity.channelOf(person)) !== channel) {
      throw new RefusedError(refuse('not_found', 'There is no such channel, or it is not yours.'))
    }
    const lacks = capabilityRefusal(principal)
    if (lacks !== null) throw new RefusedError(lacks)
    return person
  }

  /** Whoever watches a stream of the channel as its moderator is gone before the removal is answered. */
  async function dropFromStreams(channel: string, person: string): Promise<void> {
    let before: string | undefined
    for (;;) {
      const ids = await listing.list({
        channel,
        ended: false,
        limit: pageSize,
        ...(before !== undefined && { before }),
      })
      await Promise.all(ids.map((id) => system.ask(id, 'moderator.removed', { person })))
      before = ids.at(-1)
      if (ids.length < pageSize) return
    }
  }

  async function list(channel: string): Promise<PeopleList> {
    const people = await moderators.list(channel)
    return { people: people.map(({ person, handle, addedAt }) => ({ person, handle, since: rfc3339(addedAt) })) }
  }
}
