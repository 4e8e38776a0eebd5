/** What came out of many measurements, in ms. */
export interface Percentiles {
  readonly n: number
  readonly p50: number
  readonly p95: number
  readonly max: number
}

export function percentilesOf(times: readonly number[]): Percentiles {
  const sorted = [...times].sort((one, other) => one - other)
  // Nearest rank.
  const at = (share: number) => sorted[Math.max(0, Math.ceil(share * sorted.length) - 1)] ?? Number.NaN
  return { n: sorted.length, p50: at(0.5), p95: at(0.95), max: at(1) }
}
