/** How a run of tests came out. */
export interface Tally {
  readonly passed: number
  readonly failed: number
  readonly skipped: number
}

export const nothing: Tally = { passed: 0, failed: 0, skipped: 0 }

export function add(one: Tally, other: Tally): Tally {
  return {
    passed: one.passed + other.passed,
    failed: one.failed + other.failed,
    skipped: one.skipped + other.skipped,
  }
}

/** `3 passed, 0 failed`, and `, 1 skipped` where there are such: the line that a machine may read. */
export function tallyLine({ passed, failed, skipped }: Tally): string {
  return `${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ''}`
}

/**
 * Reads the counts that `bun test` prints last; `undefined` when it did not come so far, as in a
 * crash. (Its JUnit report leaves out files that could not be loaded, which these counts have.)
 */
export function readSummary(output: string): Tally | undefined {
  const text = Bun.stripANSI(output)
  const begins = [...text.matchAll(/^ \d+ pass$/gm)].at(-1)?.index
  if (begins === undefined) return undefined
  const summary = text.slice(begins)
  if (!/^Ran \d+ tests? across/m.test(summary)) return undefined
  const count = (name: string) => Number(new RegExp(`^ (\\d+) ${name}$`, 'm').exec(summary)?.[1] ?? 0)
  return { passed: count('pass'), failed: count('fail'), skipped: count('skip') + count('todo') }
}
