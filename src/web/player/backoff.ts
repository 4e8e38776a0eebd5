/** Doubling waits, in milliseconds. */
export interface BackoffRange {
  readonly first: number
  readonly most: number
}

/** Of the socket. */
export const socketBackoff: BackoffRange = { first: 250, most: 4000 }
/** Of a view ticket's renewal: several tries fit into the minutes that are left. */
export const ticketBackoff: BackoffRange = { first: 1000, most: 30_000 }

/** How long to wait before try number `attempt` (1, 2, …): doubling, with half of it left to `chance` (0 to 1). */
export function backoffMs(attempt: number, chance: number, { first, most } = socketBackoff): number {
  const whole = Math.min(most, first * 2 ** Math.max(0, attempt - 1))
  return Math.round(whole / 2 + (whole / 2) * chance)
}
