import type { Weight } from './text-width.ts'

/** A kind of text in the picture: sizes in px. */
export interface TextStyle {
  readonly size: number
  readonly weight: Weight
  readonly lineHeight: number
}

/** What the layout reserves and the drawing fills: both read it here. */
export const measures = {
  title: { size: 14, weight: 600, lineHeight: 18 },
  note: { size: 11.5, weight: 400, lineHeight: 15 },
  label: { size: 11.5, weight: 500, lineHeight: 15 },
  /** Inside a state's box, around its text. */
  box: { padX: 14, padY: 9 },
  /** Around a label's text. */
  chip: { padX: 7, padY: 4, setOff: 5 },
  /** Inside a state with states, around those; `header` is below its own text. */
  nest: { pad: 16, header: 10 },
  initial: 10,
  /** Around the whole. */
  margin: 1,
} as const satisfies Record<string, TextStyle | Record<string, number> | number>
