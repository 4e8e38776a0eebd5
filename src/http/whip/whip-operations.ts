import { described } from '../description/described.ts'
import { all, ofStreams } from '../description/refusals.ts'
import { icePatch, ofPatches, preflight, sdp, sessionPreflight } from '../protocol/preflight-operation.ts'

/** Who publishes is known by the ticket alone: nobody's tokens or cookies are looked at. */
const ofServer = ['store_unavailable', 'internal'] as const
const desk = { area: 'WHIP', who: 'The desk.', accepts: ['publish_ticket'] } as const

/** What the WHIP routes say of themselves. */
export const whipOperations = {
  publish: described({
    ...desk,
    name: 'whipPublish',
    summary: 'Publish',
    about:
      'The offer in, the answer out, with all of the server’s candidates in it. The offer is sendonly or sendrecv, one audio and one video track at most. A session whose link is interrupted gives way to a new one with the ticket.',
    sends: { types: sdp, file: 'offer.sdp' },
    answers: {
      201: {
        says: 'The SDP answer. Location is the session.',
        types: sdp,
        headers: ['Location', 'ETag', 'Accept-Patch', 'Link'],
      },
    },
    refuses: all(ofServer, ofStreams, [
      'unsupported_media_type',
      'body_too_large',
      'invalid_sdp',
      'unsupported_offer',
      'no_compatible_codecs',
      'already_publishing',
      'live.agent_stream_limit',
      'stream_ended',
      'too_many_requests',
      'media_unavailable',
      'server_full',
    ]),
  }),
  endpointHead: described({
    area: 'WHIP',
    name: 'whipEndpointHead',
    summary: 'See that this is a WHIP endpoint, without an answer to read',
    who: 'Anybody.',
    accepts: [],
    open: true,
    answers: { 204: { says: 'It is.' } },
    refuses: [],
  }),
  endpoint: described({
    area: 'WHIP',
    name: 'whipEndpoint',
    summary: 'See that this is a WHIP endpoint',
    about: 'Says nothing of the stream, not even whether there is one.',
    who: 'Anybody.',
    accepts: [],
    open: true,
    answers: { 204: { says: 'It is.' } },
    refuses: [],
  }),
  options: described({ ...preflight, area: 'WHIP', name: 'whipOptions' }),
  patch: described({ ...desk, ...icePatch, name: 'whipPatch', refuses: all(ofServer, ofStreams, ofPatches) }),
  leave: described({
    ...desk,
    name: 'whipEnd',
    summary: 'End a publishing session',
    about: 'The stream is idle then; the ticket stays good. An If-Match is not looked at.',
    answers: { 200: { says: 'It is over.' } },
    refuses: all(ofServer, ofStreams, ['session_not_found', 'too_many_requests']),
  }),
  checkHead: described({
    ...desk,
    name: 'whipCheckHead',
    summary: 'See whether a publishing session is up, without an answer to read',
    answers: { 204: { says: 'It is.' } },
    refuses: all(ofServer, ofStreams, ['session_not_found']),
  }),
  check: described({
    ...desk,
    name: 'whipCheck',
    summary: 'See whether a publishing session is up',
    answers: { 204: { says: 'It is.' } },
    refuses: all(ofServer, ofStreams, ['session_not_found']),
  }),
  sessionOptions: described({ ...sessionPreflight, area: 'WHIP', name: 'whipSessionOptions' }),
} as const
