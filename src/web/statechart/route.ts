import type { ChartState } from './chart-description.ts'
import { type ChartEdge, isWithin } from './chart-edges.ts'
import { directionOf } from './direction.ts'

export type Side = 'NORTH' | 'EAST' | 'SOUTH' | 'WEST'

/** Where an arrow meets the border of a state that holds others. */
export interface EdgePort {
  readonly id: string
  readonly state: string
  readonly side: Side
  /** It goes on inside; else the state itself is the arrow's source or target. */
  readonly crosses: boolean
}

/** One piece of an arrow's way, inside one state. `from` and `to` are ids of ports or of plain states. */
export interface Segment {
  readonly id: string
  readonly container: string
  readonly from: string
  readonly to: string
}

/** An arrow's way, cut at the borders that it crosses. */
export interface EdgeRoute {
  readonly edge: ChartEdge
  /** The innermost state that holds all of it. */
  readonly container: string
  /** Where it begins: also the id of the label's node for one from anywhere. */
  readonly from: string
  readonly ports: readonly EdgePort[]
  readonly segments: readonly Segment[]
  /** The piece with the label; `null`: it begins at its label. */
  readonly labelled: Segment | null
}

export type States = ReadonlyMap<string, ChartState>

/** Cuts an arrow at the borders between its source and its target, and says on which side it meets each. */
export function routeOf(edge: ChartEdge, states: States): EdgeRoute {
  const target = targetOf(edge, states)
  const container = edge.fromAnywhere
    ? anywhereContainer(edge.source, target, states)
    : commonParent(edge.source, target)
  const out = edge.fromAnywhere ? [] : chain(edge.source, container).toReversed()
  const into = chain(target, container)
  const sides = sidesOf(edge, states.get(container))
  const stop = (state: string, side: Side, beside: Side): EdgePort | string => {
    if ((states.get(state)?.states.length ?? 0) === 0) return state
    const crosses = state !== edge.source && state !== target
    return { id: `port:${edge.id}:${state}`, state, side: goesBeside(state, crosses, states) ? beside : side, crosses }
  }
  const intoRegion = states.get(container)?.kind === 'parallel' ? 'EAST' : 'WEST'
  const stops = [
    ...(edge.fromAnywhere ? [`anywhere:${edge.id}`] : out.map((state) => stop(state, sides.out, 'EAST'))),
    ...into.map((state, index) => stop(state, sides.into, index === 0 ? intoRegion : 'WEST')),
  ]
  const ids = stops.map((each) => (typeof each === 'string' ? each : each.id))
  const containers = [...out.slice(1), container, ...into.slice(0, -1)]
  const segments = containers.map((within, index) => ({
    id: `segment:${edge.id}:${index}`,
    container: within,
    from: ids[index] ?? '',
    to: ids[index + 1] ?? '',
  }))
  return {
    edge,
    container,
    from: ids[0] ?? '',
    ports: stops.filter((each) => typeof each !== 'string'),
    segments,
    labelled: edge.fromAnywhere ? null : (segments[Math.max(0, out.length - 1)] ?? null),
  }
}

/** An arrow back goes the shortest way, too: from the side that faces its target. */
function sidesOf(edge: ChartEdge, around: ChartState | undefined): { out: Side; into: Side } {
  const down = around === undefined || directionOf(around) === 'DOWN'
  const place = (inner: string) => around?.states.findIndex(({ id }) => isWithin(inner, id)) ?? 0
  const back = !edge.fromAnywhere && place(edge.source) > place(edge.target)
  if (down) return back ? { out: 'NORTH', into: 'SOUTH' } : { out: 'SOUTH', into: 'NORTH' }
  return back ? { out: 'WEST', into: 'EAST' } : { out: 'EAST', into: 'WEST' }
}

/** Out of a row one goes on in its direction; and regions are stacked, so that a way up or down would cross others. */
function goesBeside(state: string, crosses: boolean, states: States): boolean {
  const isRegion = states.get(parentOf(state))?.kind === 'parallel'
  const own = states.get(state)
  return isRegion || (crosses && own !== undefined && directionOf(own) === 'RIGHT')
}

/** To enter a region is to enter the state that it begins in; to draw an arrow at its missing border would say nothing. */
function targetOf({ source, target, fromAnywhere }: ChartEdge, states: States): string {
  const isOwnRegion = fromAnywhere && states.get(source)?.kind === 'parallel' && parentOf(target) === source
  return (isOwnRegion ? states.get(target)?.initial : null) ?? target
}

/** One from anywhere in a parallel state is shown in the region that it leads to. */
function anywhereContainer(source: string, target: string, states: States): string {
  const [region = target] = chain(target, source)
  return states.get(source)?.kind === 'parallel' && region !== target ? region : source
}

function parentOf(state: string): string {
  return state.slice(0, Math.max(0, state.lastIndexOf('.')))
}

/** From the child of `outer` that holds `inner` down to `inner` itself. */
function chain(inner: string, outer: string): string[] {
  const keys = inner.slice(outer.length + 1).split('.')
  return keys.map((_, index) => [outer, ...keys.slice(0, index + 1)].join('.'))
}

/** The innermost state that holds both. */
function commonParent(one: string, other: string): string {
  const keys = one.split('.').slice(0, -1)
  while (keys.length > 1 && !other.startsWith(`${keys.join('.')}.`)) keys.pop()
  return keys.join('.')
}
