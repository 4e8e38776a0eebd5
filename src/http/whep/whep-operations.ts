import { linkKeyParameter } from '../access/link-key-parameter.ts'
import { described } from '../description/described.ts'
import { all, ofStreams, ofWriters } from '../description/refusals.ts'
import { preflight, sdp } from '../protocol/preflight-operation.ts'

/** What the WHEP routes say of themselves. */
export const whepOperations = {
  play: described({
    area: 'WHEP',
    name: 'whepPlay',
    summary: 'Play',
    about:
      'The offer in, the answer out. The offer is recvonly or sendrecv. The viewer counts as any other: the desk encodes for it, and the curtain holds its media.',
    who: 'Anybody for a public stream; else whoever has a view ticket.',
    accepts: ['view_ticket'],
    open: true,
    parameters: [linkKeyParameter],
    sends: { types: sdp, file: 'play.sdp' },
    answers: {
      201: { says: 'The SDP answer. Location is the session.', types: sdp, headers: ['Location', 'ETag'] },
    },
    refuses: all(ofWriters, ofStreams, [
      'view_ticket_required',
      'unsupported_media_type',
      'body_too_large',
      'invalid_sdp',
      'unsupported_offer',
      'no_compatible_codecs',
      'not_live',
      'too_many_requests',
      'media_unavailable',
    ]),
  }),
  options: described({ ...preflight, area: 'WHEP', name: 'whepOptions' }),
  leave: described({
    area: 'WHEP',
    name: 'whepEnd',
    summary: 'Stop playing',
    about: 'The session’s address is the permission: only its viewer was told. The stream goes on.',
    who: 'Whoever has the session’s address.',
    accepts: [],
    open: true,
    answers: { 200: { says: 'The viewer is gone.' } },
    refuses: ['session_not_found', 'ask_timeout', 'stream_restarting', 'store_unavailable', 'internal'],
  }),
  sessionOptions: described({ ...preflight, area: 'WHEP', name: 'whepSessionOptions' }),
} as const
