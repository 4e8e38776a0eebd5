import type { ChartTransition, ChartTrigger } from './chart-description.ts'
import { duration } from './duration.ts'
import { measures } from './measures.ts'
import { textWidth } from './text-width.ts'

/** A piece of text and what it says: a picture gives each kind a colour of its own. */
export interface LabelSpan {
  readonly kind: 'trigger' | 'guard' | 'action' | 'place'
  readonly text: string
}

export type LabelLine = readonly LabelSpan[]

type Delays = Readonly<Record<string, number | null>>

/** A longer pair of trigger and guard goes on two lines. */
const longestLine = 19

/** What a trigger is called: `publish`, `after grace · 15 s`, `holdMedia failed`. */
export function triggerText(trigger: ChartTrigger, delays: Delays): string {
  switch (trigger.kind) {
    case 'event':
      return trigger.name
    case 'always':
      return 'always'
    case 'after':
      return afterText(trigger.name, delays)
    case 'done':
      return trigger.name === '*' ? 'an actor is done' : `${trigger.name} done`
    case 'error':
      return trigger.name === '*' ? 'an actor failed' : `${trigger.name} failed`
  }
}

function afterText(name: string, delays: Delays): string {
  const ms = delays[name]
  if (ms !== undefined && ms !== null) return `after ${name} · ${duration(ms)}`
  return /^\d+$/.test(name) ? `after ${duration(Number(name))}` : `after ${name}`
}

/**
 * One label for all transitions from one state to another. A trigger is written once, with
 * all the guards under which it leads there, and each guard with what is done then.
 */
export function labelOf(transitions: readonly ChartTransition[], delays: Delays): readonly LabelLine[] {
  const byTrigger = [...Map.groupBy(transitions, ({ trigger }) => triggerText(trigger, delays))]
  return byTrigger.flatMap(([trigger, those], index) => {
    const byActions = [...Map.groupBy(those, ({ actions }) => actionsText(actions))]
    return byActions.flatMap(([actions, same], at) => {
      const conditions = [...new Set(same.map(({ guard }) => guard))]
      const head = at === 0 ? [span('trigger', trigger)] : []
      // Under one of them it always goes there: no condition.
      const guards = conditions.includes(null) ? [] : conditions.map((condition) => span('guard', `[${condition}]`))
      const saidBelow = guards.length === 0 && alwaysDoes(byTrigger[index + 1]?.[1], actions)
      return broken([...head, ...guards], saidBelow ? '' : actions)
    })
  })
}

/** Whether the next trigger, too, leads there without a condition and with these actions: then they are written once. */
function alwaysDoes(transitions: readonly ChartTransition[] | undefined, actions: string): boolean {
  return transitions?.every((each) => each.guard === null && actionsText(each.actions) === actions) ?? false
}

function broken(spans: readonly LabelSpan[], actions: string): LabelLine[] {
  const lines: LabelSpan[][] = []
  for (const each of [...spans, ...(actions === '' ? [] : [span('action', actions)])]) {
    const line = lines.at(-1)
    const fits = line !== undefined && each.kind !== 'action' && lineText([...line, each]).length <= longestLine
    if (fits) line.push(each)
    else lines.push([each])
  }
  return lines
}

/** Two by name, the others by number. What has no name says nothing. */
function actionsText(actions: readonly string[]): string {
  const named = actions.filter((action) => action !== 'assign' && action !== '…')
  if (named.length === 0) return ''
  return `/ ${named[0]}${named.length > 1 ? ` +${named.length - 1}` : ''}`
}

function span(kind: LabelSpan['kind'], text: string): LabelSpan {
  return { kind, text }
}

/** What a line says, without its colours. */
export function lineText(line: LabelLine): string {
  return line.map(({ text }) => text).join(' ')
}

/** How far each line's top is from that of the first, in px: what belongs to another trigger is set off a little. */
export function lineTops(lines: readonly LabelLine[]): readonly number[] {
  let top = 0
  return lines.map((line, index) => {
    const before = lines[index - 1]
    if (before !== undefined) {
      const setOff = line[0]?.kind === 'trigger' && before.at(-1)?.kind !== 'trigger'
      top += measures.label.lineHeight + (setOff ? measures.chip.setOff : 0)
    }
    return top
  })
}

/** The size of a label's chip, in px. */
export function labelSize(lines: readonly LabelLine[]): { width: number; height: number } {
  const { size, weight, lineHeight } = measures.label
  const { padX, padY } = measures.chip
  return {
    width: Math.max(0, ...lines.map((line) => textWidth(lineText(line), size, weight))) + 2 * padX,
    height: (lineTops(lines).at(-1) ?? 0) + lineHeight + 2 * padY,
  }
}
