const units = [
  [3_600_000, 'h'],
  [60_000, 'min'],
  [1000, 's'],
] as const

/** `15 s`, `250 ms`, `3 h`: in the largest unit that divides it. */
export function duration(ms: number): string {
  const [size, unit] = units.find(([size]) => ms >= size && ms % size === 0) ?? [1, 'ms']
  return `${ms / size} ${unit}`
}
