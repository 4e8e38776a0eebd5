import { type Refusal, RefusedError, refuse } from '../../contracts/problem.ts'

/** The refusal that a failed effect carries, or a general one for the port that failed. */
export function refusalOfError(error: unknown, port: 'media' | 'store'): Refusal {
  if (error instanceof RefusedError) return error.refusal
  return port === 'media'
    ? refuse('media_unavailable', 'The media worker could not do it. Try again in a moment.', 1)
    : refuse('store_unavailable', 'The change could not be kept. Try again in a moment.', 1)
}
