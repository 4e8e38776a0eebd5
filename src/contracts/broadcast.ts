import { type Static, Type } from '@sinclair/typebox'
import { AgentStream } from './agent-stream.ts'
import { idSchema } from './ids.ts'
import { literals } from './literals.ts'

/**
 * The protocol of `/ws/broadcast`, between our player and the server. Every message is one
 * JSON object. A client's request carries a number of its own, `id`, and gets exactly one
 * answer with the same `id`. See docs/broadcast-protocol.md.
 */

const RequestId = Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER })
/** mediasoup's own structures: checked by mediasoup itself, only bounded here. */
const Opaque = Type.Record(Type.String(), Type.Unknown())

export const JoinMessage = Type.Object(
  {
    type: Type.Literal('join'),
    id: RequestId,
    stream: idSchema('agentStream'),
    vt: Type.Optional(Type.String({ maxLength: 100 })),
    k: Type.Optional(Type.String({ maxLength: 100 })),
    resume: Type.Optional(Type.String({ maxLength: 100 })),
  },
  { additionalProperties: false },
)
export const ConsumeMessage = Type.Object(
  {
    type: Type.Literal('consume'),
    id: RequestId,
    media: Type.Integer({ minimum: 1 }),
    rtpCapabilities: Opaque,
  },
  { additionalProperties: false },
)
export const ConnectMessage = Type.Object(
  { type: Type.Literal('connect'), id: RequestId, media: Type.Integer({ minimum: 1 }), dtlsParameters: Opaque },
  { additionalProperties: false },
)
export const LeaveMessage = Type.Object({ type: Type.Literal('leave') }, { additionalProperties: false })

/** What a player may send. */
export const ClientMessage = Type.Union([JoinMessage, ConsumeMessage, ConnectMessage, LeaveMessage], {
  $id: 'live.broadcast-client-message@1',
})
export type ClientMessage = Static<typeof ClientMessage>

/** mediasoup-client's `RecvTransportOptions`, as plain JSON. */
export interface TransportOptions {
  readonly id: string
  readonly iceParameters: Record<string, unknown>
  readonly iceCandidates: readonly Record<string, unknown>[]
  readonly dtlsParameters: Record<string, unknown>
}

/** mediasoup-client's `ConsumerOptions`, as plain JSON. */
export interface ConsumerOptions {
  readonly id: string
  readonly producerId: string
  readonly kind: 'audio' | 'video'
  readonly rtpParameters: Record<string, unknown>
}

/**
 * What a player is shown of the stream: the resource, and `media`, which counts up with
 * each publication. A player that sees a new number asks to `consume` it; `null`: nothing
 * to consume now.
 */
export interface PlayerView {
  readonly stream: AgentStream
  readonly media: number | null
}

export type ServerMessage =
  | ({
      readonly type: 'joined'
      readonly id: number
      /** Names this viewer on a later `join { resume }`. Known to this player alone. */
      readonly viewer: string
      /** True when the viewer from before is still there, its media included. */
      readonly resumed: boolean
      readonly rtpCapabilities: Record<string, unknown>
    } & PlayerView)
  | ({ readonly type: 'stream' } & PlayerView)
  | {
      readonly type: 'consumed'
      readonly id: number
      readonly media: number
      readonly transport: TransportOptions
      readonly consumers: readonly ConsumerOptions[]
    }
  | { readonly type: 'connected'; readonly id: number }
  /** The server lost this viewer (its stream's actor or worker was restarted): join again. */
  | { readonly type: 'rejoin' }
  | { readonly type: 'problem'; readonly id?: number; readonly code: string; readonly detail: string }

const shown = {
  stream: AgentStream,
  media: Type.Union([Type.Integer({ minimum: 1 }), Type.Null()], { description: 'null: nothing to consume now' }),
}
const transportOptions = Type.Object({
  id: Type.String(),
  iceParameters: Opaque,
  iceCandidates: Type.Array(Opaque),
  dtlsParameters: Opaque,
})
const consumerOptions = Type.Object({
  id: Type.String(),
  producerId: Type.String(),
  kind: literals(['audio', 'video']),
  rtpParameters: Opaque,
})

/** What a player is sent: {@link ServerMessage} as others may read it. */
export const ServerMessageSchema = Type.Union(
  [
    Type.Object({
      type: Type.Literal('joined'),
      id: RequestId,
      viewer: Type.String({ description: 'names this viewer on a later join { resume }; a secret of this player' }),
      resumed: Type.Boolean({ description: 'the viewer from before is still there, its media included' }),
      rtpCapabilities: Opaque,
      ...shown,
    }),
    Type.Object({ type: Type.Literal('stream'), ...shown }),
    Type.Object({
      type: Type.Literal('consumed'),
      id: RequestId,
      media: Type.Integer({ minimum: 1 }),
      transport: transportOptions,
      consumers: Type.Array(consumerOptions),
    }),
    Type.Object({ type: Type.Literal('connected'), id: RequestId }),
    Type.Object({ type: Type.Literal('rejoin') }),
    Type.Object({
      type: Type.Literal('problem'),
      id: Type.Optional(RequestId),
      code: Type.String(),
      detail: Type.String(),
    }),
  ],
  { $id: 'live.broadcast-server-message@1' },
)

/** WebSocket close codes of ours (RFC 6455 section 7.4.2: 4000 to 4999 are private). */
export const closeCodes = {
  badMessage: 4000,
  viewTicketRequired: 4003,
  notFound: 4004,
  tooSlow: 4008,
} as const
