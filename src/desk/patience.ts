import type { Setback } from './setback.ts'

/** Why a desk is done. */
export interface DeskOutcome {
  readonly why: 'asked' | 'ended' | 'ticket_refused' | 'stream_limit' | 'refused' | 'browser'
  readonly sentence: string
}

export const firstWait = 250
/** A server that is down costs nothing to ask again, and its viewers wait for the desk. */
export const longestWaitUnreachable = 1000
export const longestWait = 2000
export const longestRetryAfter = 10_000

/** How long to wait before try number `tries` + 1. `tries` counts what failed in a row, from 1. */
export function waitAfter(setback: Setback | null, tries: number): number {
  const cap = setback?.kind === 'unreachable' ? longestWaitUnreachable : longestWait
  const wait = Math.min(firstWait * 2 ** Math.max(0, tries - 1), cap)
  if (setback?.kind !== 'refused' || setback.retryAfterMs === null) return wait
  // The server's own wish comes first where it is longer, except that 409 says "soon" by itself.
  if (setback.code === 'already_publishing') return wait
  return Math.max(wait, Math.min(setback.retryAfterMs, longestRetryAfter))
}

/** The outcome when no further try can help; `null` when the desk should try again. */
export function givesUp(setback: Setback): DeskOutcome | null {
  if (setback.kind === 'unreachable' || setback.kind === 'slow') return null
  if (setback.kind === 'broken') return { why: 'browser', sentence: setback.sentence }
  if (setback.code === 'already_publishing' || setback.status === 429 || setback.status >= 500) return null
  if (setback.code === 'live.agent_stream_limit') {
    return { why: 'stream_limit', sentence: `Another agent stream of this person is live: ${setback.sentence}` }
  }
  if (setback.code === 'stream_ended')
    return { why: 'ended', sentence: 'The stream has ended. Create a new one to go on air again.' }
  if (setback.status === 401) {
    return {
      why: 'ticket_refused',
      sentence:
        'The publish ticket is not good any more: it expired, was revoked, or the stream ended. Mint a new ticket or create a new stream.',
    }
  }
  return { why: 'refused', sentence: `The server refuses this desk: ${setback.sentence}` }
}

/** True when the server answered and does not know the session. */
export function sessionIsGone(setback: Setback): boolean {
  return setback.kind === 'refused' && (setback.status === 404 || setback.status === 410)
}
