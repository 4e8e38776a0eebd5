import { type Static, Type } from '@sinclair/typebox'

/**
 * Every refusal that Footlight can answer: the one list of codes. The HTTP status stands
 * beside the code, so that a code means the same on every route and socket. `advice`: what to
 * do about it, wherever it comes from; a refusal's own `detail` knows the case.
 */
export const problems = {
  malformed_json: {
    status: 400,
    title: 'The body is not JSON',
    advice: 'Send valid JSON; the detail says at which line and column it breaks.',
  },
  sign_in_failed: {
    status: 400,
    title: 'The sign-in did not come to its end',
    advice: 'Begin again at /sign-in, in the same browser and within ten minutes.',
  },
  invalid_sdp: {
    status: 400,
    title: 'The body is not a usable SDP offer',
    advice: 'Send the SDP offer as the browser or the encoder made it: it begins with v=0.',
  },
  invalid_sdp_fragment: {
    status: 400,
    title: 'The body is not a usable SDP fragment',
    advice:
      'Send an SDP fragment (RFC 8840): a=ice-ufrag, a=ice-pwd and candidates. A session is not renegotiated: for other tracks start a new one.',
  },
  invalid_ticket: {
    status: 401,
    title: 'The publish ticket is not valid',
    advice:
      'The ticket is missing, mistyped, expired, revoked, replaced or another stream’s. Send Authorization: Bearer wpt_… with the newest one, or mint another.',
  },
  invalid_view_ticket: {
    status: 401,
    title: 'The view ticket is not valid',
    advice:
      'The ticket has expired, is another stream’s, or the right that it was given by was taken back. Ask for another at …/view-ticket.',
  },
  view_ticket_required: {
    status: 401,
    title: 'A view ticket is needed',
    advice: 'The stream is not public: ask for a view ticket at …/view-ticket and come with it.',
  },
  invalid_token: {
    status: 401,
    title: 'The access token is not valid',
    advice:
      'The token is unreadable, has expired, is for another audience, or nobody whom this server trusts signed it. Get a new one.',
  },
  sign_in_required: {
    status: 401,
    title: 'Sign in first',
    advice: 'Sign in at /sign-in, or send a service token that names the person.',
  },
  forbidden: {
    status: 403,
    title: 'Not yours to do',
    advice: 'You are known, and may not do this. Ask the owner of the stream, or come as somebody who may.',
  },
  'capability.denied': {
    status: 403,
    title: 'The token lacks the capability',
    advice: 'Ask the issuer for a token with the capability that the detail names.',
  },
  foreign_origin: {
    status: 403,
    title: 'The request comes from another site',
    advice:
      'A write that only the session cookie vouches for must come from this server’s own pages: send its Origin, or use a token.',
  },
  not_found: {
    status: 404,
    title: 'Not found',
    advice: 'Check the address. What you may not see is answered like what is not there.',
  },
  no_still: {
    status: 404,
    title: 'There is no still yet',
    advice: 'The desk has sent no picture yet. Ask again later.',
  },
  session_not_found: {
    status: 404,
    title: 'No such session',
    advice: 'The WHIP or WHEP session is over. Start a new one with a new offer.',
  },
  method_not_allowed: {
    status: 405,
    title: 'Method not allowed',
    advice: 'Use one of the methods that the Allow header lists.',
  },
  no_compatible_codecs: {
    status: 406,
    title: 'No codec in common',
    advice: 'Offer H264, VP8, VP9 or AV1, whichever the desk sends, and Opus.',
  },
  already_publishing: {
    status: 409,
    title: 'Already publishing',
    advice:
      'Another session publishes this stream. End it, or wait until its link is interrupted: then the next offer takes its place.',
  },
  'live.agent_stream_limit': {
    status: 409,
    title: 'Live stream limit reached',
    advice: 'The person has as many streams live as they may. End one of them first.',
  },
  not_live: {
    status: 409,
    title: 'The stream is not live',
    advice: 'The desk does not publish at the moment. Try again after the seconds in Retry-After.',
  },
  stream_ended: {
    status: 409,
    title: 'The stream has ended',
    advice: 'An end is final. Create another stream.',
  },
  curtain_up: {
    status: 409,
    title: 'The curtain is up',
    advice: 'No still goes in or out behind the curtain. Try again when it is down.',
  },
  curtain_too_soon: {
    status: 409,
    title: 'The curtain was raised a moment ago',
    advice: 'The desk lowers its curtain two seconds after it last raised it, not sooner. Try again after Retry-After.',
  },
  handle_taken: {
    status: 409,
    title: 'The handle is taken',
    advice: 'Choose another handle.',
  },
  wrong_order: {
    status: 409,
    title: 'Message out of order',
    advice: 'Join first, then consume, then connect; leave before you join again.',
  },
  link_used: {
    status: 410,
    title: 'The sign-in link was used or has expired',
    advice: 'Ask whoever runs the server for another link: footlight person link HANDLE.',
  },
  precondition_failed: {
    status: 412,
    title: 'The ICE session is another one now',
    advice: 'An ICE restart came between. Use the ETag of the newest answer, or restart ICE with If-Match: *.',
  },
  body_too_large: {
    status: 413,
    title: 'The body is too large',
    advice: 'Send less: 64 KiB of JSON or SDP, 200 KB of picture.',
  },
  unsupported_media_type: {
    status: 415,
    title: 'Unsupported content type',
    advice: 'Send the Content-Type that the call takes; a still must be a JPEG or WebP by its bytes.',
  },
  invalid_request: {
    status: 422,
    title: 'The request does not fit the schema',
    advice: 'Send what the contract says and nothing else; errors names each field that does not fit.',
  },
  unsupported_offer: {
    status: 422,
    title: 'The offer asks for what cannot be served',
    advice: 'Offer one audio and one video track at most, in the direction that the call is for.',
  },
  precondition_required: {
    status: 428,
    title: 'If-Match is missing',
    advice: 'Send If-Match with the ETag of the newest answer, or * to restart ICE.',
  },
  too_many_requests: {
    status: 429,
    title: 'Too many requests',
    advice: 'Wait for the seconds in Retry-After.',
  },
  internal: {
    status: 500,
    title: 'Something broke here',
    advice: 'It is not your fault, and it was noted. Try again in a moment.',
  },
  store_unavailable: {
    status: 503,
    title: 'The database does not answer',
    advice: 'Try again after the seconds in Retry-After. What was answered before is kept.',
  },
  issuer_unavailable: {
    status: 503,
    title: 'An issuer of tokens does not answer',
    advice: 'The keys that the token must be checked with cannot be fetched now. Try again after Retry-After.',
  },
  media_unavailable: {
    status: 503,
    title: 'No media worker is ready',
    advice: 'A media worker is starting. Try again after Retry-After.',
  },
  server_full: {
    status: 503,
    title: 'The server is full',
    advice: 'It carries as many viewers as it can now. Try again after Retry-After.',
  },
  ask_timeout: {
    status: 503,
    title: 'The stream did not answer in time',
    advice: 'Try again after Retry-After. Read the stream first: the change may have been made.',
  },
  stream_restarting: {
    status: 503,
    title: 'The stream is being restarted',
    advice: 'Try again after Retry-After.',
  },
  shutting_down: {
    status: 503,
    title: 'The server is stopping',
    advice: 'Try again after Retry-After, when the server is back.',
  },
} as const satisfies Record<string, { status: number; title: string; advice: string }>

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

/** A kind of problem, as `/problems/<code>` explains it: where the `type` of a problem leads. */
export const ProblemKind = Type.Object(
  {
    type: Type.String({ description: 'URI reference: /problems/<code>' }),
    code: Type.String(),
    status: Type.Integer({ description: 'the HTTP status that it comes with, everywhere' }),
    title: Type.String(),
    advice: Type.String({ description: 'what to do about it' }),
  },
  { $id: 'live.problem-kind@1' },
)
export type ProblemKind = Static<typeof ProblemKind>

/** `GET /problems`: every kind there is, by status. */
export const ProblemList = Type.Object({ problems: Type.Array(ProblemKind) }, { $id: 'live.problem-list@1' })
export type ProblemList = Static<typeof ProblemList>

/** The kind of problem that a code stands for. */
export function problemKind(code: ProblemCode): ProblemKind {
  return { type: `/problems/${code}`, code, ...problems[code] }
}

/** True when there is such a code. */
export function isProblemCode(code: string): code is ProblemCode {
  return Object.hasOwn(problems, code)
}

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
