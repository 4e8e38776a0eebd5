import type { CurtainReason } from '../../contracts/curtain.ts'
import { type Refusal, refuse } from '../../contracts/problem.ts'
import type { Curtain, CurtainHolder, Millis } from '../ports/store.ts'

/** The desk's detectors must report clear this long before its curtain comes down. */
export const deskHoldTime = 2000

export const curtainDown: Curtain = { since: null, holds: {} }

export function isUp(curtain: Curtain): boolean {
  return Object.keys(curtain.holds).length > 0
}

/** The curtain after `by` raised it at `now`. Raising again renews the hold and its reason. */
export function raise(curtain: Curtain, by: CurtainHolder, reason: CurtainReason, now: Millis): Curtain {
  return { since: curtain.since ?? now, holds: { ...curtain.holds, [by]: { raisedAt: now, reason } } }
}

/**
 * The curtain after `by` lowered it: the desk and a moderator take back their own hold, the
 * owner takes back all. Others' holds stay, and the curtain with them.
 */
export function lower(curtain: Curtain, by: CurtainHolder): Curtain {
  if (by === 'owner') return curtainDown
  const { [by]: _own, ...holds } = curtain.holds
  return Object.keys(holds).length === 0 ? curtainDown : { since: curtain.since, holds }
}

/** Why `by` may not lower the curtain at `now`, or `null`. */
export function lowerRefusal(curtain: Curtain, by: CurtainHolder, now: Millis): Refusal | null {
  const hold = curtain.holds[by]
  if (by !== 'desk' || hold === undefined) return null
  const left = hold.raisedAt + deskHoldTime - now
  if (left <= 0) return null
  return refuse(
    'curtain_too_soon',
    'The desk may lower the curtain two seconds after it last raised it. Try again when the detectors are still clear.',
    Math.ceil(left / 1000),
  )
}
