import { type Static, Type } from '@sinclair/typebox'
import { Visibility } from './agent-stream.ts'
import { idSchema } from './ids.ts'

const Time = Type.String({ format: 'date-time', description: 'RFC 3339, UTC' })

/** `PATCH /api/streams/agent/<id>`. */
export const UpdateAgentStream = Type.Object(
  { visibility: Visibility },
  { additionalProperties: false, $id: 'live.agent-stream-update@1', examples: [{ visibility: 'public' }] },
)
export type UpdateAgentStream = Static<typeof UpdateAgentStream>

/**
 * `POST …/view-ticket`. `k`: the key of an unlisted stream's link. `renew`: a view ticket
 * that is to live longer. Neither: by the caller's own right.
 */
export const ViewTicketRequest = Type.Object(
  {
    k: Type.Optional(Type.String({ pattern: '^[A-Za-z0-9_-]{22}$' })),
    renew: Type.Optional(Type.String({ pattern: '^wvt_[A-Za-z0-9_-]{43}$' })),
  },
  { additionalProperties: false, $id: 'live.agent-view-ticket-request@1', examples: [{}] },
)
export type ViewTicketRequest = Static<typeof ViewTicketRequest>

/** A view ticket: ten minutes, renewed to four hours at most from the first mint. */
export const ViewTicketGrant = Type.Object(
  { ticket: Type.String(), expires_at: Time, renewable_until: Time },
  { $id: 'live.agent-view-ticket@1' },
)
export type ViewTicketGrant = Static<typeof ViewTicketGrant>

/** `POST …/rotate-link`: the new link, shown once. */
export const StreamLink = Type.Object({ url: Type.String() }, { $id: 'live.agent-stream-link@1' })
export type StreamLink = Static<typeof StreamLink>

const handle = Type.String({ pattern: '^@?[A-Za-z0-9][A-Za-z0-9_-]{1,29}$', description: 'with or without @' })

/** `PUT …/share` and `PUT …/moderators`: a person by handle. */
export const NamedPerson = Type.Object(
  { handle },
  {
    additionalProperties: false,
    $id: 'live.named-person@1',
    examples: [{ handle: '@bob' }],
  },
)
export type NamedPerson = Static<typeof NamedPerson>

const listed = Type.Object({ person: idSchema('person'), handle: Type.String(), since: Time })

/** Whom a stream is shared with, or who moderates a channel. */
export const PeopleList = Type.Object({ people: Type.Array(listed) }, { $id: 'live.people-list@1' })
export type PeopleList = Static<typeof PeopleList>

/** What the owner alone sees of the curtain: who holds it and why. */
export const CurtainHolds = Type.Object(
  {
    holds: Type.Array(
      Type.Object({
        by: Type.Union([Type.Literal('desk'), Type.Literal('moderator'), Type.Literal('owner')]),
        reason: Type.String(),
        raised_at: Time,
      }),
    ),
  },
  { $id: 'live.agent-curtain-holds@1' },
)
export type CurtainHolds = Static<typeof CurtainHolds>
