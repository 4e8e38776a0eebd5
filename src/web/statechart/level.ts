import type { ElkExtendedEdge, ElkNode, ElkPort, LayoutOptions } from 'elkjs/lib/elk-api.js'
import type { ChartState } from './chart-description.ts'
import { isWithin } from './chart-edges.ts'
import type { Point } from './chart-layout.ts'
import { directionOf } from './direction.ts'
import { labelSize } from './label.ts'
import { measures } from './measures.ts'
import type { EdgePort, EdgeRoute } from './route.ts'
import { stateText, textBlock } from './state-text.ts'

/** One of the states in the state that is being laid out: its size, and where its arrows meet its border. */
export interface Block {
  readonly id: string
  readonly width: number
  readonly height: number
  readonly ports: readonly EdgePort[]
  /** From the block's corner. Without one the layout is free to choose. */
  readonly at: ReadonlyMap<string, Point>
}

/** Ids of what a picture has beside states and arrows. */
export const initialId = (state: string) => `initial:${state}`
export const initialEdgeId = (state: string) => `initial-edge:${state}`
export const initialPortId = (state: string) => `initial-port:${state}`

/**
 * A state's inside as a graph for ELK: its states as blocks whose inside is done, the arrows
 * between them, and the pieces of those that come from or go outside.
 */
export function levelGraph(state: ChartState, blocks: readonly Block[], routes: readonly EdgeRoute[]): ElkNode {
  const text = textBlock(stateText(state))
  const { padX, padY } = measures.box
  const { pad, header } = measures.nest
  const anywhere = routes.filter(({ edge, container }) => edge.fromAnywhere && container === state.id)
  const crossing = routes.flatMap(({ ports }) => ports).filter((port) => port.state === state.id && port.crosses)
  const inside: ElkNode = {
    id: state.id,
    layoutOptions: {
      ...options,
      'elk.direction': directionOf(state),
      'elk.padding': padding(pad, padY + text.height + header),
      'elk.nodeSize.constraints': 'MINIMUM_SIZE',
      'elk.nodeSize.minimum': `(${text.width + 2 * padX},${text.height + 2 * padY})`,
      'elk.portConstraints': 'FIXED_SIDE',
    },
    ports: crossing.map((port) => elkPort(port, undefined)),
    children: [
      ...(state.initial === null
        ? []
        : [{ id: initialId(state.id), width: measures.initial, height: measures.initial }]),
      ...anywhere.map(({ from, edge }) => ({ id: from, ...labelSize(edge.label) })),
      ...blocks.map(elkBlock),
    ],
    edges: [...initialEdge(state, blocks), ...routes.flatMap((route) => elkEdges(route, state))],
  }
  return { id: 'level', children: [inside], layoutOptions: { 'elk.padding': padding(0) } }
}

function elkBlock({ id, width, height, ports, at }: Block): ElkNode {
  const fixed = ports.length > 0 && ports.every((port) => at.has(port.id))
  return {
    id,
    width,
    height,
    ports: ports.map((port) => elkPort(port, at.get(port.id))),
    layoutOptions: { 'elk.portConstraints': fixed ? 'FIXED_POS' : ports.length > 0 ? 'FIXED_SIDE' : 'FREE' },
  }
}

function elkPort({ id, side }: EdgePort, at: Point | undefined): ElkPort {
  return { id, width: 0, height: 0, ...at, layoutOptions: { 'elk.port.side': side } }
}

function initialEdge({ id, initial }: ChartState, blocks: readonly Block[]): ElkExtendedEdge[] {
  if (initial === null) return []
  const port = blocks.flatMap(({ ports }) => ports).find((each) => each.id === initialPortId(id))
  return [{ id: initialEdgeId(id), sources: [initialId(id)], targets: [port?.id ?? initial], ...straight }]
}

function elkEdges({ edge, segments, labelled }: EdgeRoute, state: ChartState): ElkExtendedEdge[] {
  const order = (id: string) => state.states.findIndex((child) => isWithin(id, child.id))
  const isNext = order(edge.target) === order(edge.source) + 1
  return segments
    .filter(({ container }) => container === state.id)
    .map((segment) => ({
      id: segment.id,
      sources: [segment.from],
      targets: [segment.to],
      labels: segment === labelled ? [{ text: edge.id, ...labelSize(edge.label), ...inline }] : [],
      ...(isNext ? straight : {}),
    }))
}

const inline = { layoutOptions: { 'elk.edgeLabels.inline': 'true' } }
/** The main way through the states goes straight where it can. */
const straight = { layoutOptions: { 'elk.layered.priority.straightness': '10' } }

const options: LayoutOptions = {
  'elk.algorithm': 'layered',
  'elk.hierarchyHandling': 'SEPARATE_CHILDREN',
  'elk.edgeRouting': 'ORTHOGONAL',
  'elk.separateConnectedComponents': 'false',
  'elk.layered.considerModelOrder.strategy': 'NODES_AND_EDGES',
  'elk.layered.nodePlacement.strategy': 'NETWORK_SIMPLEX',
  'elk.layered.cycleBreaking.strategy': 'MODEL_ORDER',
  'elk.spacing.nodeNode': '24',
  'elk.spacing.edgeNode': '14',
  'elk.spacing.edgeEdge': '12',
  'elk.layered.spacing.nodeNodeBetweenLayers': '18',
  'elk.layered.spacing.edgeNodeBetweenLayers': '10',
  'elk.layered.spacing.edgeEdgeBetweenLayers': '8',
}

function padding(side: number, top = side): string {
  return `[top=${top},left=${side},bottom=${side},right=${side}]`
}
