import { Elysia, ParseError, ValidationError } from 'elysia'
import { type Refusal, RefusedError, refuse, toProblem } from '../contracts/problem.ts'
import { sdpFragmentType } from '../contracts/sdp-fragment.ts'
import { renderMessagePage } from '../web/pages/message-page.tsx'
import { pageHeaders } from '../web/pages/page-headers.ts'
import { broadcastRoutes } from './broadcast/broadcast-routes.ts'
import { Channels } from './broadcast/channels.ts'
import { moderatorRoutes } from './channels/moderator-routes.ts'
import { contractRoutes } from './contracts/contract-routes.ts'
import type { Dependencies } from './dependencies.ts'
import { descriptionRoutes } from './description/description-routes.ts'
import type { DescribableRoute } from './description/placed-operations.ts'
import { healthRoutes } from './health/health-routes.ts'
import { signInRoutes } from './identity/sign-in-routes.ts'
import { methodsOf } from './methods-of.ts'
import { operatorRoutes } from './operator/operator-routes.ts'
import { pageRoutes } from './pages/page-routes.ts'
import { problemResponse } from './problem-response.ts'
import { openToAll } from './protocol/sdp-exchange.ts'
import { sharingRoutes } from './sharing/sharing-routes.ts'
import { stillRoutes } from './stills/still-routes.ts'
import { listRoutes } from './streams/list-routes.ts'
import { streamRoutes } from './streams/stream-routes.ts'
import { viewingRoutes } from './viewing/viewing-routes.ts'
import { whepRoutes } from './whep/whep-routes.ts'
import { whipRoutes } from './whip/whip-routes.ts'

/** The whole HTTP side. It is handed what it needs, and listens when it is told to. */
export function createApp(needs: Dependencies) {
  const channels = new Channels(needs)
  const app = new Elysia({
    // Unknown fields are refused, not dropped.
    normalize: false,
    websocket: {
      maxPayloadLength: 64 * 1024,
      idleTimeout: 30,
      sendPings: true,
      backpressureLimit: 1024 * 1024,
    },
  })
    .onError({ as: 'global' }, ({ error, code, request, path }) => {
      const refusal = refusalOf(error, code, request, path)
      const extra = refusal.allow === undefined ? {} : { headers: { Allow: refusal.allow } }
      const errors = error instanceof ValidationError ? { errors: fieldErrors(error) } : {}
      if (wantsPage(request, path)) return errorPage(refusal)
      const response = problemResponse(refusal, { ...extra, ...errors })
      if (/^\/wh[ie]p\//.test(path)) {
        for (const [name, value] of Object.entries(openToAll)) response.headers.set(name, value)
        // RFC 5789 section 2.2, and the same for POST: what would have been taken.
        if (response.status === 415 && request.method === 'PATCH') response.headers.set('Accept-Patch', sdpFragmentType)
        if (response.status === 415 && request.method === 'POST') response.headers.set('Accept-Post', 'application/sdp')
      }
      return response
    })
    .use(healthRoutes(needs))
    .use(contractRoutes())
    .use(descriptionRoutes(needs, (): readonly DescribableRoute[] => app.routes))
    .use(signInRoutes(needs))
    .use(operatorRoutes(needs))
    .use(streamRoutes(needs))
    .use(listRoutes(needs))
    .use(viewingRoutes(needs))
    .use(sharingRoutes(needs))
    .use(moderatorRoutes(needs))
    .use(stillRoutes(needs))
    .use(whipRoutes(needs))
    .use(whepRoutes(needs, channels))
    .use(broadcastRoutes(needs, channels))
    .use(pageRoutes(needs))
  return app

  function refusalOf(
    error: unknown,
    code: unknown,
    request: Request,
    path: string,
  ): Refusal & { readonly allow?: string } {
    if (error instanceof RefusedError) return error.refusal
    // Elysia wraps what a parser throws.
    if (error instanceof ParseError && error.cause instanceof RefusedError) return error.cause.refusal
    if (error instanceof ValidationError) {
      return error.type === 'params'
        ? refuse('not_found', 'There is nothing at this address.')
        : refuse('invalid_request', 'Send the fields that the contract names. The faults are listed in errors.')
    }
    if (code === 'NOT_FOUND') {
      const allow = methodsOf(app.routes, path)
      if (allow.length === 0) return refuse('not_found', 'There is nothing at this address.')
      const detail = `${request.method} is not for this address. It takes ${allow.join(', ')}.`
      return { ...refuse('method_not_allowed', detail), allow: allow.join(', ') }
    }
    needs.report(error)
    return refuse('internal', 'Something broke here, and it was noted. Try again in a moment.')
  }

  function errorPage(refusal: Refusal): Response {
    const { title, status } = toProblem(refusal)
    const html = renderMessagePage({ title, detail: refusal.detail, assets: needs.assets })
    return new Response(html, { status, headers: pageHeaders({ origin: needs.origin(), frameAncestors: [] }) })
  }
}

/** A person looks at the answer, not a program. */
function wantsPage(request: Request, path: string): boolean {
  const programs = /^\/(api|whip|whep|ws|healthz|readyz|\.well-known)(\/|$)/
  return !programs.test(path) && /\btext\/html\b/.test(request.headers.get('accept') ?? '')
}

/** Which fields do not fit, by JSON pointer. A missing body is the root's fault. */
function fieldErrors(error: ValidationError) {
  return error.all.map((fault) => ({
    path: 'path' in fault && typeof fault.path === 'string' ? fault.path : '',
    message: 'message' in fault && typeof fault.message === 'string' ? fault.message : 'does not fit',
  }))
}
