import { type Visibility, visibilities } from '../../contracts/agent-stream.ts'

/** A visibility that is decided and not yet kept. `insist`: it is tried until it is. */
export interface VisibilityMove {
  readonly to: Visibility
  readonly insist: boolean
}

/** Whether `one` shows the stream to fewer people than `other`. */
export function isNarrower(one: Visibility, other: Visibility): boolean {
  return visibilities.indexOf(one) < visibilities.indexOf(other)
}

/** The narrowest of what is kept and what was decided since: what may be shown now. */
export function showing(kept: Visibility, moves: readonly VisibilityMove[]): Visibility {
  return moves.reduce((narrowest, { to }) => (isNarrower(to, narrowest) ? to : narrowest), kept)
}
