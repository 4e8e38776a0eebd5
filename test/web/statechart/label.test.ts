import { expect, test } from 'bun:test'
import type { ChartTransition, ChartTrigger } from '../../../src/web/statechart/chart-description.ts'
import { duration } from '../../../src/web/statechart/duration.ts'
import { labelOf, lineText, triggerText } from '../../../src/web/statechart/label.ts'

const delays = { grace: 15_000, backoff: null }

const triggers: readonly (readonly [ChartTrigger, string])[] = [
  [{ kind: 'event', name: 'publish' }, 'publish'],
  [{ kind: 'always' }, 'always'],
  [{ kind: 'after', name: 'grace' }, 'after grace · 15 s'],
  [{ kind: 'after', name: 'backoff' }, 'after backoff'],
  [{ kind: 'after', name: '250' }, 'after 250 ms'],
  [{ kind: 'done', name: 'hold' }, 'hold done'],
  [{ kind: 'error', name: 'hold' }, 'hold failed'],
  [{ kind: 'error', name: '*' }, 'an actor failed'],
]
for (const [trigger, text] of triggers) {
  test(`a trigger is called ${text}`, () => expect(triggerText(trigger, delays)).toBe(text))
}

const durations: readonly (readonly [number, string])[] = [
  [0, '0 ms'],
  [250, '250 ms'],
  [1500, '1500 ms'],
  [2000, '2 s'],
  [90_000, '90 s'],
  [60_000, '1 min'],
  [10_800_000, '3 h'],
]
for (const [ms, text] of durations) {
  test(`${ms} ms are ${text}`, () => expect(duration(ms)).toBe(text))
}

const labels: readonly (readonly [what: string, transitions: readonly ChartTransition[], lines: readonly string[]])[] =
  [
    ['short: on one line', [takes('end', 'ok')], ['end [ok]']],
    ['long: the guard below', [takes('publication.fact', 'isConnected')], ['publication.fact', '[isConnected]']],
    [
      'two guards of one event',
      [takes('fact', 'isConnected'), takes('fact', 'hasPackets')],
      ['fact [isConnected]', '[hasPackets]'],
    ],
    ['no guard beside a guard: no condition', [takes('fact', 'isConnected'), takes('fact', null)], ['fact']],
    ['the same words once', [takes('fact', 'ok'), takes('fact', 'ok')], ['fact [ok]']],
    ['actions', [takes('end', null, 'note')], ['end', '/ note']],
    ['many actions', [takes('end', null, 'note', 'stop', 'tell')], ['end', '/ note +2']],
    ['actions without names', [takes('end', null, 'assign', '…')], ['end']],
    [
      'actions that two events share',
      [takes('done', null, 'tell'), takes('failed', null, 'tell')],
      ['done', 'failed', '/ tell'],
    ],
    [
      'actions by guard',
      [takes('end', 'a', 'note'), takes('end', 'b', 'tell')],
      ['end [a]', '/ note', '[b]', '/ tell'],
    ],
  ]
for (const [what, transitions, lines] of labels) {
  test(`a label, ${what}`, () => expect(labelOf(transitions, delays).map(lineText)).toEqual([...lines]))
}

function takes(name: string, guard: string | null, ...actions: string[]): ChartTransition {
  return { source: 'a', targets: ['b'], trigger: { kind: 'event', name }, guard, actions, reenter: false }
}
