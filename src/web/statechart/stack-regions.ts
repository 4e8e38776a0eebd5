import type { ElkExtendedEdge, ElkNode } from 'elkjs/lib/elk-api.js'
import type { ChartState } from './chart-description.ts'
import type { Point } from './chart-layout.ts'
import { labelSize } from './label.ts'
import type { LaidState } from './lay-out-state.ts'
import { measures } from './measures.ts'
import type { EdgeRoute, Segment } from './route.ts'
import { stateText, textBlock } from './state-text.ts'

/**
 * A parallel state's inside: its regions one below the other, as wide as the widest. What leaves
 * a region goes straight on to the border; what leads to another region goes around on the right.
 */
export function stackRegions(
  state: ChartState,
  regions: readonly LaidState[],
  routes: readonly EdgeRoute[],
): LaidState {
  const text = textBlock(stateText(state))
  const { padX, padY } = measures.box
  const lanes = routes.filter(({ container, edge }) => container === state.id && !edge.fromAnywhere)
  const laneWidth = ({ edge }: EdgeRoute) => labelSize(edge.label).width + 2 * padX
  const inner = Math.max(text.width + 2 * padX, ...regions.map(({ width }) => width))
  const width = inner + lanes.reduce((sum, lane) => sum + laneWidth(lane), 0)
  let height = padY + text.height + measures.nest.header
  const children = regions.map((region): ElkNode => {
    const y = height
    height += region.height
    return { id: region.id, x: 0, y, width, height: region.height }
  })
  const portOf = (id: string): Point => {
    const index = regions.findIndex((region) => region.inside?.ports?.some((port) => port.id === id))
    const port = regions[index]?.inside?.ports?.find((each) => each.id === id)
    return { x: port?.x ?? 0, y: (children[index]?.y ?? 0) + (port?.y ?? 0) }
  }
  const ownPorts = routes.flatMap(({ ports }) => ports).filter((port) => port.state === state.id && port.crosses)
  const own = new Set(ownPorts.map(({ id }) => id))
  const stubs = routes
    .flatMap(({ segments }) => segments)
    .filter(({ container, from, to }) => container === state.id && (own.has(from) || own.has(to)))
    .map((segment) => ({ segment, points: stub(segment, own, portOf, width) }))
  let right = inner
  const around = lanes.flatMap((lane): ElkExtendedEdge[] => {
    if (lane.labelled === null) return []
    const [from, to] = [portOf(lane.labelled.from), portOf(lane.labelled.to)]
    const x = right + laneWidth(lane) / 2
    right += laneWidth(lane)
    const size = labelSize(lane.edge.label)
    const label = { ...size, x: x - size.width / 2, y: (from.y + to.y - size.height) / 2 }
    return [elkEdge(lane.labelled.id, [from, { x, y: from.y }, { x, y: to.y }, to], [label])]
  })
  const ports = ownPorts.map(({ id }) => {
    const found = stubs.find(({ segment }) => segment.from === id || segment.to === id)
    const at = found === undefined ? undefined : found.segment.from === id ? found.points[0] : found.points.at(-1)
    return { id, ...(at ?? { x: width, y: height / 2 }) }
  })
  const edges = [...stubs.map(({ segment, points }) => elkEdge(segment.id, points, [])), ...around]
  return {
    id: state.id,
    width,
    height,
    states: regions,
    inside: { id: state.id, width, height, ports, children, edges },
  }
}

/** From a region's border straight to the state's, or the other way. */
function stub({ from, to }: Segment, own: ReadonlySet<string>, portOf: (id: string) => Point, width: number): Point[] {
  if (own.has(to)) {
    const begin = portOf(from)
    return [begin, { x: width, y: begin.y }]
  }
  const end = portOf(to)
  return [{ x: 0, y: end.y }, end]
}

function elkEdge(id: string, points: readonly Point[], labels: ElkExtendedEdge['labels']): ElkExtendedEdge {
  const [startPoint = { x: 0, y: 0 }, ...rest] = points
  const endPoint = rest.at(-1) ?? startPoint
  const section = { id: `${id}:section`, startPoint, bendPoints: rest.slice(0, -1), endPoint }
  return { id, sources: [], targets: [], sections: [section], ...(labels === undefined ? {} : { labels }) }
}
