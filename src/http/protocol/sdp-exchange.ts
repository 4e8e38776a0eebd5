import { RefusedError, refuse } from '../../contracts/problem.ts'
import { sdpFragmentType } from '../../contracts/sdp-fragment.ts'
import { hasType, readText } from '../read-body.ts'

/** The headers that let pages of every origin use WHIP and WHEP: players sit on other people's pages. */
export const openToAll: Readonly<Record<string, string>> = {
  'Access-Control-Allow-Origin': '*',
  'Access-Control-Expose-Headers':
    'Location, ETag, Link, Accept-Post, Accept-Patch, Allow, Retry-After, WWW-Authenticate',
}

/** What stands at an address: where offers go, a session, or something of a session that takes other bodies. */
type Place = 'endpoint' | 'session' | 'other'

/** The answer to a preflight or a plain `OPTIONS`: needs no token (RFC 9725 section 4.2). */
export function optionsResponse(methods: string, place: Place): Response {
  return new Response(null, {
    status: 200,
    headers: {
      ...openToAll,
      ...(place === 'other' ? {} : { 'Accept-Post': 'application/sdp' }),
      ...(place === 'session' ? { 'Accept-Patch': sdpFragmentType } : {}),
      Allow: methods,
      'Access-Control-Allow-Methods': methods,
      'Access-Control-Allow-Headers': 'Authorization, Content-Type, If-Match',
      'Access-Control-Max-Age': '86400',
    },
  })
}

/** The answer to a `GET`: endpoint and session have no representation (RFC 9725 section 4.1). */
export function noContent(): Response {
  return new Response(null, { status: 204, headers: openToAll })
}

/** The answer to a `DELETE`: the session is gone (RFC 9725 section 4.2). */
export function goneResponse(): Response {
  return new Response(null, { status: 200, headers: openToAll })
}

/**
 * The offer of a WHIP or WHEP request.
 * @throws RefusedError `unsupported_media_type` or `body_too_large`
 */
export async function readOffer(request: Request): Promise<string> {
  if (!hasType(request.headers.get('content-type'), 'application/sdp')) {
    throw new RefusedError(refuse('unsupported_media_type', 'Send the SDP offer with Content-Type: application/sdp.'))
  }
  return await readText(request)
}

export interface NewSession {
  readonly answer: string
  /** The ICE session's tag (RFC 9725 section 4.3.1). */
  readonly tag: string
  /** An absolute path: some clients cannot resolve any other. */
  readonly location: string
  /** ICE servers and extensions (RFC 9725 sections 4.6 and 4.9), a header field each. */
  readonly links: readonly string[]
}

/** 201 with the answer: the session stands at `location` (RFC 9725 section 4.2). */
export function answerResponse({ answer, tag, location, links }: NewSession): Response {
  const headers = new Headers({
    ...openToAll,
    'Content-Type': 'application/sdp',
    Location: location,
    ETag: `"${tag}"`,
    'Accept-Patch': sdpFragmentType,
    'Cache-Control': 'no-store',
  })
  for (const link of links) headers.append('Link', link)
  return new Response(answer, { status: 201, headers })
}
