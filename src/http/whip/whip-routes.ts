import { Elysia } from 'elysia'
import { RefusedError, refuse } from '../../contracts/problem.ts'
import { authorisedStream } from '../access/authorised-stream.ts'
import type { Dependencies } from '../dependencies.ts'
import { readDeskTicket } from '../identity/desk-ticket.ts'
import { mintResourceId } from '../identity/secret.ts'
import { answerResponse, openToAll, optionsResponse, readOffer } from '../protocol/sdp-exchange.ts'
import { whipOperations } from './whip-operations.ts'

/** WHIP (RFC 9725): the desk publishes with its ticket. */
export function whipRoutes(needs: Dependencies) {
  const { system, rateLimits } = needs
  return new Elysia({ name: 'whip' })
    .post(
      '/whip/agent/:id',
      async ({ request, server, params: { id } }) => {
        const ticket = await deskTicket(needs, request, id)
        await rateLimits.take('whip', `${id} ${rateLimits.addressKey(request, server)}`)
        const offer = await readOffer(request)
        const publication = mintResourceId()
        const { answer } = await system.ask(id, 'publish', { ticket, publication, offer })
        return answerResponse(answer, `/whip/agent/${id}/${publication}`)
      },
      { parse: 'none', ...whipOperations.publish },
    )
    .get('/whip/agent/:id', () => noContent(), whipOperations.endpoint)
    .options('/whip/agent/:id', () => optionsResponse('POST, GET, OPTIONS'), whipOperations.options)
    .delete(
      '/whip/agent/:id/:session',
      async ({ request, params: { id, session } }) => {
        const ticket = await deskTicket(needs, request, id)
        await system.ask(id, 'unpublish', { ticket, publication: session })
        return new Response(null, { status: 200, headers: openToAll })
      },
      { parse: 'none', ...whipOperations.leave },
    )
    .get(
      '/whip/agent/:id/:session',
      async ({ request, params: { id, session } }) => {
        await deskTicket(needs, request, id)
        await system.ask(id, 'publication.check', { publication: session })
        return noContent()
      },
      whipOperations.check,
    )
    .options('/whip/agent/:id/:session', () => optionsResponse('DELETE, GET, OPTIONS'), whipOperations.sessionOptions)
}

function noContent(): Response {
  return new Response(null, { status: 204, headers: openToAll })
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
