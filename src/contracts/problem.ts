import { type Static, Type } from '@sinclair/typebox'

/**
 * Every refusal that Footlight can answer: the one list of codes. The HTTP status stands
 * beside the code, so that a code means the same on every route and socket.
 */
export const problems = {
  malformed_json: { status: 400, title: 'The body is not JSON' },
  sign_in_failed: { status: 400, title: 'The sign-in did not come to its end' },
  invalid_sdp: { status: 400, title: 'The body is not a usable SDP offer' },
  invalid_ticket: { status: 401, title: 'The publish ticket is not valid' },
  invalid_view_ticket: { status: 401, title: 'The view ticket is not valid' },
  view_ticket_required: { status: 401, title: 'A view ticket is needed' },
  invalid_token: { status: 401, title: 'The access token is not valid' },
  sign_in_required: { status: 401, title: 'Sign in first' },
  forbidden: { status: 403, title: 'Not yours to do' },
  'capability.denied': { status: 403, title: 'The token lacks the capability' },
  foreign_origin: { status: 403, title: 'The request comes from another site' },
  not_found: { status: 404, title: 'Not found' },
  no_still: { status: 404, title: 'There is no still yet' },
  session_not_found: { status: 404, title: 'No such session' },
  method_not_allowed: { status: 405, title: 'Method not allowed' },
  no_compatible_codecs: { status: 406, title: 'No codec in common' },
  already_publishing: { status: 409, title: 'Already publishing' },
  'live.agent_stream_limit': { status: 409, title: 'Live stream limit reached' },
  not_live: { status: 409, title: 'The stream is not live' },
  stream_ended: { status: 409, title: 'The stream has ended' },
  curtain_up: { status: 409, title: 'The curtain is up' },
  curtain_too_soon: { status: 409, title: 'The curtain was raised a moment ago' },
  handle_taken: { status: 409, title: 'The handle is taken' },
  wrong_order: { status: 409, title: 'Message out of order' },
  link_used: { status: 410, title: 'The sign-in link was used or has expired' },
  body_too_large: { status: 413, title: 'The body is too large' },
  unsupported_media_type: { status: 415, title: 'Unsupported content type' },
  invalid_request: { status: 422, title: 'The request does not fit the schema' },
  unsupported_offer: { status: 422, title: 'The offer asks for what cannot be served' },
  too_many_requests: { status: 429, title: 'Too many requests' },
  internal: { status: 500, title: 'Something broke here' },
  store_unavailable: { status: 503, title: 'The database does not answer' },
  issuer_unavailable: { status: 503, title: 'An issuer of tokens does not answer' },
  media_unavailable: { status: 503, title: 'No media worker is ready' },
  ask_timeout: { status: 503, title: 'The stream did not answer in time' },
  stream_restarting: { status: 503, title: 'The stream is being restarted' },
  shutting_down: { status: 503, title: 'The server is stopping' },
} as const satisfies Record<string, { status: number; title: string }>

export type ProblemCode = keyof typeof problems

/** One field that a schema refused: a JSON pointer (RFC 6901) and a sentence. */
export const FieldError = Type.Object({ path: Type.String(), message: Type.String() })
export type FieldError = Static<typeof FieldError>

/** The body of every refusal: RFC 9457 problem details, plus `code`. */
export const Problem = Type.Object(
  {
    type: Type.String({ description: 'URI reference that names the problem, e.g. /problems/not_live' }),
    title: Type.String(),
    status: Type.Integer(),
    detail: Type.String({ description: 'what to do about it, in one sentence' }),
    code: Type.String(),
    errors: Type.Optional(Type.Array(FieldError)),
  },
  { $id: 'live.problem@1' },
)
export type Problem = Static<typeof Problem>

/**
 * A typed refusal as it travels between actors: plain data, so that an actor can answer
 * with it and a log can hold it. `retryAfter` is in seconds.
 */
export interface Refusal {
  readonly code: ProblemCode
  readonly detail: string
  readonly retryAfter?: number
}

/** A refusal on its way through promise code: ports reject with it, routes throw it. */
export class RefusedError extends Error {
  override readonly name = 'RefusedError'
  constructor(readonly refusal: Refusal) {
    super(refusal.detail)
  }
}

/** Builds a {@link Refusal}; the sentence must say what the caller can do. */
export function refuse(code: ProblemCode, detail: string, retryAfter?: number): Refusal {
  return retryAfter === undefined ? { code, detail } : { code, detail, retryAfter }
}

/** Renders a refusal as RFC 9457 problem details. */
export function toProblem(refusal: Refusal): Problem {
  const { status, title } = problems[refusal.code]
  return { type: `/problems/${refusal.code}`, title, status, detail: refusal.detail, code: refusal.code }
}
