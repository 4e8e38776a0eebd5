import type { ChartLayout, Line, PlacedEdge, PlacedInitial, PlacedState, Rect } from './chart-layout.ts'
import { lineText, lineTops } from './label.ts'
import { measures } from './measures.ts'
import { roundedPath } from './rounded-path.ts'
import { styleOf } from './state-text.ts'
import { styleSheet } from './style-sheet.ts'
import { textWidth } from './text-width.ts'

export interface DrawOptions {
  /** Ids of the states that are active now: lit, with the arrows that leave them. */
  readonly active?: readonly string[]
  /** For readers who do not see the picture. */
  readonly title?: string
  /** `false` where a page has the style sheet already. */
  readonly withStyle?: boolean
}

/** The picture as a whole SVG document, light or dark as the reader's system is. Pure. */
export function drawChart(
  layout: ChartLayout,
  { active = [], title = layout.id, withStyle = true }: DrawOptions = {},
): string {
  const lit = new Set(active)
  const { margin } = measures
  const width = layout.width + 2 * margin
  const height = layout.height + 2 * margin
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="${-margin} ${-margin} ${width} ${height}" width="${width}" height="${height}" role="img" class="statechart">`,
    `<title>${escaped(title)}</title>`,
    ...(withStyle ? [`<style>${styleSheet}</style>`] : []),
    ...layout.states.map((state) => drawState(state, lit.has(state.id))),
    ...layout.separators.map(drawSeparator),
    ...layout.initials.map(drawInitial),
    ...layout.edges.map((edge) => drawArrow(edge, lit.has(edge.source))),
    ...layout.edges.map((edge) => drawLabel(edge, lit.has(edge.source))),
    '</svg>',
    '',
  ].join('\n')
}

function drawState(state: PlacedState, lit: boolean): string {
  const { id, kind, depth, isRegion, text } = state
  const classes = ['state', kind, boxClass(depth), ...(lit ? ['lit'] : [])]
  const box = isRegion
    ? []
    : [rectangle(state, 'box', 10), ...(kind === 'final' ? [rectangle(inset(state, 3), 'inner', 7)] : [])]
  const { padX, padY } = measures.box
  let y = state.y + padY
  const lines = text.map(({ kind: line, text: content }) => {
    const { size, weight, lineHeight } = styleOf(line)
    y += lineHeight
    const nested = kind === 'compound' || kind === 'parallel'
    const width = textWidth(content, size, weight)
    const x = nested ? state.x + padX : state.x + (state.width - width) / 2
    return words(line, x, y - lineHeight * 0.28, content, width)
  })
  return `<g class="${classes.join(' ')}" data-state="${escaped(id)}">${[...box, ...lines].join('')}</g>`
}

/** Boxes in boxes differ in their ground, by turns. */
function boxClass(depth: number): string {
  return depth === 0 ? 'outermost' : depth % 2 === 1 ? 'odd' : 'even'
}

function drawSeparator({ from, to }: Line): string {
  return `<path class="separator" d="M${from.x} ${from.y}L${to.x} ${to.y}"/>`
}

function drawInitial({ center, points }: PlacedInitial): string {
  return `<g class="initial"><circle class="dot" cx="${center.x}" cy="${center.y}" r="${measures.initial / 2}"/>${arrow(points)}</g>`
}

function drawArrow({ id, points }: PlacedEdge, lit: boolean): string {
  return `<g class="edge${lit ? ' lit' : ''}" data-edge="${escaped(id)}">${arrow(points)}</g>`
}

function drawLabel({ label, fromAnywhere }: PlacedEdge, lit: boolean): string {
  const { padX, padY } = measures.chip
  const { size, weight, lineHeight } = measures.label
  const tops = lineTops(label.lines)
  const lines = label.lines.map((line, index) => {
    const y = label.y + padY + (tops[index] ?? 0) + lineHeight * 0.74
    const text = lineText(line)
    const width = textWidth(text, size, weight)
    const x = fromAnywhere ? label.x + padX : label.x + (label.width - width) / 2
    const spans = line.map(
      ({ kind, text }, at) => `<tspan class="${kind}">${at === 0 ? '' : ' '}${escaped(text)}</tspan>`,
    )
    return `<text x="${tenth(x)}" y="${tenth(y)}" textLength="${width}" lengthAdjust="spacingAndGlyphs">${spans.join('')}</text>`
  })
  return `<g class="label${fromAnywhere ? ' anywhere' : ''}${lit ? ' lit' : ''}">${rectangle(label, 'chip', 6)}${lines.join('')}</g>`
}

/** A line with a head; the head is a path of its own, as markers do not take the line's colour everywhere. */
function arrow(points: PlacedEdge['points']): string {
  const tip = points.at(-1)
  const before = points.at(-2)
  if (tip === undefined || before === undefined) return ''
  const [dx, dy] = [Math.sign(tip.x - before.x), Math.sign(tip.y - before.y)]
  const neck = { x: tip.x - dx * 6, y: tip.y - dy * 6 }
  const [a, b] = [-4, 4].map((side) => `${tip.x - dx * 8 + dy * side} ${tip.y - dy * 8 + dx * side}`)
  return `<path class="line" d="${roundedPath([...points.slice(0, -1), neck], 8)}"/><path class="head" d="M${tip.x} ${tip.y}L${a}L${b}Z"/>`
}

function rectangle({ x, y, width, height }: Rect, className: string, radius: number): string {
  return `<rect class="${className}" x="${x}" y="${y}" width="${width}" height="${height}" rx="${radius}"/>`
}

function inset({ x, y, width, height }: Rect, by: number): Rect {
  return { x: x + by, y: y + by, width: width - 2 * by, height: height - 2 * by }
}

function words(className: string, x: number, y: number, text: string, width: number): string {
  return `<text class="${className}" x="${tenth(x)}" y="${tenth(y)}" textLength="${width}" lengthAdjust="spacingAndGlyphs">${escaped(text)}</text>`
}

function tenth(value: number): number {
  return Math.round(value * 10) / 10
}

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;')
}
