import type { Sighting } from '../../desk/probe/probe.ts'

/** What happened when, in epoch ms, as far as the check came. */
export interface CheckTimes {
  /** Between these the picture was only watched. */
  readonly steadyFrom: number
  readonly steadyUntil: number
  /** The curtain's `POST`: sent, answered, and the one that lowered it: sent. */
  readonly raiseSent: number
  readonly raiseAnswered: number
  readonly lowerSent: number
  /** When the server was started again after it was killed, and when it was ready. */
  readonly restarted: number
  readonly readyAgain: number
}

export interface CheckFigures {
  readonly frames_decoded: number
  readonly glass_to_glass_p50_ms: number | null
  readonly glass_to_glass_p95_ms: number | null
  readonly glass_to_glass_max_ms: number | null
  /** From the curtain's call to the last frame that was decoded before it was lowered. */
  readonly curtain_ms: number | null
  readonly frames_while_up: number | null
  readonly restart_to_ready_ms: number | null
  readonly restart_to_picture_ms: number | null
}

/** The curtain's deadline: what is decoded later than this after the call is a leak whatever it shows. */
const curtainDeadline = 1000
/** How long a frame may be on its way to a viewer; those are let through when the curtain is lowered. */
const inFlight = 250

/**
 * Works out the figures; `null` for what the check did not come to.
 *
 * A frame leaked when it was made after the server had confirmed the curtain and seen before the
 * curtain was lowered; or seen later than a second after the call; or made behind the curtain and
 * seen after, except for the last {@link inFlight} ms, which were on their way when it was lowered.
 */
export function workOut(sightings: readonly Sighting[], times: Partial<CheckTimes>): CheckFigures {
  const { steadyFrom, steadyUntil, raiseSent, raiseAnswered, lowerSent, restarted, readyAgain } = times
  const delays =
    steadyFrom === undefined || steadyUntil === undefined
      ? []
      : sightings
          .filter(({ at }) => at >= steadyFrom && at < steadyUntil)
          .map(({ at, shown }) => at - shown)
          .sort((a, b) => a - b)

  let curtain: Pick<CheckFigures, 'curtain_ms' | 'frames_while_up'> = { curtain_ms: null, frames_while_up: null }
  if (raiseSent !== undefined && raiseAnswered !== undefined && lowerSent !== undefined) {
    const seenBehind = sightings.filter(({ at }) => at >= raiseSent && at < lowerSent)
    curtain = {
      curtain_ms: Math.max(0, ...seenBehind.map(({ at }) => at - raiseSent)),
      frames_while_up: sightings.filter(
        ({ at, shown }) =>
          at >= raiseSent &&
          ((at < lowerSent && (shown > raiseAnswered || at > raiseSent + curtainDeadline)) ||
            (at >= lowerSent && shown > raiseAnswered && shown < lowerSent - inFlight)),
      ).length,
    }
  }

  const back = restarted === undefined ? undefined : sightings.find(({ shown }) => shown > restarted)
  return {
    frames_decoded: sightings.length,
    glass_to_glass_p50_ms: percentile(delays, 0.5),
    glass_to_glass_p95_ms: percentile(delays, 0.95),
    glass_to_glass_max_ms: percentile(delays, 1),
    ...curtain,
    restart_to_ready_ms: restarted === undefined || readyAgain === undefined ? null : readyAgain - restarted,
    restart_to_picture_ms: restarted === undefined || back === undefined ? null : back.at - restarted,
  }
}

/** Nearest rank; `null` of nothing. `sorted`: ascending. */
export function percentile(sorted: readonly number[], share: number): number | null {
  return sorted[Math.max(0, Math.ceil(sorted.length * share) - 1)] ?? null
}
