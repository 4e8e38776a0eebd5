import { Elysia } from 'elysia'
import { type CurtainHolder, curtainHolders, type EndReason } from '../../actors/ports/store.ts'
import { ticketLifetime } from '../../actors/stream/ticket-rules.ts'
import { CreateAgentStream, type CreatedAgentStream, type DeskState } from '../../contracts/agent-stream.ts'
import { CurtainRequest } from '../../contracts/curtain.ts'
import { newId } from '../../contracts/ids.ts'
import { RefusedError } from '../../contracts/problem.ts'
import type { CurtainHolds } from '../../contracts/viewing.ts'
import { createAccess } from '../access/access.ts'
import { authorisedStream } from '../access/authorised-stream.ts'
import { callerOf } from '../access/caller-of.ts'
import type { Principal } from '../access/principal.ts'
import type { Dependencies } from '../dependencies.ts'
import { authenticate } from '../identity/authenticate.ts'
import { mintLinkKey, mintSecret } from '../identity/secret.ts'
import { parseJson } from '../read-body.ts'
import { streamOperations } from './stream-operations.ts'
import { curtainResource, linkUrl, rfc3339, streamResource } from './stream-resource.ts'

/** `/api/streams/agent…`: the stream and its publish ticket, curtain, state and end. */
export function streamRoutes(needs: Dependencies) {
  const { system, rateLimits, origin, now } = needs
  const resource = (facts: Parameters<typeof streamResource>[0]) => streamResource(facts, origin(), now())

  return new Elysia({ name: 'streams' })
    .post(
      '/api/streams/agent',
      async ({ request, server, body, set }): Promise<CreatedAgentStream> => {
        const principal = await authenticate(needs, request)
        const access = createAccess(principal)
        if ('refusal' in access) throw new RefusedError(access.refusal)
        await rateLimits.take('create_stream', rateLimits.callerKey(principal, request, server))
        const { secret, hash } = mintSecret('publishTicket')
        const visibility = body.visibility ?? 'private'
        const link = visibility === 'unlisted' ? mintLinkKey() : null
        const createdAt = now()
        const expiresAt = createdAt + ticketLifetime
        const facts = await system.create({
          id: newId('agentStream'),
          owner: access.owner,
          task: body.task,
          visibility,
          ticket: { hash, expiresAt },
          linkKeyHash: link?.hash ?? null,
          createdAt,
        })
        set.status = 201
        set.headers.location = `/api/streams/agent/${facts.id}`
        return {
          stream: resource(facts),
          publish: grant(facts.id, secret, expiresAt),
          ...(link !== null && { link: { url: linkUrl(facts, origin(), link.secret) } }),
        }
      },
      { parse: parseJson, body: CreateAgentStream, ...streamOperations.create },
    )
    .get(
      '/api/streams/agent/:id',
      async ({ request, params: { id } }) => {
        const { facts } = await authorisedStream(needs, await callerOf(needs, request), 'view', id)
        return resource(facts)
      },
      streamOperations.read,
    )
    .post(
      '/api/streams/agent/:id/ticket',
      async ({ request, params: { id }, set }) => {
        const caller = await callerOf(needs, request)
        await authorisedStream(needs, caller, 'mint_ticket', id)
        await rateLimits.take('publish_ticket', id)
        const { secret, hash } = mintSecret('publishTicket')
        const { expiresAt } = await system.ask(id, 'ticket.mint', { hash })
        set.status = 201
        return grant(id, secret, expiresAt)
      },
      streamOperations.mintTicket,
    )
    .delete(
      '/api/streams/agent/:id/ticket',
      async ({ request, params: { id } }) => {
        const caller = await callerOf(needs, request)
        await authorisedStream(needs, caller, 'revoke_ticket', id)
        return resource(await system.ask(id, 'ticket.revoke', {}))
      },
      streamOperations.revokeTicket,
    )
    .get(
      '/api/streams/agent/:id/state',
      async ({ request, params: { id } }): Promise<DeskState> => {
        const caller = await callerOf(needs, request)
        await authorisedStream(needs, caller, 'desk_state', id)
        const state = await system.ask(id, 'desk.state', { ticket: ticketOf(caller.principal) ?? '' })
        return {
          viewers: state.viewers,
          encode: state.encode,
          curtain: curtainResource(state.curtain),
          ends_at: state.endsAt === null ? null : rfc3339(state.endsAt),
        }
      },
      streamOperations.state,
    )
    .post(
      '/api/streams/agent/:id/curtain',
      async ({ request, params: { id }, body }) => {
        const caller = await callerOf(needs, request)
        const { moderator } = await authorisedStream(needs, caller, 'curtain', id)
        const curtain = await system.ask(id, 'curtain.set', {
          ...fromDesk(caller.principal),
          by: holderOf(caller.principal, moderator),
          up: body.up,
          reason: body.reason ?? 'manual',
        })
        return curtainResource(curtain)
      },
      { parse: parseJson, body: CurtainRequest, ...streamOperations.setCurtain },
    )
    .get(
      '/api/streams/agent/:id/curtain',
      async ({ request, params: { id } }): Promise<CurtainHolds> => {
        await authorisedStream(needs, await callerOf(needs, request), 'curtain_reasons', id)
        const holds = await system.ask(id, 'curtain.holds', {})
        return {
          holds: curtainHolders.flatMap((by) => {
            const hold = holds[by]
            return hold === undefined ? [] : [{ by, reason: hold.reason, raised_at: rfc3339(hold.raisedAt) }]
          }),
        }
      },
      streamOperations.readCurtain,
    )
    .post(
      '/api/streams/agent/:id/end',
      async ({ request, params: { id } }) => {
        const caller = await callerOf(needs, request)
        await authorisedStream(needs, caller, 'end', id)
        return resource(await system.ask(id, 'end', { ...fromDesk(caller.principal), why: enderOf(caller.principal) }))
      },
      streamOperations.end,
    )

  function grant(id: string, ticket: string, expiresAt: number) {
    return { whip_url: `${origin()}/whip/agent/${id}`, ticket, expires_at: rfc3339(expiresAt) }
  }
}

function ticketOf(principal: Principal): string | null {
  return principal.kind === 'desk' ? principal.ticket : null
}

/** The actor verifies a desk's ticket again, in the same step as it acts. */
function fromDesk(principal: Principal): { ticket?: string } {
  const ticket = ticketOf(principal)
  return ticket === null ? {} : { ticket }
}

/** A service works for the desk's side: it holds the curtain as the desk does. */
function holderOf(principal: Principal, moderator: boolean): CurtainHolder {
  if (principal.kind !== 'person') return 'desk'
  return moderator ? 'moderator' : 'owner'
}

function enderOf(principal: Principal): EndReason {
  return principal.kind === 'person' ? 'owner' : principal.kind === 'service' ? 'service' : 'desk'
}
