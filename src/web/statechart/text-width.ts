/**
 * Advance widths of the ASCII characters from the space on, in thousandths of the font's size:
 * Helvetica's (public Adobe metrics), which most sans-serif faces are near.
 */
const widths = [
  278, 278, 355, 556, 556, 889, 667, 191, 333, 333, 389, 584, 278, 333, 278, 278, 556, 556, 556, 556, 556, 556, 556,
  556, 556, 556, 278, 278, 584, 584, 584, 556, 1015, 667, 667, 722, 722, 667, 611, 778, 722, 278, 500, 667, 556, 833,
  722, 778, 667, 778, 722, 667, 611, 722, 667, 944, 667, 667, 611, 278, 278, 278, 469, 556, 333, 556, 556, 500, 556,
  556, 278, 556, 556, 222, 222, 500, 222, 833, 556, 556, 556, 556, 333, 500, 278, 556, 500, 722, 500, 500, 500, 334,
  260, 334, 584,
]

/** Screen faces such as Inter, Segoe UI and San Francisco run a little wider, bold ones more so. */
const looseness = { 400: 1.05, 500: 1.07, 600: 1.12 } as const

export type Weight = keyof typeof looseness

/**
 * How wide a text is, in the unit of `size`. An estimate that is the same on every machine: the
 * picture is drawn with `textLength`, so that the viewer's own font fits it exactly.
 */
export function textWidth(text: string, size: number, weight: Weight = 400): number {
  const thousandths = [...text].reduce((sum, char) => sum + (widths[char.charCodeAt(0) - 32] ?? 600), 0)
  return Math.round(((thousandths * looseness[weight] * size) / 1000) * 10) / 10
}
