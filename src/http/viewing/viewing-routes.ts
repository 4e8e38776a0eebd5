import { Elysia } from 'elysia'
import { type StreamLink, UpdateAgentStream, type ViewTicketGrant, ViewTicketRequest } from '../../contracts/viewing.ts'
import { authorisedStream } from '../access/authorised-stream.ts'
import { callerOf } from '../access/caller-of.ts'
import type { Dependencies } from '../dependencies.ts'
import { mintLinkKey } from '../identity/secret.ts'
import { parseJson, parseOptionalJson } from '../read-body.ts'
import { linkUrl, streamResource } from '../streams/stream-resource.ts'
import { mintViewTicket, renewViewTicket } from './view-tickets.ts'
import { viewingOperations } from './viewing-operations.ts'

/** Who may watch: visibility, the unlisted link, view tickets. */
export function viewingRoutes(needs: Dependencies) {
  const { system, rateLimits, origin, now } = needs
  return new Elysia({ name: 'viewing' })
    .patch(
      '/api/streams/agent/:id',
      async ({ request, params: { id }, body }) => {
        await authorisedStream(needs, await callerOf(needs, request), 'update', id)
        const facts = await system.ask(id, 'visibility.set', { visibility: body.visibility })
        return streamResource(facts, origin(), now())
      },
      { parse: parseJson, body: UpdateAgentStream, ...viewingOperations.update },
    )
    .post(
      '/api/streams/agent/:id/view-ticket',
      async ({ request, server, params: { id }, body, set }): Promise<ViewTicketGrant> => {
        // By address: whoever guesses at keys or tickets is nobody yet.
        await rateLimits.take('view_ticket', rateLimits.addressKey(request, server))
        set.headers['cache-control'] = 'no-store'
        if (body.renew !== undefined) return await renewViewTicket(needs, id, body.renew)
        const { principal, linkKey } = await callerOf(needs, request)
        const caller = { principal, linkKey: body.k ?? linkKey }
        const { right } = await authorisedStream(needs, caller, 'mint_view_ticket', id)
        set.status = 201
        return await mintViewTicket(needs, id, right)
      },
      { parse: parseOptionalJson, body: ViewTicketRequest, ...viewingOperations.mintViewTicket },
    )
    .post(
      '/api/streams/agent/:id/rotate-link',
      async ({ request, params: { id }, set }): Promise<StreamLink> => {
        await authorisedStream(needs, await callerOf(needs, request), 'rotate_link', id)
        const { secret, hash } = mintLinkKey()
        const facts = await system.ask(id, 'link.rotate', { key: hash })
        set.headers['cache-control'] = 'no-store'
        return { url: linkUrl(facts, origin(), secret) }
      },
      viewingOperations.rotateLink,
    )
}
