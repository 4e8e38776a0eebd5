import { type Static, Type } from '@sinclair/typebox'
import { Elysia } from 'elysia'
import type { StreamFacts } from '../../actors/stream/stream-asks.ts'
import { type AgentStreamList, StreamState } from '../../contracts/agent-stream.ts'
import { idSchema } from '../../contracts/ids.ts'
import { RefusedError, refuse } from '../../contracts/problem.ts'
import { personOf } from '../access/access.ts'
import { authorisedStream, type Caller } from '../access/authorised-stream.ts'
import type { Dependencies } from '../dependencies.ts'
import { authenticate } from '../identity/authenticate.ts'
import { streamOperations } from './stream-operations.ts'
import { streamResource } from './stream-resource.ts'

const ListQuery = Type.Object(
  {
    channel: Type.Optional(idSchema('channel')),
    state: Type.Optional(StreamState),
    after: Type.Optional(idSchema('agentStream')),
    before: Type.Optional(idSchema('agentStream')),
    // A query is text: a whole number in it is digits.
    limit: Type.Optional(Type.String({ pattern: '^([1-9]|[1-4][0-9]|50)$', description: '1 to 50; 20 when not said' })),
  },
  { additionalProperties: false },
)
type ListQuery = Static<typeof ListQuery>

/** How many streams one request looks at, at most: a page may be shorter than asked and have more behind it. */
const lookedAt = 200

/**
 * `GET /api/streams/agent`: what the caller may see, newest first. Of a channel: the owner's
 * all; the public ones for everybody, the shared ones for whom they are shared with, the
 * unlisted ones for moderators. Without a channel: the public ones, and one's own. A link
 * puts its stream in nobody's list, and a ticket lists nothing: it is for one stream.
 */
export function listRoutes(needs: Dependencies) {
  const { listing, origin, now } = needs
  return new Elysia({ name: 'stream-list' }).get(
    '/api/streams/agent',
    async ({ request, query }): Promise<AgentStreamList> => {
      const principal = await authenticate(needs, request)
      if (principal.kind === 'desk' || principal.kind === 'viewer_ticket') {
        throw new RefusedError(refuse('forbidden', 'A ticket is for one stream; it lists none. Sign in, or send none.'))
      }
      const caller: Caller = { principal, linkKey: null }
      const limit = Number(query.limit ?? 20)
      const streams: StreamFacts[] = []
      let before = query.before
      let seen = 0
      let more = true
      while (more && streams.length < limit && seen < lookedAt) {
        const ids = await page(caller, query, before)
        more = ids.length === pageSize
        for (const id of ids) {
          if (streams.length === limit) {
            more = true
            break
          }
          const facts = await visible(caller, id, query)
          if (facts !== null) streams.push(facts)
          before = id
          seen++
        }
        // Forwards there is one page: whoever wants the next asks from its newest.
        if (query.after !== undefined) break
      }
      return { streams: streams.map((facts) => streamResource(facts, origin(), now())), more }
    },
    { query: ListQuery, ...streamOperations.list },
  )

  /** The next ids that could be in the list. */
  async function page(caller: Caller, query: ListQuery, before: string | undefined): Promise<readonly string[]> {
    const { state, after, channel } = query
    const by = {
      ended: state === undefined ? null : state === 'ended',
      limit: pageSize,
      ...(before !== undefined && { before }),
      ...(after !== undefined && { after }),
    }
    if (channel !== undefined) return await listing.list({ ...by, channel })
    const person = personOf(caller.principal)
    const [open, own] = await Promise.all([
      listing.list({ ...by, visibility: 'public' }),
      person === null ? [] : listing.list({ ...by, owner: person }),
    ])
    const merged = [...new Set([...open, ...own])].sort().reverse()
    // From an id forwards, the nearest are the oldest.
    return after === undefined ? merged.slice(0, pageSize) : merged.slice(-pageSize)
  }

  async function visible(caller: Caller, id: string, query: ListQuery): Promise<StreamFacts | null> {
    try {
      const { facts } = await authorisedStream(needs, caller, 'view', id)
      return query.state === undefined || facts.state === query.state ? facts : null
    } catch (error) {
      if (error instanceof RefusedError && error.refusal.code === 'not_found') return null
      throw error
    }
  }
}

const pageSize = 50
