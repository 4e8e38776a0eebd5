import { type Static, Type } from '@sinclair/typebox'
import { literals } from './literals.ts'

/** Why the desk raised the curtain. Kept for the owner; never told to a viewer. */
export const curtainReasons = ['password_field', 'secret_file', 'env_print', 'manual', 'site', 'detector'] as const
export const CurtainReason = literals(curtainReasons)
export type CurtainReason = (typeof curtainReasons)[number]

/** `POST …/curtain`. `reason` goes with `up: true` and defaults to `manual`. */
export const CurtainRequest = Type.Object(
  { up: Type.Boolean(), reason: Type.Optional(CurtainReason) },
  { additionalProperties: false, $id: 'live.agent-curtain-request@1', examples: [{ up: true, reason: 'manual' }] },
)
export type CurtainRequest = Static<typeof CurtainRequest>

/** What anybody may know of the curtain. */
export const CurtainView = Type.Object(
  {
    up: Type.Boolean(),
    since: Type.Optional(Type.String({ format: 'date-time' })),
  },
  { $id: 'live.agent-curtain@1' },
)
export type CurtainView = Static<typeof CurtainView>
