/**
 * Why something that the desk tried did not work, as plain data, so that the machine can choose
 * what to do and a status line can say it. Sentences never hold a ticket (see redact.ts).
 */
export type Setback =
  /** No connection: the server is down or the network is. */
  | { readonly kind: 'unreachable'; readonly sentence: string }
  /** No answer in time. Says nothing of whether the server is there. */
  | { readonly kind: 'slow'; readonly sentence: string }
  /** The server's refusal: a problem response (RFC 9457), or a bare status with `code` ''. */
  | {
      readonly kind: 'refused'
      readonly status: number
      readonly code: string
      readonly sentence: string
      readonly retryAfterMs: number | null
    }
  /** The browser's side failed. */
  | { readonly kind: 'broken'; readonly sentence: string }

/** A {@link Setback} on its way through promise code. */
export class SetbackError extends Error {
  override readonly name = 'SetbackError'
  constructor(readonly setback: Setback) {
    super(setback.sentence)
  }
}

/** The setback in whatever was thrown. */
export function setbackOf(error: unknown): Setback {
  if (error instanceof SetbackError) return error.setback
  return { kind: 'broken', sentence: error instanceof Error ? error.message : String(error) }
}
