import type { IcePatch, IcePatched } from '../../actors/ice-session/ice-patch.ts'
import { RefusedError, refuse } from '../../contracts/problem.ts'
import { readSdpFragment, sdpFragmentType } from '../../contracts/sdp-fragment.ts'
import { hasType, readText } from '../read-body.ts'
import { readIfMatch } from './if-match.ts'
import { openToAll } from './sdp-exchange.ts'

/**
 * The `PATCH` of a WHIP or WHEP session (RFC 9725 section 4.3.1).
 * @throws RefusedError `unsupported_media_type`, `body_too_large` or `invalid_sdp_fragment`
 */
export async function readPatch(request: Request): Promise<IcePatch> {
  const type = request.headers.get('content-type')
  if (hasType(type, 'application/sdp')) {
    throw new RefusedError(
      refuse(
        'unsupported_media_type',
        `A session is not renegotiated: tracks cannot be added or taken away. End it and start another with all its tracks. PATCH takes ${sdpFragmentType} alone.`,
      ),
    )
  }
  if (!hasType(type, sdpFragmentType)) {
    throw new RefusedError(
      refuse('unsupported_media_type', `Send the SDP fragment with Content-Type: ${sdpFragmentType}.`),
    )
  }
  const { ufrag, pwd } = readSdpFragment(await readText(request))
  return { condition: readIfMatch(request.headers.get('if-match')), fragment: { ufrag, pwd } }
}

/** 204 for candidates that were taken (section 4.3.2), 200 with our new half for a restart (section 4.3.3). */
export function patchResponse(patched: IcePatched): Response {
  if (patched === null) return new Response(null, { status: 204, headers: openToAll })
  const { fragment, tag } = patched
  return new Response(fragment, {
    status: 200,
    headers: { ...openToAll, 'Content-Type': sdpFragmentType, ETag: `"${tag}"`, 'Cache-Control': 'no-store' },
  })
}
