import type { Target } from './target.ts'

/** One thing that a server must do, and where that is written. */
export interface Check {
  /** Unique within its suite: `patch-without-if-match`. */
  readonly id: string
  /** `RFC 9725 section 4.3.1` */
  readonly section: string
  /** In one line what must be so. */
  readonly says: string
  /**
   * Passes when it returns.
   * @throws Failed, Skipped; whatever else it throws counts as failed
   */
  readonly run: (target: Target) => Promise<void>
}

export type Outcome = 'passed' | 'failed' | 'skipped'

export interface CheckResult extends Omit<Check, 'run'> {
  readonly outcome: Outcome
  /** Why it failed or was skipped. */
  readonly why: string | null
}

/** The server does otherwise. The message says what it did. */
export class Failed extends Error {
  override readonly name = 'Failed'
}

/** The check says nothing about this server: the message says why. */
export class Skipped extends Error {
  override readonly name = 'Skipped'
}

/** @throws Failed unless it is so */
export function must(holds: boolean, otherwise: string): asserts holds {
  if (!holds) throw new Failed(otherwise)
}
