import type { Point } from './chart-layout.ts'

/** SVG path data through the points, its corners rounded where there is room for `radius` px. */
export function roundedPath(points: readonly Point[], radius: number): string {
  return points
    .map((point, index) => {
      const before = points[index - 1]
      const after = points[index + 1]
      if (before === undefined) return `M${at(point)}`
      if (after === undefined) return `L${at(point)}`
      const r = Math.min(radius, distance(before, point) / 2, distance(point, after) / 2)
      return `L${at(towards(point, before, r))}Q${at(point)} ${at(towards(point, after, r))}`
    })
    .join('')
}

function towards(from: Point, to: Point, by: number): Point {
  const whole = distance(from, to) || 1
  return { x: from.x + ((to.x - from.x) / whole) * by, y: from.y + ((to.y - from.y) / whole) * by }
}

function distance(a: Point, b: Point): number {
  return Math.hypot(a.x - b.x, a.y - b.y)
}

function at({ x, y }: Point): string {
  return `${Math.round(x * 10) / 10} ${Math.round(y * 10) / 10}`
}
