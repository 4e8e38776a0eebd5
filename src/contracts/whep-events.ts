import { type Static, Type } from '@sinclair/typebox'
import { literals } from './literals.ts'

/** The extension of WHEP by which a player learns what happens (draft-ietf-wish-whep-01 section 4.9.1). */
export const whepEventsRelation = 'urn:ietf:params:whep:ext:core:server-sent-events'

/**
 * `active`, `inactive`: there is a picture, or none: the desk came or went, the curtain is down or up.
 * `viewercount`: `{"viewercount": 3}`. `reconnect`: the session is about to be lost; start another.
 */
export const whepEvents = ['active', 'inactive', 'viewercount', 'reconnect'] as const
export type WhepEvent = (typeof whepEvents)[number]

/** What is asked for of a WHEP session's events; without a body, all of them. */
export const WhepEventsRequest = Type.Array(literals(whepEvents), {
  $id: 'live.whep-events-request@1',
  minItems: 1,
  uniqueItems: true,
  examples: [['active', 'inactive']],
})
export type WhepEventsRequest = Static<typeof WhepEventsRequest>
