import {
  type ChartDescription,
  type ChartState,
  type ChartTransition,
  statesWithin,
} from '../../web/statechart/chart-description.ts'
import { changesState } from '../../web/statechart/chart-edges.ts'
import { duration } from '../../web/statechart/duration.ts'
import { triggerText } from '../../web/statechart/label.ts'
import { guardNames } from './names.ts'

export interface PageEntry {
  readonly chart: ChartDescription
  readonly source: string
  readonly about: string
}

const introduction = `# Statecharts

Every actor of Footlight is a statechart, and so are the player and the desk. \`./footlight statecharts\` writes this
page and its pictures from the machines themselves; a test fails when they differ.

How to read the pictures:

- A box is a state, a box in a box a state of that state. A dot points at the one that is entered first.
- A dashed line parts regions that run side by side. A double border is the end.
- An arrow says what it takes: the event, then \`[the guard]\` that must agree, then \`/ what is done\` (the first action,
  and how many more). \`after\` is a delay, \`always\` needs no event, \`x done\` and \`x failed\` are the end of the actor
  \`x\` that the state runs.
- \`anywhere in …\` leads on from whichever state is active there.
- What is only answered or noted, without a change of state, is in the tables below each picture. An event is answered by
  the innermost state that knows it, and there by the first line whose guard agrees.
`

/** docs/statecharts.md: every chart with what it is for, its picture, and what a picture does not show. */
export function statechartsPage(entries: readonly PageEntry[]): string {
  return [introduction, ...entries.map(section)].join('\n')
}

function section({ chart, source, about }: PageEntry): string {
  const { id } = chart
  return [
    `## ${id}`,
    about,
    `![The statechart of ${id}](statecharts/${id}.svg)`,
    `Source: [\`${source}\`](../${source})`,
    ...titled('Answered without a change of state', ['in', 'event', 'when', 'what is done'], answered(chart)),
    ...titled('On entry and exit', ['state', 'on entry', 'on exit', 'runs meanwhile'], entered(chart)),
    ...titled('Delays', ['delay', 'how long', 'ends'], delays(chart)),
    ...titled('Guards', ['guard', 'asked by'], guards(chart)),
    '',
  ].join('\n\n')
}

function titled(title: string, heads: readonly string[], rows: readonly (readonly string[])[]): string[] {
  return rows.length === 0 ? [] : [`### ${title}`, table(heads, rows)]
}

function table(heads: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]) => `| ${cells.join(' | ')} |`
  return [line(heads), line(heads.map(() => '---')), ...rows.map(line)].join('\n')
}

function answered(chart: ChartDescription): string[][] {
  return chart.transitions
    .filter((transition) => !changesState(transition))
    .map((transition) => {
      const { source, trigger, guard, actions, targets } = transition
      const anew = targets.length > 0 ? ['begins anew'] : []
      const done = [...actions.map(code), ...anew].join(', ')
      return [code(source), code(triggerText(trigger, {})), guard === null ? '' : code(guard), done || 'nothing']
    })
}

function entered(chart: ChartDescription): string[][] {
  const says = ({ entry, exit, invokes }: ChartState) => entry.length + exit.length + invokes.length > 0
  return statesWithin(chart.root)
    .filter(says)
    .map(({ id, entry, exit, invokes }) => [code(id), ...[entry, exit, invokes].map(codes)])
}

function delays(chart: ChartDescription): string[][] {
  return Object.entries(chart.delays).map(([name, ms]) => {
    const users = chart.transitions.filter(({ trigger }) => trigger.kind === 'after' && trigger.name === name)
    const states = [...new Set(users.map(({ source }) => source))]
    return [
      code(name),
      ms === null ? 'computed' : `${ms} ms${spoken(ms)}`,
      codes(states) || 'an event that was put off',
    ]
  })
}

/** ` (15 s)`, where that says it better. */
function spoken(ms: number): string {
  const text = duration(ms)
  return text === `${ms} ms` ? '' : ` (${text})`
}

function guards(chart: ChartDescription): string[][] {
  const uses = chart.transitions.flatMap((transition) =>
    guardNames(transition.guard).map((name) => ({ name, transition })),
  )
  const byName = [...Map.groupBy(uses, ({ name }) => name)].sort(([a], [b]) => (a < b ? -1 : 1))
  return byName.map(([name, those]) => [code(name), [...new Set(those.map((use) => asker(use.transition)))].join(', ')])
}

function asker({ source, trigger }: ChartTransition): string {
  return `${code(triggerText(trigger, {}))} in ${code(source)}`
}

function codes(names: readonly string[]): string {
  return names.map(code).join(', ')
}

function code(name: string): string {
  return `\`${name}\``
}
