import { type FieldError, Problem, type Refusal, toProblem } from '../contracts/problem.ts'
import { describedBy } from './contracts/described-by.ts'

/** RFC 9457 problem details as a response, with `Retry-After` (RFC 9110 section 10.2.3) where there is one. */
export function problemResponse(
  refusal: Refusal,
  extra: { headers?: Record<string, string>; errors?: readonly FieldError[] } = {},
): Response {
  const problem = toProblem(refusal)
  const headers = new Headers({
    'Content-Type': 'application/problem+json',
    'Cache-Control': 'no-store',
    Link: describedBy(Problem).link,
  })
  const { retryAfter } = refusal
  const waits = problem.status === 503 || problem.status === 429
  if (retryAfter !== undefined || waits) headers.set('Retry-After', String(retryAfter ?? 1))
  if (problem.status === 401) headers.set('WWW-Authenticate', 'Bearer')
  for (const [name, value] of Object.entries(extra.headers ?? {})) headers.set(name, value)
  const body = extra.errors === undefined ? problem : { ...problem, errors: extra.errors }
  return new Response(JSON.stringify(body), { status: problem.status, headers })
}
