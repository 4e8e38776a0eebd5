import { Elysia } from 'elysia'
import packageJson from '../../../package.json' with { type: 'json' }
import type { PlacedOperation } from '../../contracts/operation.ts'
import {
  isProblemCode,
  type ProblemCode,
  type ProblemKind,
  type ProblemList,
  problemKind,
  problems,
  RefusedError,
  refuse,
} from '../../contracts/problem.ts'
import { renderApiPage } from '../../web/pages/api-page.tsx'
import { pageHeaders } from '../../web/pages/page-headers.ts'
import { renderProblemPage } from '../../web/pages/problem-page.tsx'
import type { Dependencies } from '../dependencies.ts'
import { sessionCookieName } from '../identity/session-cookie.ts'
import { descriptionOperations } from './description-operations.ts'
import { openApiDocument } from './openapi-document.ts'
import { type DescribableRoute, placedOperations } from './placed-operations.ts'

const { version } = packageJson
/** The schema of OpenAPI documents. */
const openApiSchema = 'https://spec.openapis.org/oas/3.1/schema/2022-10-07'

/**
 * What the API says of itself: `/openapi.json` for programs, `/docs` for people, and
 * `/problems/<code>`, where the `type` of a problem leads.
 * @param routes all there are, asked for when they are complete
 */
export function descriptionRoutes(
  { assets, origin }: Pick<Dependencies, 'assets' | 'origin'>,
  routes: () => readonly DescribableRoute[],
) {
  let known: readonly PlacedOperation[] | null = null
  const operations = () => {
    known ??= placedOperations(routes())
    return known
  }
  return new Elysia({ name: 'description' })
    .get(
      '/openapi.json',
      () => {
        const input = { operations: operations(), version, origin: origin(), sessionCookie: sessionCookieName }
        const headers = { 'Cache-Control': 'no-cache', Link: `<${openApiSchema}>; rel="describedby"` }
        return Response.json(openApiDocument(input), { headers })
      },
      descriptionOperations.openapi,
    )
    .get('/docs', () => page(renderApiPage({ operations: operations(), version, origin: origin(), assets })))
    .get(
      '/problems',
      (): ProblemList => ({ problems: (Object.keys(problems) as ProblemCode[]).map(problemKind) }),
      descriptionOperations.problems,
    )
    .get(
      '/problems/:code',
      ({ request, params: { code }, set }): ProblemKind | Response => {
        if (!isProblemCode(code)) {
          throw new RefusedError(refuse('not_found', 'There is no such problem code. /problems lists them.'))
        }
        set.headers.vary = 'Accept'
        const wantsPage = /\btext\/html\b/.test(request.headers.get('accept') ?? '')
        return wantsPage ? page(renderProblemPage({ problem: problemKind(code), assets })) : problemKind(code)
      },
      descriptionOperations.problem,
    )

  function page(html: string): Response {
    return new Response(html, { headers: pageHeaders({ origin: origin(), frameAncestors: [] }) })
  }
}
