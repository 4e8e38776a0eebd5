import { Elysia } from 'elysia'
import { WhepEventsRequest, whepEvents, whepEventsRelation } from '../../contracts/whep-events.ts'
import type { Channels } from '../broadcast/channels.ts'
import type { Dependencies } from '../dependencies.ts'
import { goneResponse, openToAll, optionsResponse } from '../protocol/sdp-exchange.ts'
import { parseJson } from '../read-body.ts'
import { EventStreams } from './event-streams.ts'
import { whepOperations } from './whep-operations.ts'

const entry = '/whep/agent/:id/:session/events'
const stream = '/whep/agent/:id/:session/events/:events'

/** The `Link` field that tells a player of the events (RFC 9725 section 4.9 and the WHEP draft's of the same name). */
export function eventsLink(session: string): string {
  return `<${session}/events>; rel="${whepEventsRelation}"; events="${whepEvents.join(',')}"`
}

/** What happens to a WHEP session's stream, as server-sent events. The addresses are the permission. */
export function whepEventRoutes(needs: Dependencies, channels: Channels) {
  const { rateLimits } = needs
  const streams = new EventStreams(needs, channels)
  return new Elysia({ name: 'whep-events' })
    .post(
      entry,
      async ({ request, server, params: { id, session }, body }) => {
        await rateLimits.take('whep_session', rateLimits.addressKey(request, server))
        const made = await streams.open(id, session, body)
        const headers = { ...openToAll, Location: `/whep/agent/${id}/${session}/events/${made}` }
        return new Response(null, { status: 201, headers })
      },
      {
        parse: async ({ request }) => (await parseJson({ request })) ?? [...whepEvents],
        body: WhepEventsRequest,
        ...whepOperations.listen,
      },
    )
    .options(entry, () => optionsResponse('POST, OPTIONS', 'other'), whepOperations.listenOptions)
    .get(
      stream,
      ({ request, server, params: { session, events } }) => {
        const found = streams.find(session, events)
        // It is silent for longer than a connection may be idle.
        server?.timeout(request, 0)
        return new Response(found.read(), {
          headers: {
            ...openToAll,
            'Content-Type': 'text/event-stream',
            'Cache-Control': 'no-store',
            // For proxies that gather an answer before they pass it on.
            'X-Accel-Buffering': 'no',
          },
        })
      },
      whepOperations.events,
    )
    .delete(
      stream,
      async ({ request, server, params: { session, events } }) => {
        await rateLimits.take('whep_session', rateLimits.addressKey(request, server))
        streams.find(session, events).close()
        return goneResponse()
      },
      { parse: 'none', ...whepOperations.deafen },
    )
    .options(stream, () => optionsResponse('GET, DELETE, OPTIONS', 'other'), whepOperations.eventsOptions)
}
