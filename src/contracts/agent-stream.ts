import { type Static, Type } from '@sinclair/typebox'
import { CurtainView } from './curtain.ts'
import { idSchema } from './ids.ts'
import { literals } from './literals.ts'

export const visibilities = ['private', 'unlisted', 'public'] as const
export const Visibility = literals(visibilities)
export type Visibility = (typeof visibilities)[number]

export const streamStates = ['idle', 'live', 'ended'] as const
export const StreamState = literals(streamStates)
export type StreamState = (typeof streamStates)[number]

/** How the desk's media arrives while live; `null` when the stream is not live. */
export const linkStates = ['connecting', 'flowing', 'interrupted'] as const
export type LinkState = (typeof linkStates)[number]

export const taskSources = ['codes', 'actor', 'desk', 'node'] as const

/** What the agent is doing, and where. */
export const Task = Type.Object(
  {
    source: literals(taskSources),
    ref: Type.String({ minLength: 1, maxLength: 200 }),
    title: Type.String({ minLength: 1, maxLength: 200 }),
    url: Type.Optional(Type.String({ pattern: '^https?://[^\\s]+$', maxLength: 2000 })),
  },
  { additionalProperties: false },
)
export type Task = Static<typeof Task>

const Time = Type.String({ format: 'date-time', description: 'RFC 3339, UTC' })

/** `live.agent-stream@1`: the resource as routes and sockets show it to whoever may view it. */
export const AgentStream = Type.Object(
  {
    id: idSchema('agentStream'),
    kind: Type.Literal('agent'),
    owner: idSchema('person'),
    channel: idSchema('channel'),
    task: Task,
    visibility: Visibility,
    mode: Type.Literal('watch'),
    state: StreamState,
    curtain: CurtainView,
    label: Type.Literal('AI agent'),
    viewers: Type.Integer({ minimum: 0 }),
    link: Type.Union([literals(linkStates), Type.Null()]),
    worked_seconds: Type.Integer({ minimum: 0 }),
    created_at: Time,
    started_at: Type.Union([Time, Type.Null()]),
    ended_at: Type.Union([Time, Type.Null()]),
    ended_why: Type.Union([Type.String(), Type.Null()]),
    page_url: Type.String(),
    embed_url: Type.String(),
    whep_url: Type.String({ description: 'playback: for any WHEP player' }),
    still_url: Type.Union([Type.String(), Type.Null()], { description: 'the last still; null behind the curtain' }),
  },
  { $id: 'live.agent-stream@1' },
)
export type AgentStream = Static<typeof AgentStream>

/** `GET /api/streams/agent`: newest first. `more`: ask on with `before` the last id. */
export const AgentStreamList = Type.Object(
  { streams: Type.Array(AgentStream), more: Type.Boolean() },
  { $id: 'live.agent-stream-list@1' },
)
export type AgentStreamList = Static<typeof AgentStreamList>

/** `POST /api/streams/agent`. Only `task` must be there; a stream starts private. */
export const CreateAgentStream = Type.Object(
  { task: Task, visibility: Type.Optional(Visibility) },
  {
    additionalProperties: false,
    $id: 'live.agent-stream-create@1',
    examples: [{ task: { source: 'desk', ref: 'job-7', title: 'Fix the checkout total' }, visibility: 'unlisted' }],
  },
)
export type CreateAgentStream = Static<typeof CreateAgentStream>

/** The publish ticket as it is shown, once. */
export const PublishGrant = Type.Object(
  {
    whip_url: Type.String(),
    ticket: Type.String({ description: 'wpt_…, shown once; only its SHA-256 is kept' }),
    expires_at: Time,
  },
  { $id: 'live.agent-publish-grant@1' },
)
export type PublishGrant = Static<typeof PublishGrant>

/** `link`: for an unlisted stream, the address that opens it, shown once. */
export const CreatedAgentStream = Type.Object(
  {
    stream: AgentStream,
    publish: PublishGrant,
    link: Type.Optional(Type.Object({ url: Type.String() })),
  },
  { $id: 'live.agent-stream-created@1' },
)
export type CreatedAgentStream = Static<typeof CreatedAgentStream>

/** `GET …/state`: what the desk polls, every ten seconds. */
export const DeskState = Type.Object(
  {
    viewers: Type.Integer({ minimum: 0 }),
    encode: Type.Boolean(),
    curtain: CurtainView,
    ends_at: Type.Union([Time, Type.Null()]),
  },
  { $id: 'live.agent-desk-state@1' },
)
export type DeskState = Static<typeof DeskState>
