import { describe, expect, test } from 'bun:test'
import { describeMachine } from '../../../src/cli/statecharts/describe-machine.ts'
import { createElk } from '../../../src/cli/statecharts/elk.ts'
import { documentedMachines } from '../../../src/cli/statecharts/machines.ts'
import type { ChartDescription, ChartState, ChartTransition } from '../../../src/web/statechart/chart-description.ts'
import type { Line, PlacedEdge, PlacedState, Point, Rect } from '../../../src/web/statechart/chart-layout.ts'
import { type DrawOptions, drawChart } from '../../../src/web/statechart/draw-chart.ts'
import { layOutChart } from '../../../src/web/statechart/lay-out-chart.ts'

const elk = createElk()

const plain = (id: string, more: Partial<ChartState> = {}): ChartState => ({
  id,
  key: id.slice(id.lastIndexOf('.') + 1),
  kind: 'atomic',
  description: null,
  initial: null,
  entry: [],
  exit: [],
  invokes: [],
  states: [],
  ...more,
})

const leads = (source: string, target: string, name: string, more: Partial<ChartTransition> = {}): ChartTransition => ({
  source,
  targets: [target],
  trigger: { kind: 'event', name },
  guard: null,
  actions: [],
  reenter: false,
  ...more,
})

/** Two regions, and every kind of arrow: within one, out, in, back, between them, from anywhere, to a region. */
const lamp: ChartDescription = {
  id: 'lamp',
  root: plain('lamp', {
    kind: 'compound',
    initial: 'lamp.boxed',
    states: [
      plain('lamp.boxed', { description: 'with a <note> & more' }),
      plain('lamp.used', {
        kind: 'parallel',
        states: [
          plain('lamp.used.light', {
            kind: 'compound',
            initial: 'lamp.used.light.off',
            states: [plain('lamp.used.light.off'), plain('lamp.used.light.on', { invokes: ['glow'] })],
          }),
          plain('lamp.used.fan', {
            kind: 'compound',
            initial: 'lamp.used.fan.still',
            states: [plain('lamp.used.fan.still'), plain('lamp.used.fan.turning')],
          }),
        ],
      }),
      plain('lamp.broken', { kind: 'final' }),
    ],
  }),
  transitions: [
    leads('lamp.boxed', 'lamp.used', 'unpack', { guard: 'hasRoom', actions: ['lift', 'turn', 'put'] }),
    leads('lamp.used.light.off', 'lamp.used.light.on', 'press'),
    leads('lamp.used.light.on', 'lamp.used.light.off', 'press'),
    leads('lamp.used.light.on', 'lamp.used.light.off', '', { trigger: { kind: 'after', name: 'patience' } }),
    leads('lamp.used.light.on', 'lamp.used.fan.turning', 'overheat'),
    leads('lamp.used.fan.turning', 'lamp.broken', 'jam'),
    leads('lamp.used.fan.turning', 'lamp.boxed', 'annoy'),
    leads('lamp.used', 'lamp.used.fan.still', 'hush'),
    leads('lamp.used', 'lamp.used.light', 'flicker'),
    leads('lamp', 'lamp.broken', 'fall'),
    leads('lamp.boxed', 'lamp.used.fan.turning', 'hurry'),
    leads('lamp.boxed', 'lamp.boxed', 'shake', { targets: [] }),
  ],
  delays: { patience: 90_000 },
}

const charts = [lamp, ...documentedMachines().map(({ machine }) => describeMachine(machine))]

for (const chart of charts) {
  describe(`the picture of ${chart.id}`, async () => {
    const layout = await layOutChart(chart, elk)
    const states = new Map(layout.states.map((state) => [state.id, state]))
    const plainStates = layout.states.filter(({ kind }) => kind === 'atomic' || kind === 'final')
    const labels = layout.edges.map(({ id, label }) => ({ id, ...label }))

    test('every state lies in the one that holds it', () => {
      const out = layout.states.filter(({ id, ...state }) => {
        const parent = states.get(id.slice(0, Math.max(0, id.lastIndexOf('.'))))
        return parent !== undefined && !contains(parent, state)
      })
      expect(ids(out)).toEqual([])
    })

    test('nothing lies upon anything else', () => {
      expect(pairs([...plainStates, ...labels]).filter(([a, b]) => overlap(a, b))).toEqual([])
    })

    test('everything lies in the picture', () => {
      const whole = { x: 0, y: 0, width: layout.width, height: layout.height }
      expect(ids(labels.filter((label) => !contains(whole, label)))).toEqual([])
      const outside = layout.edges.filter(({ points }) =>
        points.some((point) => !contains(whole, { ...point, ...dot })),
      )
      expect(ids(outside)).toEqual([])
    })

    test('every arrow goes from its source or its label to its target', () => {
      const lost = layout.edges.filter(({ points: [first, ...more], source, target, fromAnywhere, label }) => {
        const begin = fromAnywhere ? label : states.get(source)
        return !touches(begin, first) || !touches(states.get(target), more.at(-1))
      })
      expect(ids(lost.filter(({ id }) => id !== 'lamp.used→lamp.used.light'))).toEqual([])
    })

    test('no arrow goes through a state or the label of another', () => {
      const through = layout.edges.flatMap((edge) =>
        [...plainStates, ...labels.filter(({ id }) => id !== edge.id)]
          .filter((thing) => linesOf(edge).some((line) => crosses(line, thing)))
          .map((thing) => `${edge.id} through ${thing.id}`),
      )
      expect(through).toEqual([])
    })

    test('arrows go up, down or sideways', () => {
      const oblique = layout.edges.filter((edge) =>
        linesOf(edge).some(({ from, to }) => from.x !== to.x && from.y !== to.y),
      )
      expect(ids(oblique)).toEqual([])
    })

    test('every arrow passes its label', () => {
      const astray = layout.edges.filter(
        (edge) => !edge.fromAnywhere && !linesOf(edge).some((line) => crosses(line, edge.label)),
      )
      expect(ids(astray)).toEqual([])
    })
  })
}

describe('the drawing', async () => {
  const layout = await layOutChart(lamp, elk)
  const drawn = (options?: DrawOptions) => drawChart(layout, options)
  const texts = (svg: string) =>
    [...svg.matchAll(/<text[^>]*>(.*?)<\/text>/g)].map(([, inner = '']) => inner.replace(/<[^>]*>/g, ''))

  test('has the name of every state and the words of every arrow', () => {
    const words = texts(drawn())
    for (const word of ['lamp', 'boxed', 'used', 'light', 'off', 'on', 'fan', 'still', 'turning', 'broken']) {
      expect(words).toContain(word)
    }
    for (const word of [
      'unpack [hasRoom]',
      '/ lift +2',
      'press',
      'after patience · 90 s',
      'anywhere in lamp',
      'runs glow',
    ]) {
      expect(words).toContain(word)
    }
    expect(words.join()).not.toContain('shake')
  })

  test('parts regions by a dashed line, and marks where each begins and what is final', () => {
    const svg = drawn()
    expect(svg.match(/class="separator"/g)).toHaveLength(1)
    expect(svg.match(/class="initial"/g)).toHaveLength(3)
    expect(svg.match(/class="inner"/g)).toHaveLength(1)
  })

  test('is well-formed whatever the texts are', () => {
    const svg = drawn({ title: 'a "b" <c> & d' })
    expect(svg).toContain('<title>a &quot;b&quot; &lt;c&gt; &amp; d</title>')
    expect(svg.replaceAll(/&(amp|lt|gt|quot);/g, '')).not.toContain('&')
  })

  test('lights the active states and what leads on from them, and nothing else', () => {
    expect(drawn()).not.toContain(' lit"')
    const svg = drawn({ active: ['lamp.used', 'lamp.used.light', 'lamp.used.light.off'] })
    const lit = [...svg.matchAll(/class="[^"]* lit" data-(?:state|edge)="([^"]*)"/g)].map(([, id]) => id)
    expect(lit).toEqual([
      'lamp.used',
      'lamp.used.light',
      'lamp.used.light.off',
      'lamp.used.light.off→lamp.used.light.on',
      'lamp.used→lamp.used.fan.still',
      'lamp.used→lamp.used.light',
    ])
  })

  test('has its style with it, or leaves it to the page', () => {
    expect(drawn()).toContain('prefers-color-scheme:dark')
    expect(drawn({ withStyle: false })).not.toContain('<style>')
  })
})

const dot = { width: 0, height: 0 }

function ids(things: readonly { id: string }[]): string[] {
  return things.map(({ id }) => id)
}

function contains(outer: Rect, inner: Rect): boolean {
  return (
    inner.x >= outer.x &&
    inner.y >= outer.y &&
    inner.x + inner.width <= outer.x + outer.width &&
    inner.y + inner.height <= outer.y + outer.height
  )
}

function overlap(a: Rect, b: Rect): boolean {
  return a.x < b.x + b.width && b.x < a.x + a.width && a.y < b.y + b.height && b.y < a.y + a.height
}

function pairs<T>(things: readonly T[]): [T, T][] {
  return things.flatMap((a, index) => things.slice(index + 1).map((b): [T, T] => [a, b]))
}

/** The point is on the border, give or take what rounding takes. */
function touches(rect: Rect | PlacedState | undefined, point: Point | undefined): boolean {
  if (rect === undefined || point === undefined) return false
  const grown = { x: rect.x - 1, y: rect.y - 1, width: rect.width + 2, height: rect.height + 2 }
  const shrunk = { x: rect.x + 1, y: rect.y + 1, width: rect.width - 2, height: rect.height - 2 }
  return contains(grown, { ...point, ...dot }) && !contains(shrunk, { ...point, ...dot })
}

function linesOf({ points }: PlacedEdge): Line[] {
  return points.slice(1).map((to, index) => ({ from: points[index] ?? to, to }))
}

function crosses({ from, to }: Line, { x, y, width, height }: Rect): boolean {
  const inside = { x: x + 1, y: y + 1, width: width - 2, height: height - 2 }
  const box = { x: Math.min(from.x, to.x), y: Math.min(from.y, to.y) }
  return overlap(inside, { ...box, width: Math.abs(to.x - from.x) + 0.01, height: Math.abs(to.y - from.y) + 0.01 })
}
