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

/**
 * Something that is done to the curtain and not yet kept. A raise holds at once; a lowering
 * when it is kept. `restore`: whether a lowering that failed was done is not known, so the
 * curtain is kept again as it is.
 */
export type CurtainMove =
  | {
      readonly type: 'raise'
      readonly ask: string
      readonly by: CurtainHolder
      readonly reason: CurtainReason
      readonly at: Millis
    }
  | { readonly type: 'lower'; readonly ask: string; readonly by: CurtainHolder }
  | { readonly type: 'restore' }

/** The curtain after the move, whole. */
export function moved(curtain: Curtain, move: CurtainMove): Curtain {
  switch (move.type) {
    case 'raise':
      return raise(curtain, move.by, move.reason, move.at)
    case 'lower':
      return lower(curtain, move.by)
    case 'restore':
      return curtain
  }
}

/** The curtain that holds now: what is kept, and what was raised since. */
export function holding(kept: Curtain, moves: readonly CurtainMove[]): Curtain {
  return moves.filter(({ type }) => type === 'raise').reduce(moved, kept)
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
