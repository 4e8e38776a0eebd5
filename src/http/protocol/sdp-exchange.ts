import { RefusedError, refuse } from '../../contracts/problem.ts'
import { hasType, readText } from '../read-body.ts'

/** The headers that let pages of every origin use WHIP and WHEP: players sit on other people's pages. */
export const openToAll: Readonly<Record<string, string>> = {
  'Access-Control-Allow-Origin': '*',
  'Access-Control-Expose-Headers': 'Location, ETag, Link, Accept-Post, Retry-After',
}

/** The answer to a preflight or a plain `OPTIONS`: needs no token (RFC 9725 section 4.1). */
export function optionsResponse(methods: string): Response {
  return new Response(null, {
    status: 200,
    headers: {
      ...openToAll,
      'Accept-Post': 'application/sdp',
      Allow: methods,
      'Access-Control-Allow-Methods': methods,
      'Access-Control-Allow-Headers': 'Authorization, Content-Type, If-Match',
      'Access-Control-Max-Age': '86400',
    },
  })
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

/** 201 with the answer: the session stands at `location` (RFC 9725 section 4.2). */
export function answerResponse(answer: string, location: string): Response {
  return new Response(answer, {
    status: 201,
    headers: {
      ...openToAll,
      'Content-Type': 'application/sdp',
      Location: location,
      ETag: `"${crypto.randomUUID()}"`,
      'Cache-Control': 'no-store',
    },
  })
}
