import { Elysia } from 'elysia'
import { RefusedError, refuse } from '../../contracts/problem.ts'
import { authorisedStream } from '../access/authorised-stream.ts'
import { callerOf } from '../access/caller-of.ts'
import type { Dependencies } from '../dependencies.ts'
import { mintResourceId } from '../identity/secret.ts'
import { patchResponse, readPatch } from '../protocol/ice-exchange.ts'
import { iceServerLinks } from '../protocol/ice-servers.ts'
import { answerResponse, goneResponse, noContent, optionsResponse, readOffer } from '../protocol/sdp-exchange.ts'

const endpoint = '/whip/agent/:id'
const session = '/whip/agent/:id/:session'

/** WHIP (RFC 9725): the desk publishes with its ticket. */
export function whipRoutes(needs: Dependencies) {
  const { system, rateLimits, iceServers, now } = needs
  return new Elysia({ name: 'whip' })
    .post(
      endpoint,
      async ({ request, server, params: { id } }) => {
        const ticket = await deskTicket(needs, request, id)
        await rateLimits.take('whip', `${id} ${rateLimits.addressKey(request, server)}`)
        const offer = await readOffer(request)
        const publication = mintResourceId()
        const { answer, tag } = await system.ask(id, 'publish', { ticket, publication, offer })
        const links = iceServerLinks(iceServers, id, now())
        return answerResponse({ answer, tag, location: `/whip/agent/${id}/${publication}`, links })
      },
      { parse: 'none' },
    )
    .get(endpoint, noContent)
    .head(endpoint, noContent)
    .options(endpoint, () => optionsResponse('POST, GET, HEAD, OPTIONS', 'endpoint'))
    .patch(
      session,
      async ({ request, server, params: { id, session } }) => {
        const ticket = await deskTicket(needs, request, id)
        await rateLimits.take('whip_session', `${id} ${rateLimits.addressKey(request, server)}`)
        await system.ask(id, 'publication.check', { publication: session })
        const patch = await readPatch(request)
        return patchResponse(await system.ask(id, 'publication.patch', { ticket, publication: session, ...patch }))
      },
      { parse: 'none' },
    )
    .delete(
      session,
      async ({ request, server, params: { id, session } }) => {
        const ticket = await deskTicket(needs, request, id)
        await rateLimits.take('whip_session', `${id} ${rateLimits.addressKey(request, server)}`)
        // RFC 9725 section 4.3.1: whatever entity tag it carries.
        await system.ask(id, 'unpublish', { ticket, publication: session })
        return goneResponse()
      },
      { parse: 'none' },
    )
    .get(session, ({ request, params }) => sessionIsThere(needs, request, params))
    .head(session, ({ request, params }) => sessionIsThere(needs, request, params))
    .options(session, () => optionsResponse('PATCH, DELETE, GET, HEAD, OPTIONS', 'session'))
}

async function sessionIsThere(
  needs: Dependencies,
  request: Request,
  { id, session }: { id: string; session: string },
): Promise<Response> {
  await deskTicket(needs, request, id)
  await needs.system.ask(id, 'publication.check', { publication: session })
  return noContent()
}

/** The ticket's hash, of a desk that may publish. Without a ticket, whoever asks is told to send one. */
async function deskTicket(needs: Dependencies, request: Request, id: string): Promise<string> {
  const caller = await callerOf(needs, request).catch((error) => {
    if (!(error instanceof RefusedError) || error.refusal.code !== 'invalid_token') throw error
    throw new RefusedError(refuse('invalid_ticket', 'Send the publish ticket: Authorization: Bearer wpt_….'))
  })
  await authorisedStream(needs, caller, 'publish', id)
  return caller.principal.kind === 'desk' ? caller.principal.ticket : ''
}
