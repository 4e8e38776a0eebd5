import { RefusedError, refuse } from '../contracts/problem.ts'

/** How every refusal for a worker that is slow, frozen or gone reads. `retryAfter` is in seconds. */
export function mediaUnavailable(): RefusedError {
  return new RefusedError(refuse('media_unavailable', 'The media worker did not answer. Try again in a moment.', 1))
}

/**
 * Waits for a request to a worker, but no longer than `ms`: mediasoup's channel has no
 * timeout of its own, so a frozen worker would hold its callers for ever.
 *
 * `undo` gets what arrives too late, so that nothing is left behind.
 * Rejects with `RefusedError` (`media_unavailable`) when time is up, and with whatever
 * `work` rejects with.
 */
export function within<T>(ms: number, work: Promise<T>, undo?: (late: T) => void): Promise<T> {
  return new Promise((resolve, reject) => {
    let late = false
    const timer = setTimeout(() => {
      late = true
      reject(mediaUnavailable())
    }, ms)
    work.then(
      (value) => {
        clearTimeout(timer)
        if (late) undo?.(value)
        else resolve(value)
      },
      (error: unknown) => {
        clearTimeout(timer)
        reject(error)
      },
    )
  })
}
