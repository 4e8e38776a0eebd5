import { Elysia } from 'elysia'
import { RefusedError } from '../../contracts/problem.ts'
import { renderHomePage } from '../../web/pages/home-page.tsx'
import { renderNotFoundPage } from '../../web/pages/message-page.tsx'
import { pageHeaders } from '../../web/pages/page-headers.ts'
import { renderEmbedPage, renderWatchPage } from '../../web/pages/watch-page.tsx'
import { authorisedStream } from '../access/authorised-stream.ts'
import type { Principal } from '../access/principal.ts'
import type { Dependencies } from '../dependencies.ts'
import { authenticate } from '../identity/authenticate.ts'
import { streamResource } from '../streams/stream-resource.ts'

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
      const stream = streamResource(seen.facts, origin(), now())
      return page(renderWatchPage({ stream, handle: seen.facts.handle, assets }))
    })
    .get('/embed/agent/:id', async ({ request, params: { id } }) => {
      const seen = await view(request, id)
      if (seen === null) return missing()
      const stream = streamResource(seen.facts, origin(), now())
      return page(renderEmbedPage({ stream, handle: seen.facts.handle, assets }), needs.frameAncestors)
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

  /** `null`: there is no such stream, or it is not this caller's to see. */
  async function view(request: Request, id: string) {
    try {
      const principal: Principal = await authenticate(needs, request)
      return { principal, facts: await authorisedStream(needs, principal, 'view', id) }
    } catch (error) {
      if (error instanceof RefusedError && error.refusal.code === 'not_found') return null
      throw error
    }
  }
}
