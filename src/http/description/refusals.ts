import type { ProblemCode } from '../../contracts/problem.ts'

/** The refusals that routes have in common, by what they come from. For what routes say of themselves. */

/** Finding out who reads. */
export const ofReaders = [
  'invalid_token',
  'forbidden',
  'capability.denied',
  'issuer_unavailable',
  'store_unavailable',
  'internal',
] as const
/** Finding out who writes. */
export const ofWriters = [...ofReaders, 'foreign_origin'] as const
/** Finding the stream, and whether the caller may know of it. */
export const ofStreams = [
  'not_found',
  'invalid_ticket',
  'invalid_view_ticket',
  'ask_timeout',
  'stream_restarting',
] as const
/** Acting as the owner. */
export const ofOwners = ['sign_in_required', 'forbidden', 'capability.denied'] as const
/** Reading a JSON body. */
export const ofBodies = ['malformed_json', 'body_too_large', 'unsupported_media_type', 'invalid_request'] as const

/** All of some lists, each code once. */
export function all(...lists: readonly (readonly ProblemCode[])[]): readonly ProblemCode[] {
  return [...new Set(lists.flat())]
}
