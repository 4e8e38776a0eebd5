import type { TObject, TSchema } from '@sinclair/typebox'
import type { ProblemCode } from './problem.ts'

/** The parts of the API, in the order in which it is shown. */
export const areas = [
  { name: 'Streams', about: 'The stream, its publish ticket, what its desk reads, its curtain and its end.' },
  { name: 'Watching', about: 'Who may watch, view tickets, the unlisted link, sharing, stills, our player’s socket.' },
  { name: 'WHIP', about: 'The desk publishes with WebRTC (RFC 9725).' },
  { name: 'WHEP', about: 'Any player plays with WebRTC (draft-ietf-wish-whep-03).' },
  { name: 'Channels', about: 'The people who moderate a channel.' },
  { name: 'Signing in', about: 'The person’s session, and the keys of this server’s tokens.' },
  { name: 'Operator', about: 'What the command line asks of a running server, with the data folder’s own key.' },
  { name: 'The server', about: 'Its health, and what it says of itself.' },
] as const
export type Area = (typeof areas)[number]['name']

/** What a caller can present, and how. */
export const credentials = {
  session: {
    name: 'Session',
    about: 'The cookie of a person who signed in. A write with it must carry this server’s own Origin.',
  },
  service_token: {
    name: 'Service token',
    about:
      'A signed token (JWT) of an issuer that the server trusts, for its audience: Authorization: Bearer …. It names the person as its sub; a token of svc:… or node:… names them in X-OV-Subject.',
  },
  publish_ticket: {
    name: 'Publish ticket',
    about: 'The desk’s, of one stream: Authorization: Bearer wpt_…. Four hours, shown once.',
  },
  view_ticket: {
    name: 'View ticket',
    about: 'A viewer’s, of one stream: Authorization: Bearer wvt_…. Ten minutes, renewed to four hours at most.',
  },
  operator_token: {
    name: 'Operator’s token',
    about: 'A token that this server’s own key signed, with the capability footlight.operator.',
  },
} as const satisfies Record<string, { name: string; about: string }>
export type Credential = keyof typeof credentials

/** One answer of an operation. */
export interface Answer {
  readonly says: string
  /** The contract of its JSON body. */
  readonly contract?: TSchema
  /** The media types of a body that is not JSON of ours, or of one for people at the same address. */
  readonly types?: readonly string[]
  /** The headers that matter to a caller. */
  readonly headers?: readonly (keyof typeof headerMeanings)[]
}

export const headerMeanings = {
  Location: 'where the new thing stands',
  ETag: 'a strong entity tag',
  'Accept-Post': 'application/sdp',
  'Accept-Patch': 'application/trickle-ice-sdpfrag',
  Link: 'ICE servers (rel="ice-server") and extensions, a field each',
  Allow: 'the methods of this address',
  'Set-Cookie': 'the session, or its end',
} as const

/** A parameter that no schema of the route names. */
export interface Parameter {
  readonly name: string
  readonly in: 'query' | 'header'
  readonly says: string
}

/** What a route says of itself: for the OpenAPI document, `/docs` and the header that names its contract. */
export interface Operation {
  readonly area: Area
  /** Unique among all: `createAgentStream`. */
  readonly name: string
  readonly summary: string
  /** More of it, where the summary is not all. */
  readonly about?: string
  /** Who may call it, in one sentence. */
  readonly who: string
  /** What a caller may present; the first stands in the example. Empty: nothing is asked for. */
  readonly accepts: readonly Credential[]
  /** It works without any credential, too. */
  readonly open?: boolean
  readonly parameters?: readonly Parameter[]
  /** A body that is not JSON: its types, and the file of the example. */
  readonly sends?: { readonly types: readonly string[]; readonly file: string }
  /** By status. */
  readonly answers: Readonly<Record<number, Answer>>
  readonly refuses: readonly ProblemCode[]
}

/** An operation where it stands, with the schemas that the route validates by. */
export interface PlacedOperation extends Operation {
  /** `GET`; a WebSocket's opening is one, too. */
  readonly method: string
  /** `/api/streams/agent/:id` */
  readonly path: string
  readonly query: TObject | null
  readonly body: TSchema | null
}
