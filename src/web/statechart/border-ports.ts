import type { Point } from './chart-layout.ts'
import type { EdgePort, Side } from './route.ts'

/** How near to each other, and to a corner, arrows may meet a border, in px. */
const nearest = 14

interface Size {
  readonly width: number
  readonly height: number
}

/**
 * Where each arrow meets a state's border. Those that go on inside (`crossing`) have their place
 * by what is inside; the others go where they would like to (`wished`), but keep clear of these.
 */
export function borderPorts(
  size: Size,
  ports: readonly EdgePort[],
  crossing: ReadonlyMap<string, Point>,
  wished: ReadonlyMap<string, Point>,
): ReadonlyMap<string, Point> {
  const placed = new Map(crossing)
  const sides = Map.groupBy(ports, ({ side }) => side)
  for (const [side, those] of sides) {
    const length = isLevel(side) ? size.width : size.height
    const offset = (at: Point | undefined) => (at === undefined ? length / 2 : isLevel(side) ? at.x : at.y)
    const taken = those.filter(({ id }) => crossing.has(id)).map(({ id }) => offset(crossing.get(id)))
    const free = those
      .filter(({ id }) => !crossing.has(id))
      .map(({ id }) => ({ id, wish: offset(wished.get(id)) }))
      .sort((a, b) => a.wish - b.wish)
    for (const { id, wish } of free) {
      const along = clearOf(taken, wish, length)
      taken.push(along)
      placed.set(id, onSide(side, along, size))
    }
  }
  return placed
}

/** The place nearest to `wish` that is far enough from all taken ones. */
function clearOf(taken: readonly number[], wish: number, length: number): number {
  const room = (at: number) =>
    at >= nearest && at <= length - nearest && taken.every((other) => Math.abs(other - at) >= nearest)
  const candidates = [wish, ...taken.flatMap((other) => [other - nearest, other + nearest]), nearest, length - nearest]
  const fitting = candidates.filter(room).sort((a, b) => Math.abs(a - wish) - Math.abs(b - wish))
  return fitting[0] ?? wish
}

function isLevel(side: Side): boolean {
  return side === 'NORTH' || side === 'SOUTH'
}

function onSide(side: Side, along: number, { width, height }: Size): Point {
  switch (side) {
    case 'NORTH':
      return { x: along, y: 0 }
    case 'SOUTH':
      return { x: along, y: height }
    case 'WEST':
      return { x: 0, y: along }
    case 'EAST':
      return { x: width, y: along }
  }
}
