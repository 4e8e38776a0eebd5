import { linkKeyParameter } from '../access/link-key-parameter.ts'
import { described } from '../description/described.ts'
import { all, ofBodies, ofStreams, ofWriters } from '../description/refusals.ts'
import {
  icePatch,
  ofPatches,
  otherPreflight,
  preflight,
  sdp,
  sessionPreflight,
} from '../protocol/preflight-operation.ts'

const anybody = { area: 'WHEP', who: 'Anybody.', accepts: [], open: true } as const
/** The address is the permission: only its viewer was told. */
const viewer = { area: 'WHEP', who: 'Whoever has the session’s address.', accepts: [], open: true } as const
const ofSessions = ['session_not_found', 'ask_timeout', 'stream_restarting', 'store_unavailable', 'internal'] as const

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
      201: {
        says: 'The SDP answer. Location is the session.',
        types: sdp,
        headers: ['Location', 'ETag', 'Accept-Patch', 'Link'],
      },
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
      'server_full',
    ]),
  }),
  endpoint: described({
    ...anybody,
    name: 'whepEndpoint',
    summary: 'See that this is a WHEP endpoint',
    about: 'Says nothing of the stream, not even whether there is one.',
    answers: { 204: { says: 'It is.' } },
    refuses: [],
  }),
  endpointHead: described({
    ...anybody,
    name: 'whepEndpointHead',
    summary: 'See that this is a WHEP endpoint, and what it takes',
    answers: { 200: { says: 'It is. Content-Type is that of an offer.', types: sdp } },
    refuses: [],
  }),
  patch: described({ ...viewer, ...icePatch, name: 'whepPatch', refuses: all(ofSessions, ofPatches) }),
  check: described({
    ...viewer,
    name: 'whepCheck',
    summary: 'See whether a playing session is up',
    answers: { 204: { says: 'It is.' } },
    refuses: ofSessions,
  }),
  checkHead: described({
    ...viewer,
    name: 'whepCheckHead',
    summary: 'See whether a playing session is up, without an answer to read',
    answers: { 204: { says: 'It is.' } },
    refuses: ofSessions,
  }),
  options: described({ ...preflight, area: 'WHEP', name: 'whepOptions' }),
  leave: described({
    ...viewer,
    name: 'whepEnd',
    summary: 'Stop playing',
    about: 'The session’s address is the permission: only its viewer was told. The stream goes on.',
    answers: { 200: { says: 'The viewer is gone.' } },
    refuses: all(ofSessions, ['too_many_requests']),
  }),
  sessionOptions: described({ ...sessionPreflight, area: 'WHEP', name: 'whepSessionOptions' }),
  listen: described({
    ...viewer,
    name: 'whepListen',
    summary: 'Ask for a playing session’s events',
    about:
      'A list of active, inactive, viewercount and reconnect; without a body, all of them. The 201 of the session says where to ask (Link, rel="urn:ietf:params:whep:ext:core:server-sent-events").',
    answers: { 201: { says: 'Location is the event stream.', headers: ['Location'] } },
    refuses: all(ofSessions, ofBodies, ['too_many_requests']),
  }),
  listenOptions: described({ ...otherPreflight, area: 'WHEP', name: 'whepListenOptions' }),
  events: described({
    ...viewer,
    name: 'whepEvents',
    summary: 'Read the events',
    about:
      'Server-sent events (EventSource): active and inactive for the curtain and the desk’s coming and going, viewercount, reconnect when the server stops. The stream ends with the session.',
    answers: { 200: { says: 'The events, as they come.', types: ['text/event-stream'] } },
    refuses: ['session_not_found'],
  }),
  deafen: described({
    ...viewer,
    name: 'whepEventsEnd',
    summary: 'End the event stream',
    answers: { 200: { says: 'It is over.' } },
    refuses: ['session_not_found', 'too_many_requests'],
  }),
  eventsOptions: described({ ...otherPreflight, area: 'WHEP', name: 'whepEventsOptions' }),
} as const
