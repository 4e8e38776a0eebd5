import type { ElkExtendedEdge } from 'elkjs/lib/elk-api.js'
import type { Point, Rect } from './chart-layout.ts'
import type { LaidState } from './lay-out-state.ts'

/** Finds where things are in the whole picture, by their ids. */
export interface Places {
  rect(id: string): Rect
  edge(id: string): readonly Point[]
  /** Of an arrow's piece. */
  label(edge: string): Rect
}

/** Moves everything from its own state's coordinates to those of the whole. */
export function placesOf(root: LaidState): Places {
  // Not rounded before all is summed up: pieces of an arrow that meet at a border would miss each other.
  const rects = new Map<string, Rect>()
  const edges = new Map<string, readonly Point[]>()
  const labels = new Map<string, Rect>()
  const visit = ({ id, width, height, inside, states }: LaidState, corner: Point) => {
    rects.set(id, moved({ x: 0, y: 0, width, height }, corner))
    for (const child of inside?.children ?? []) rects.set(child.id, moved(child, corner))
    for (const edge of inside?.edges ?? []) {
      edges.set(edge.id, pointsOf(edge, corner))
      for (const label of edge.labels ?? []) labels.set(edge.id, moved(label, corner))
    }
    for (const state of states) visit(state, found(rects, state.id))
  }
  visit(root, { x: 0, y: 0 })
  return {
    rect: (id) => rounded(found(rects, id)),
    edge: (id) => found(edges, id).map(({ x, y }) => ({ x: round(x), y: round(y) })),
    label: (edge) => rounded(found(labels, edge)),
  }
}

function found<T>(places: ReadonlyMap<string, T>, id: string): T {
  const place = places.get(id)
  if (place === undefined) throw new Error(`the layout has no place for ${id}`)
  return place
}

function moved({ x = 0, y = 0, width = 0, height = 0 }: Partial<Rect>, by: Point): Rect {
  return { x: by.x + x, y: by.y + y, width, height }
}

function pointsOf({ sections = [] }: ElkExtendedEdge, by: Point): Point[] {
  return sections
    .flatMap(({ startPoint, bendPoints = [], endPoint }) => [startPoint, ...bendPoints, endPoint])
    .map(({ x, y }) => ({ x: by.x + x, y: by.y + y }))
}

function rounded({ x, y, width, height }: Rect): Rect {
  return { x: round(x), y: round(y), width: round(x + width) - round(x), height: round(y + height) - round(y) }
}

/** Half a pixel is as fine as anyone sees, and short to write. Sums that differ by less than a thousandth are the same. */
function round(value: number): number {
  return Math.round((Math.round(value * 1000) / 1000) * 2) / 2
}
