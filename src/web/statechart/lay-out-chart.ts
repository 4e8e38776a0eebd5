import type { ELK } from 'elkjs/lib/elk-api.js'
import { type ChartDescription, type ChartState, statesWithin } from './chart-description.ts'
import { chartEdges } from './chart-edges.ts'
import type { ChartLayout, Line, PlacedEdge, PlacedInitial, PlacedState } from './chart-layout.ts'
import { layOutState } from './lay-out-state.ts'
import { initialEdgeId, initialId } from './level.ts'
import { type Places, placesOf } from './places.ts'
import { type EdgeRoute, routeOf } from './route.ts'
import { stateText } from './state-text.ts'
import { straightened } from './straightened.ts'

/**
 * Says where everything of a chart's picture goes. Pure but for `elk`, which is given as a page
 * keeps it in a web worker and a command does not. The same chart always gets the same layout.
 */
export async function layOutChart(chart: ChartDescription, elk: Pick<ELK, 'layout'>): Promise<ChartLayout> {
  const states = statesWithin(chart.root)
  const byId = new Map(states.map((state) => [state.id, state]))
  const routes = chartEdges(chart).map((edge) => routeOf(edge, byId))
  const laid = await layOutState(chart.root, routes, elk)
  const places = placesOf(laid)
  return {
    id: chart.id,
    width: places.rect(chart.id).width,
    height: places.rect(chart.id).height,
    states: placeStates(chart.root, 0, false, places),
    edges: routes.map((route) => placeEdge(route, places)),
    initials: states.filter(({ initial }) => initial !== null).map(({ id }) => placeInitial(id, places)),
    separators: states.flatMap((state) => separators(state, places)),
  }
}

function placeStates(state: ChartState, depth: number, isRegion: boolean, places: Places): PlacedState[] {
  const { id, kind, states } = state
  return [
    { id, kind, depth, isRegion, text: stateText(state), ...places.rect(id) },
    ...states.flatMap((child) => placeStates(child, isRegion ? depth : depth + 1, kind === 'parallel', places)),
  ]
}

function placeEdge({ edge, from, segments, labelled }: EdgeRoute, places: Places): PlacedEdge {
  const { id, source, target, fromAnywhere, label } = edge
  const place = labelled === null ? places.rect(from) : places.label(labelled.id)
  const points = straightened(segments.flatMap((segment) => places.edge(segment.id)))
  return { id, source, target, fromAnywhere, points, label: { ...place, lines: label } }
}

function placeInitial(state: string, places: Places): PlacedInitial {
  const dot = places.rect(initialId(state))
  const center = { x: dot.x + dot.width / 2, y: dot.y + dot.height / 2 }
  return { state, center, points: places.edge(initialEdgeId(state)) }
}

/** Lines across a parallel state, halfway between each two of its regions. */
function separators({ id, kind, states }: ChartState, places: Places): Line[] {
  if (kind !== 'parallel') return []
  const around = places.rect(id)
  const regions = states.map((region) => places.rect(region.id)).sort((a, b) => a.y - b.y)
  return regions.slice(1).map((below, index) => {
    const above = regions[index] ?? below
    const y = (above.y + above.height + below.y) / 2
    return { from: { x: around.x, y }, to: { x: around.x + around.width, y } }
  })
}
