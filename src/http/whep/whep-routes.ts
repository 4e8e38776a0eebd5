import { Elysia } from 'elysia'
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
import { mustBeStream } from './whep-session.ts'

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
          const { answer, tag } = await system.ask(id, 'viewer.whep', { viewer, offer, right, admitted })
          const location = `/whep/agent/${id}/${viewer}`
          const links = [...iceServerLinks(iceServers, id, now()), eventsLink(location)]
          return answerResponse({ answer, tag, location, links })
        },
        { parse: 'none' },
      )
      .get(endpoint, noContent)
      // Players ask so whether they may send an offer here.
      .head(endpoint, () => new Response(null, { headers: { ...openToAll, 'Content-Type': 'application/sdp' } }))
      .options(endpoint, () => optionsResponse('POST, GET, HEAD, OPTIONS', 'endpoint'))
      .patch(
        session,
        async ({ request, server, params: { id, session } }) => {
          await rateLimits.take('whep_session', rateLimits.addressKey(request, server))
          mustBeStream(id)
          await system.ask(id, 'viewer.check', { viewer: session })
          const patch = await readPatch(request)
          return patchResponse(await system.ask(id, 'viewer.patch', { viewer: session, ...patch }))
        },
        { parse: 'none' },
      )
      .delete(
        session,
        async ({ request, server, params: { id, session } }) => {
          await rateLimits.take('whep_session', rateLimits.addressKey(request, server))
          mustBeStream(id)
          await system.ask(id, 'viewer.leave', { viewer: session })
          return goneResponse()
        },
        { parse: 'none' },
      )
      .get(session, ({ params }) => sessionIsThere(needs, params))
      .head(session, ({ params }) => sessionIsThere(needs, params))
      .options(session, () => optionsResponse('PATCH, DELETE, GET, HEAD, OPTIONS', 'session'))
      .use(whepEventRoutes(needs, channels))
  )
}

async function sessionIsThere(needs: Dependencies, { id, session }: { id: string; session: string }) {
  mustBeStream(id)
  await needs.system.ask(id, 'viewer.check', { viewer: session })
  return noContent()
}
