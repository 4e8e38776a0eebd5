import type { ChartState } from './chart-description.ts'
import type { LabelLine } from './label.ts'
import type { TextLine } from './state-text.ts'

/** Where everything of a chart's picture goes: px, from the top left of the whole. */
export interface ChartLayout {
  /** The machine's id. */
  readonly id: string
  readonly width: number
  readonly height: number
  /** Outermost first. */
  readonly states: readonly PlacedState[]
  readonly edges: readonly PlacedEdge[]
  readonly initials: readonly PlacedInitial[]
  /** Between regions that run side by side. */
  readonly separators: readonly Line[]
}

export interface Point {
  readonly x: number
  readonly y: number
}

export interface Rect extends Point {
  readonly width: number
  readonly height: number
}

export interface Line {
  readonly from: Point
  readonly to: Point
}

export interface PlacedState extends Rect {
  readonly id: string
  readonly kind: ChartState['kind']
  /** How many boxes it lies in: a region has none. */
  readonly depth: number
  /** One of the regions of a parallel state: has no border of its own. */
  readonly isRegion: boolean
  readonly text: readonly TextLine[]
}

export interface PlacedEdge {
  readonly id: string
  readonly source: string
  readonly target: string
  readonly points: readonly Point[]
  readonly label: PlacedLabel
  /** It begins at its label, which stands for any state of `source`. */
  readonly fromAnywhere: boolean
}

export interface PlacedLabel extends Rect {
  readonly lines: readonly LabelLine[]
}

/** The dot that points at the state in which `state` begins. */
export interface PlacedInitial {
  readonly state: string
  readonly center: Point
  readonly points: readonly Point[]
}
