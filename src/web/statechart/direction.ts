import type { ChartState } from './chart-description.ts'

/** Which way a state's own states follow each other. */
export type Direction = 'RIGHT' | 'DOWN'

/**
 * Few plain states go in a row, like a sentence, and states that hold others one below the other.
 * So do regions: as they do not lead to each other, a layout to the right stacks them.
 */
export function directionOf({ kind, states }: ChartState): Direction {
  if (kind === 'parallel') return 'RIGHT'
  return states.length <= 4 && states.every((child) => child.states.length === 0) ? 'RIGHT' : 'DOWN'
}
