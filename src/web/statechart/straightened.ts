import type { Point } from './chart-layout.ts'

/** A sidestep shorter than this looks like a slip, in px. */
const shortest = 4

/** An arrow's way without repeated points, and without steps aside that are too small to mean anything. */
export function straightened(points: readonly Point[]): readonly Point[] {
  const way = withoutCorners(withoutRepeats(points))
  for (let index = 1; index + 2 < way.length; index += 1) {
    const [from, to, next] = [way[index], way[index + 1], way[index + 2]]
    if (from === undefined || to === undefined || next === undefined) break
    if (Math.abs(to.x - from.x) + Math.abs(to.y - from.y) >= shortest) continue
    // What follows goes on at the height of what came before. At the end this moves along the border that is met.
    way[index + 1] = { ...from }
    way[index + 2] = { x: to.x === next.x ? from.x : next.x, y: to.y === next.y ? from.y : next.y }
  }
  return withoutCorners(withoutRepeats(way))
}

function withoutRepeats(points: readonly Point[]): Point[] {
  return points.filter(({ x, y }, index) => x !== points[index - 1]?.x || y !== points[index - 1]?.y)
}

/** Drops points on a straight line between their neighbours. */
function withoutCorners(points: readonly Point[]): Point[] {
  return points.filter(({ x, y }, index) => {
    const [before, after] = [points[index - 1], points[index + 1]]
    if (before === undefined || after === undefined) return true
    return !((before.x === x && x === after.x) || (before.y === y && y === after.y))
  })
}
