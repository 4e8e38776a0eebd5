import type { CheckResult, Outcome } from './check.ts'
import type { SuiteResult } from './suites.ts'

/** `failed   RFC 9725 section 4.3.2     PATCH without If-Match: 428. It answers 204.` */
export function resultLine({ outcome, section, says, why }: CheckResult): string {
  return `  ${outcome.padEnd(7)}  ${section.padEnd(38)}  ${says}${why === null ? '' : `. ${why}`}`
}

/** `WHIP: 44 passed, 1 failed, 2 skipped` */
export function summaryLine({ suite, results }: SuiteResult): string {
  const count = (outcome: Outcome) => results.filter((result) => result.outcome === outcome).length
  return `${suite}: ${count('passed')} passed, ${count('failed')} failed, ${count('skipped')} skipped`
}

/** True when nothing failed. */
export function conforms(suites: readonly SuiteResult[]): boolean {
  return suites.every(({ results }) => results.every(({ outcome }) => outcome !== 'failed'))
}

/** The whole report as JSON. */
export function jsonReport(suites: readonly SuiteResult[]): string {
  return JSON.stringify({ conforms: conforms(suites), suites }, null, 2)
}
