import { Elysia } from 'elysia'
import type { ViewRight } from '../../actors/ports/view-right.ts'
import type { StreamFacts } from '../../actors/stream/stream-asks.ts'
import { type ProblemCode, RefusedError } from '../../contracts/problem.ts'
import { renderHomePage } from '../../web/pages/home-page.tsx'
import { renderNotFoundPage } from '../../web/pages/message-page.tsx'
import { pageHeaders } from '../../web/pages/page-headers.ts'
import { renderEmbedPage, renderWatchPage } from '../../web/pages/watch-page.tsx'
import { authorisedStream, type Caller } from '../access/authorised-stream.ts'
import { callerOf } from '../access/caller-of.ts'
import type { Dependencies } from '../dependencies.ts'
import { authenticate } from '../identity/authenticate.ts'
import { hashSecret } from '../identity/secret.ts'
import { streamResource } from '../streams/stream-resource.ts'
import { mintViewTicket } from '../viewing/view-tickets.ts'

/** The pages that people open, and the files that they load. */
export function pageRoutes(needs: Dependencies) {
  const { assets, origin, now } = needs
  return new Elysia({ name: 'pages' })
    .get('/', async ({ request }) => {
      const principal = await authenticate(needs, request)
      return page(renderHomePage({ assets, ...(principal.kind === 'person' ? { handle: principal.handle } : {}) }))
    })
    .get('/:at/agents/:id', async ({ request, params: { at, id } }) => {
      const seen = await view(request, id)
      if (seen === null || at.toLowerCase() !== `@${seen.facts.handle}`) return missing()
      return page(renderWatchPage({ ...(await shown(seen)), assets }))
    })
    .get('/embed/agent/:id', async ({ request, params: { id } }) => {
      const seen = await view(request, id)
      if (seen === null) return missing()
      return page(renderEmbedPage({ ...(await shown(seen)), assets }), needs.frameAncestors)
    })
    .get('/favicon.ico', ({ redirect }) => redirect(assets.paths['icon.svg'], 302))
    .get('/assets/:file', ({ request, params: { file } }) => {
      const asset = assets.files.get(`/assets/${file}`)
      if (asset === undefined) return missing()
      const headers = {
        'Content-Type': asset.type,
        'Cache-Control': 'public, max-age=31536000, immutable',
        'X-Content-Type-Options': 'nosniff',
        ETag: asset.etag,
        Vary: 'Accept-Encoding',
      }
      if (request.headers.get('if-none-match') === asset.etag) return new Response(null, { status: 304, headers })
      return /\bgzip\b/.test(request.headers.get('accept-encoding') ?? '')
        ? new Response(asset.gzip, { headers: { ...headers, 'Content-Encoding': 'gzip' } })
        : new Response(asset.body, { headers })
    })

  function page(html: string, frameAncestors: readonly string[] | null = null, status = 200): Response {
    // The embed may always be framed by our own pages.
    const ancestors = frameAncestors === null ? [] : ["'self'", ...frameAncestors]
    return new Response(html, { status, headers: pageHeaders({ origin: origin(), frameAncestors: ancestors }) })
  }

  function missing(): Response {
    return page(renderNotFoundPage({ assets }), null, 404)
  }

  /** What a page shows, and the view ticket that its player comes with, where one is needed. */
  async function shown({ facts, right, vt }: Seen) {
    const stream = streamResource(facts, origin(), now())
    const ticket = facts.visibility === 'public' ? null : (vt ?? (await mintViewTicket(needs, facts.id, right)).ticket)
    return { stream, handle: facts.handle, ...(ticket !== null && { vt: ticket }) }
  }

  /** `null`: there is no such stream, or it is not this caller's to see. */
  async function view(request: Request, id: string): Promise<Seen | null> {
    const vt = new URL(request.url).searchParams.get('vt')
    const ticket: Caller | null =
      vt === null ? null : { principal: { kind: 'viewer_ticket', hash: hashSecret(vt) }, linkKey: null }
    const byTicket = ticket === null ? null : await look(ticket, id)
    // A ticket that does not stand (a bookmark, an old embed) takes nothing from who opens the page.
    const seen = byTicket ?? (await look(await callerOf(needs, request).catch(nobody), id))
    return seen === null ? null : { ...seen, vt: byTicket === null ? null : vt }
  }

  async function look(caller: Caller | null, id: string) {
    if (caller === null) return null
    try {
      return await authorisedStream(needs, caller, 'view', id)
    } catch (error) {
      return nobody(error)
    }
  }
}

interface Seen {
  readonly facts: StreamFacts
  readonly right: ViewRight
  /** The view ticket in the page's address (`?vt=`). */
  readonly vt: string | null
}

/** On a page a ticket that does not stand and a stream that is not there look the same. */
const unseen: ReadonlySet<ProblemCode> = new Set([
  'not_found',
  'invalid_view_ticket',
  'invalid_ticket',
  'invalid_token',
])

/** Nobody whom the page is shown to; any other failure goes on. */
function nobody(error: unknown): null {
  if (error instanceof RefusedError && unseen.has(error.refusal.code)) return null
  throw error
}
