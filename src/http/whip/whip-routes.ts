import { Elysia } from 'elysia'
import { RefusedError, refuse } from '../../contracts/problem.ts'
import { authorisedStream } from '../access/authorised-stream.ts'
import type { Dependencies } from '../dependencies.ts'
import { readDeskTicket } from '../identity/desk-ticket.ts'
import { mintResourceId } from '../identity/secret.ts'
import { patchResponse, readPatch } from '../protocol/ice-exchange.ts'
import { iceServerLinks } from '../protocol/ice-servers.ts'
import { answerResponse, goneResponse, noContent, optionsResponse, readOffer } from '../protocol/sdp-exchange.ts'
import { whipOperations } from './whip-operations.ts'

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
      { parse: 'none', ...whipOperations.publish },
    )
    .get(endpoint, noContent, whipOperations.endpoint)
    .head(endpoint, noContent, whipOperations.endpointHead)
    .options(endpoint, () => optionsResponse('POST, GET, HEAD, OPTIONS', 'endpoint'), whipOperations.options)
    .patch(
      session,
      async ({ request, server, params: { id, session } }) => {
        const ticket = await deskTicket(needs, request, id)
        await rateLimits.take('whip_session', `${id} ${rateLimits.addressKey(request, server)}`)
        await system.ask(id, 'publication.check', { publication: session })
        const patch = await readPatch(request)
        return patchResponse(await system.ask(id, 'publication.patch', { ticket, publication: session, ...patch }))
      },
      { parse: 'none', ...whipOperations.patch },
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
      { parse: 'none', ...whipOperations.leave },
    )
    .get(session, ({ request, params }) => sessionIsThere(needs, request, params), whipOperations.check)
    .head(session, ({ request, params }) => sessionIsThere(needs, request, params), whipOperations.checkHead)
    .options(
      session,
      () => optionsResponse('PATCH, DELETE, GET, HEAD, OPTIONS', 'session'),
      whipOperations.sessionOptions,
    )
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

/**
 * The ticket's hash, of a desk that may publish. WHIP knows the publish ticket and nothing else:
 * who comes without it is told so, whoever they are and whether or not there is such a stream.
 */
async function deskTicket(needs: Dependencies, request: Request, id: string): Promise<string> {
  const ticket = readDeskTicket(request)
  if (ticket === null) {
    throw new RefusedError(refuse('invalid_ticket', 'Send the publish ticket: Authorization: Bearer wpt_….'))
  }
  await authorisedStream(needs, { principal: { kind: 'desk', ticket }, linkKey: null }, 'publish', id)
  return ticket
}
