import type { ELK, ElkNode } from 'elkjs/lib/elk-api.js'
import { borderPorts } from './border-ports.ts'
import type { ChartState } from './chart-description.ts'
import type { Point } from './chart-layout.ts'
import { directionOf } from './direction.ts'
import { type Block, initialPortId, levelGraph } from './level.ts'
import { measures } from './measures.ts'
import type { EdgePort, EdgeRoute } from './route.ts'
import { stackRegions } from './stack-regions.ts'
import { stateText, textBlock } from './state-text.ts'

/** A state whose inside is done. Coordinates in `inside` count from this state's corner. */
export interface LaidState {
  readonly id: string
  readonly width: number
  readonly height: number
  /** ELK's answer for what is in it; `null`: a plain state. */
  readonly inside: ElkNode | null
  readonly states: readonly LaidState[]
}

/**
 * Lays out a state from the inside out, each level by itself, so that each goes its own way (to
 * the right, down), which ELK cannot within one graph.
 */
export async function layOutState(
  state: ChartState,
  routes: readonly EdgeRoute[],
  elk: Pick<ELK, 'layout'>,
): Promise<LaidState> {
  if (state.states.length === 0) return { id: state.id, ...plainSize(state), inside: null, states: [] }
  const states: LaidState[] = []
  for (const child of state.states) states.push(await layOutState(child, routes, elk))
  if (state.kind === 'parallel') return stackRegions(state, states, routes)
  const blocks = states.map((laid) => blockOf(laid, state, routes))
  const layOut = async (those: readonly Block[]) => inner(await elk.layout(levelGraph(state, those, routes)))
  // First as if arrows might meet the borders anywhere on their side: that is where they would like to.
  const sketch = await layOut(blocks.map((block) => ({ ...block, at: new Map() })))
  const wished = new Map((sketch.children ?? []).map(({ id, ports }) => [id, portPoints(ports)]))
  const inside = await layOut(
    blocks.map((block) => ({
      ...block,
      at: borderPorts(block, block.ports, block.at, wished.get(block.id) ?? new Map()),
    })),
  )
  return { id: state.id, width: inside.width ?? 0, height: inside.height ?? 0, inside, states }
}

function blockOf(laid: LaidState, parent: ChartState, routes: readonly EdgeRoute[]): Block {
  const { id, width, height, inside } = laid
  const ports = inside === null ? [] : routes.flatMap((route) => route.ports).filter(({ state }) => state === id)
  const isInitial = inside !== null && parent.initial === id
  const side = directionOf(parent) === 'DOWN' ? 'NORTH' : 'WEST'
  const initial: EdgePort[] = isInitial ? [{ id: initialPortId(parent.id), state: id, side, crosses: false }] : []
  return { id, width, height, ports: [...initial, ...ports], at: portPoints(inside?.ports) }
}

function portPoints(ports: ElkNode['ports'] = []): ReadonlyMap<string, Point> {
  return new Map(ports.map(({ id, x = 0, y = 0 }) => [id, { x, y }]))
}

function inner(level: ElkNode): ElkNode {
  const [node] = level.children ?? []
  if (node === undefined) throw new Error('the layout lost the state that it was given')
  return node
}

function plainSize(state: ChartState): { width: number; height: number } {
  const text = textBlock(stateText(state))
  return { width: text.width + 2 * measures.box.padX, height: text.height + 2 * measures.box.padY }
}
