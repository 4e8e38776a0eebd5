import type { ChartDescription, ChartTransition } from './chart-description.ts'
import { type LabelLine, labelOf } from './label.ts'

/** An arrow of the picture: all transitions that lead from one state to another. */
export interface ChartEdge {
  readonly id: string
  readonly source: string
  readonly target: string
  readonly label: readonly LabelLine[]
  /** The source holds the target: it is taken from whichever state inside is active. */
  readonly fromAnywhere: boolean
}

/** Whether `inner` is `outer` or lies in it. */
export function isWithin(inner: string, outer: string): boolean {
  return inner === outer || inner.startsWith(`${outer}.`)
}

/** The arrows of a chart's picture, in document order. */
export function chartEdges({ transitions, delays }: ChartDescription): readonly ChartEdge[] {
  const ends = transitions
    .filter(changesState)
    .flatMap((transition) => transition.targets.map((target) => ({ target, transition })))
  const groups = Map.groupBy(ends, ({ target, transition: { source } }) => `${source}→${target}`)
  return [...groups].flatMap(([id, group]) => {
    const [first] = group
    if (first === undefined) return []
    const { target, transition } = first
    const label = labelOf(
      group.map((end) => end.transition),
      delays,
    )
    const fromAnywhere = target !== transition.source && isWithin(target, transition.source)
    const place = { kind: 'place', text: `anywhere in ${transition.source.split('.').at(-1)}` } as const
    return [{ id, source: transition.source, target, label: fromAnywhere ? [[place], ...label] : label, fromAnywhere }]
  })
}

/** One that leads elsewhere; the others only answer, act, or start their own state anew. */
export function changesState({ source, targets }: ChartTransition): boolean {
  return targets.some((target) => target !== source)
}
