import { Elysia } from 'elysia'
import { RefusedError, refuse } from '../../contracts/problem.ts'
import { authorisedStream } from '../access/authorised-stream.ts'
import { callerOf } from '../access/caller-of.ts'
import type { Channels } from '../broadcast/channels.ts'
import type { Dependencies } from '../dependencies.ts'
import { mintResourceId } from '../identity/secret.ts'
import { patchResponse, readPatch } from '../protocol/ice-exchange.ts'
import { iceServerLinks } from '../protocol/ice-servers.ts'
import {
  answerResponse,
  goneResponse,
  noContent,
  openToAll,
  optionsResponse,
  readOffer,
} from '../protocol/sdp-exchange.ts'
import { eventsLink, whepEventRoutes } from './event-routes.ts'
import { whepOperations } from './whep-operations.ts'
import { askSession } from './whep-session.ts'

const endpoint = '/whep/agent/:id'
const session = '/whep/agent/:id/:session'

/**
 * WHEP (draft-ietf-wish-whep-03): a player that is not ours. A session's address has 128 random
 * bits that only this viewer was told: it is the permission to change and to end the session
 * (section 4.8.1 allows that), so that a viewer whose ticket has run out can still leave.
 */
export function whepRoutes(needs: Dependencies, channels: Channels) {
  const { system, rateLimits, iceServers, now } = needs
  return (
    new Elysia({ name: 'whep' })
      .post(
        endpoint,
        async ({ request, server, params: { id } }) => {
          const { right, admitted } = await authorisedStream(needs, await callerOf(needs, request), 'watch', id)
          await rateLimits.take('whep', `${id} ${rateLimits.addressKey(request, server)}`)
          const offer = await readOffer(request)
          const viewer = mintResourceId()
          const { answer, tag } = await system
            .ask(id, 'viewer.whep', { viewer, offer, right, admitted })
            .catch(notLiveAnyMore)
          const location = `/whep/agent/${id}/${viewer}`
          const links = [...iceServerLinks(iceServers, id, now()), eventsLink(location)]
          return answerResponse({ answer, tag, location, links })
        },
        { parse: 'none', ...whepOperations.play },
      )
      .get(endpoint, noContent, whepOperations.endpoint)
      // Players ask so whether they may send an offer here.
      .head(
        endpoint,
        () => new Response(null, { headers: { ...openToAll, 'Content-Type': 'application/sdp' } }),
        whepOperations.endpointHead,
      )
      .options(endpoint, () => optionsResponse('POST, GET, HEAD, OPTIONS', 'endpoint'), whepOperations.options)
      .patch(
        session,
        async ({ request, server, params: { id, session } }) => {
          await rateLimits.take('whep_session', rateLimits.addressKey(request, server))
          await askSession(system, id, 'viewer.check', { viewer: session })
          const patch = await readPatch(request)
          return patchResponse(await askSession(system, id, 'viewer.patch', { viewer: session, ...patch }))
        },
        { parse: 'none', ...whepOperations.patch },
      )
      .delete(
        session,
        async ({ request, server, params: { id, session } }) => {
          await rateLimits.take('whep_session', rateLimits.addressKey(request, server))
          await askSession(system, id, 'viewer.leave', { viewer: session })
          return goneResponse()
        },
        { parse: 'none', ...whepOperations.leave },
      )
      .get(session, ({ params }) => sessionIsThere(needs, params), whepOperations.check)
      .head(session, ({ params }) => sessionIsThere(needs, params), whepOperations.checkHead)
      .options(
        session,
        () => optionsResponse('PATCH, DELETE, GET, HEAD, OPTIONS', 'session'),
        whepOperations.sessionOptions,
      )
      .use(whepEventRoutes(needs, channels))
  )
}

async function sessionIsThere(needs: Dependencies, { id, session }: { id: string; session: string }) {
  await askSession(needs.system, id, 'viewer.check', { viewer: session })
  return noContent()
}

/** What has ended does not publish either (specification, "WHEP"). Asking again does not help: not soon. */
function notLiveAnyMore(error: unknown): never {
  if (!(error instanceof RefusedError) || error.refusal.code !== 'stream_ended') throw error
  throw new RefusedError(refuse('not_live', 'The stream has ended: it will not be live again.', 3600))
}
