import type { Tally } from './tally.ts'

/** How a check came out: a row of the closing table. */
export interface CheckResult {
  readonly name: string
  readonly state: 'passed' | 'failed' | 'skipped'
  /** What there is to say beside it: counts, or why it failed or was skipped. */
  readonly note: string
  readonly milliseconds: number
  /** For groups of tests. */
  readonly tally?: Tally
}
