import type { Operation } from '../../contracts/operation.ts'
import { sdpFragmentType } from '../../contracts/sdp-fragment.ts'

/** What every `OPTIONS` route of WHIP and WHEP says of itself. */
export const preflight = {
  summary: 'Ask what this address takes',
  about: 'Also the browsers’ preflight (CORS).',
  who: 'Anybody.',
  accepts: [],
  open: true,
  answers: { 200: { says: 'The methods, and the type of an offer.', headers: ['Allow', 'Accept-Post'] } },
  refuses: [],
} as const satisfies Partial<Operation>

/** `OPTIONS` of what takes no offer. */
export const otherPreflight = {
  ...preflight,
  answers: { 200: { says: 'The methods.', headers: ['Allow'] } },
} as const satisfies Partial<Operation>

/** `OPTIONS` of a session. */
export const sessionPreflight = {
  ...preflight,
  answers: {
    200: { says: 'The methods, and the type of a fragment.', headers: ['Allow', 'Accept-Post', 'Accept-Patch'] },
  },
} as const satisfies Partial<Operation>

/** `PATCH` of a session, whoever's. */
export const icePatch = {
  summary: 'Bring candidates, or restart ICE',
  about:
    'An SDP fragment (RFC 8840). If-Match has the newest ETag, or * for a restart; a fragment with a new a=ice-ufrag and a=ice-pwd restarts ICE. A restart that fails leaves the session as it was. Other tracks need another session.',
  parameters: [{ name: 'If-Match', in: 'header', says: 'The newest ETag, or * to restart ICE.' }],
  sends: { types: [sdpFragmentType], file: 'restart.sdpfrag' },
  answers: {
    200: { says: 'ICE is restarted: the server’s new half.', types: [sdpFragmentType], headers: ['ETag'] },
    204: { says: 'The candidates are taken.' },
  },
} as const satisfies Partial<Operation>

/** What every `PATCH` of a session refuses. */
export const ofPatches = [
  'session_not_found',
  'unsupported_media_type',
  'body_too_large',
  'invalid_sdp_fragment',
  'precondition_required',
  'precondition_failed',
  'too_many_requests',
  'media_unavailable',
] as const

export const sdp = ['application/sdp'] as const
