import { type Static, Type } from '@sinclair/typebox'
import { idSchema } from './ids.ts'

/** What a handle looks like. The caller lower-cases it first. */
export const handlePattern = /^[a-z0-9][a-z0-9_-]{1,29}$/

/** `POST /api/operator/people`. */
export const NewPerson = Type.Object(
  { handle: Type.String({ pattern: handlePattern.source, description: 'lower case, without @' }) },
  { additionalProperties: false, $id: 'live.operator-person-create@1', examples: [{ handle: 'ada' }] },
)
export type NewPerson = Static<typeof NewPerson>

const person = { id: idSchema('person'), handle: Type.String(), channel: idSchema('channel') }

/** `GET /api/operator/people/<handle>`. */
export const KnownPerson = Type.Object(person, { $id: 'live.operator-person@1' })
export type KnownPerson = Static<typeof KnownPerson>

/** A person, with a sign-in link that works once, for fifteen minutes. Shown once. */
export const InvitedPerson = Type.Object(
  { ...person, sign_in_url: Type.String() },
  { $id: 'live.operator-invitation@1' },
)
export type InvitedPerson = Static<typeof InvitedPerson>
