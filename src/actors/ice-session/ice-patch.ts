import { type Refusal, refuse } from '../../contracts/problem.ts'
import type { SdpFragment } from '../../contracts/sdp-fragment.ts'

/** What `If-Match` asks for (RFC 9110 section 13.1.1). */
export type Precondition =
  /** It is not there. */
  | { readonly type: 'none' }
  /** `*` */
  | { readonly type: 'any' }
  /** Strong entity tags, without their quotes. */
  | { readonly type: 'tags'; readonly tags: readonly string[] }

/** A `PATCH` of a WHIP or WHEP session, read. */
export interface IcePatch {
  readonly condition: Precondition
  readonly fragment: Pick<SdpFragment, 'ufrag' | 'pwd'>
}

/** What a patch is answered with: candidates were taken (`null`), or ICE was restarted. */
export type IcePatched = { readonly fragment: string; readonly tag: string } | null

/** What to do about a patch: pure. */
export type IceDecision =
  | { readonly do: 'refuse'; readonly refusal: Refusal }
  /** The candidates are valid. Being ICE-lite we make no use of them. */
  | { readonly do: 'take' }
  | { readonly do: 'restart' }

/**
 * Decides about a patch of the ICE session that `tag` names and whose client's username
 * fragment is `client` (RFC 9725 sections 4.3.1 to 4.3.3): another username fragment restarts
 * ICE, everything else brings candidates.
 */
export function decidePatch({ condition, fragment }: IcePatch, tag: string, client: string): IceDecision {
  if (condition.type === 'none') {
    return refusing('precondition_required', 'Send If-Match with the ETag of the newest answer, or * to restart ICE.')
  }
  const restarts = fragment.ufrag !== null && fragment.ufrag !== client
  if (!holds(condition, tag, restarts)) {
    return refusing(
      'precondition_failed',
      'If-Match names another ICE session than the one that is up. Use the newest ETag, or restart ICE with *.',
    )
  }
  if (!restarts) return { do: 'take' }
  return fragment.pwd === null
    ? refusing('invalid_sdp_fragment', 'A new a=ice-ufrag restarts ICE and needs a new a=ice-pwd. Send both.')
    : { do: 'restart' }
}

/** `"*"` in quotes is what the examples of RFC 9725 section 4.3.3 send for a restart. */
function holds(condition: Exclude<Precondition, { type: 'none' }>, tag: string, restarts: boolean): boolean {
  return condition.type === 'any' || condition.tags.includes(tag) || (restarts && condition.tags.includes('*'))
}

function refusing(code: Refusal['code'], detail: string): IceDecision {
  return { do: 'refuse', refusal: refuse(code, detail) }
}
