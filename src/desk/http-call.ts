import { redact } from './redact.ts'
import { SetbackError } from './setback.ts'

export interface HttpCall {
  readonly method: string
  readonly url: string
  /** Sent as `Authorization: Bearer`. */
  readonly bearer?: string
  readonly body?: string | Uint8Array<ArrayBuffer>
  readonly contentType?: string
  /** Milliseconds until the call is given up. */
  readonly limit: number
}

export interface HttpAnswer {
  readonly text: string
  readonly headers: Headers
}

/**
 * One request to the server. Resolves for a 2xx answer; rejects with `SetbackError` for everything
 * else, and with nothing else.
 */
export async function httpCall(call: HttpCall): Promise<HttpAnswer> {
  const headers: Record<string, string> = {}
  if (call.bearer !== undefined) headers.authorization = `Bearer ${call.bearer}`
  if (call.contentType !== undefined) headers['content-type'] = call.contentType
  // Not the path: that of a WHIP session is for its desk alone.
  const where = `The server at ${new URL(call.url).origin}`
  let response: Response
  let text: string
  try {
    response = await fetch(call.url, {
      method: call.method,
      headers,
      signal: AbortSignal.timeout(call.limit),
      redirect: 'manual',
      // A connection that was kept open breaks with its server: a fresh one says what is so now.
      keepalive: false,
      ...(call.body === undefined ? {} : { body: call.body }),
    })
    text = await response.text()
  } catch (error) {
    if (error instanceof Error && error.name === 'TimeoutError') {
      throw new SetbackError({ kind: 'slow', sentence: `${where} did not answer within ${call.limit} ms.` })
    }
    throw new SetbackError({ kind: 'unreachable', sentence: `${where} cannot be reached.` })
  }
  if (response.ok) return { text, headers: response.headers }
  const { code, detail } = problemIn(text)
  const seconds = Number(response.headers.get('retry-after') ?? Number.NaN)
  throw new SetbackError({
    kind: 'refused',
    status: response.status,
    code,
    sentence: redact(detail === '' ? `${where} answered ${response.status}.` : detail),
    retryAfterMs: Number.isFinite(seconds) ? seconds * 1000 : null,
  })
}

function problemIn(text: string): { code: string; detail: string } {
  try {
    const body: unknown = JSON.parse(text)
    if (typeof body !== 'object' || body === null) return { code: '', detail: '' }
    const { code, detail } = body as Record<string, unknown>
    return { code: typeof code === 'string' ? code : '', detail: typeof detail === 'string' ? detail : '' }
  } catch {
    return { code: '', detail: '' }
  }
}

/** Parses an answer that must be JSON; `check` says whether it is what was asked for. */
export function answerAs<T>(answer: HttpAnswer, what: string, check: (body: Record<string, unknown>) => boolean): T {
  let body: unknown
  try {
    body = JSON.parse(answer.text)
  } catch {
    body = null
  }
  if (typeof body === 'object' && body !== null && check(body as Record<string, unknown>)) return body as T
  throw new SetbackError({ kind: 'broken', sentence: `The server's answer is not ${what}.` })
}
