import { expect, test } from 'bun:test'
import { readdir } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { setup } from 'xstate'
import { describeMachine } from '../../src/cli/statecharts/describe-machine.ts'
import { pictureFolder, statechartFiles } from '../../src/cli/statecharts/files.ts'
import { documentedMachines } from '../../src/cli/statecharts/machines.ts'
import type { ChartState } from '../../src/web/statechart/chart-description.ts'

const root = resolve(import.meta.dir, '../..')
const files = await statechartFiles()

for (const [path, text] of files) {
  test(`${path} is what the machines say`, async () => {
    const committed = Bun.file(join(root, path))
    const same = (await committed.exists()) && (await committed.text()) === text
    if (!same) throw new Error(`${path} is out of date: run ./footlight statecharts and commit what it writes.`)
  })
}

test('there is no picture of a machine that is gone', async () => {
  const pictures = (await readdir(join(root, pictureFolder))).map((name) => `${pictureFolder}/${name}`)
  expect(pictures.sort()).toEqual([...files.keys()].filter((path) => path.endsWith('.svg')).sort())
})

test('every machine of the actors, the player and the desk is among them', async () => {
  const glob = new Bun.Glob('{actors,web,desk}/**/*.ts')
  const sources = await Array.fromAsync(glob.scan({ cwd: join(root, 'src') }))
  const withMachines = []
  for (const source of sources) {
    // It has no states and decides nothing: it starts the others.
    if (source === 'actors/system.ts') continue
    if (/\.createMachine\(/.test(await Bun.file(join(root, 'src', source)).text())) withMachines.push(`src/${source}`)
  }
  expect(
    documentedMachines()
      .map(({ source }) => source)
      .sort(),
  ).toEqual(withMachines.sort())
})

test('what is written twice is the same', async () => {
  expect(await statechartFiles()).toEqual(files)
}, 60_000)

test('a process that has laid out a graph ends by itself', async () => {
  const elk = JSON.stringify(join(root, 'src/cli/statecharts/elk.ts'))
  const script = `await (await import(${elk})).createElk().layout({ id: 'graph' })`
  const run = Bun.spawn([process.execPath, '-e', script], { stdio: ['ignore', 'ignore', 'inherit'], timeout: 30_000 })
  expect(await run.exited).toBe(0)
}, 60_000)

const lamp = setup({
  types: { events: {} as { type: 'press' } | { type: 'ask' } | { type: 'break'; hard: boolean } },
  guards: { hasPower: () => true, isHard: (_, _params: { how: string }) => true },
  actions: { glow: () => {}, answer: () => {} },
  delays: { patience: 1500, mood: () => 1 },
}).createMachine({
  id: 'lamp',
  type: 'parallel',
  on: { ask: { actions: 'answer' } },
  states: {
    light: {
      initial: 'off',
      states: {
        off: {
          description: 'dark',
          on: { press: [{ guard: 'hasPower', target: 'on', actions: 'glow' }, { target: 'broken' }] },
        },
        on: { entry: 'glow', after: { patience: 'off', mood: { target: 'on', reenter: true } } },
        broken: { type: 'final' },
      },
    },
    fan: {
      initial: 'still',
      on: { break: { guard: { type: 'isHard', params: { how: 'hard' } }, target: '.still' } },
      states: { still: { always: { guard: ({ context }) => context !== undefined, target: 'turning' } }, turning: {} },
    },
  },
})

test('a machine as plain data: states', () => {
  const { root: lampState, delays } = describeMachine(lamp)
  expect(delays).toEqual({ mood: null, patience: 1500 })
  expect(lampState.kind).toBe('parallel')
  expect(lampState.states.map(({ id, kind, initial }) => [id, kind, initial])).toEqual([
    ['lamp.light', 'compound', 'lamp.light.off'],
    ['lamp.fan', 'compound', 'lamp.fan.still'],
  ])
  expect(lampState.states[0]?.states).toEqual([
    state('off', { description: 'dark' }),
    state('on', { entry: ['glow'] }),
    state('broken', { kind: 'final' }),
  ])
})

test('a machine as plain data: transitions', () => {
  const lines = describeMachine(lamp).transitions.map(({ source, targets, trigger, guard, actions, reenter }) =>
    [
      source,
      targets.join(),
      trigger.kind === 'always' ? 'always' : `${trigger.kind} ${trigger.name}`,
      guard ?? '',
      actions.join(),
      reenter ? 'anew' : '',
    ].join('|'),
  )
  expect(lines).toEqual([
    'lamp||event ask||answer|',
    'lamp.light.off|lamp.light.on|event press|hasPower|glow|',
    'lamp.light.off|lamp.light.broken|event press|not hasPower||',
    'lamp.light.on|lamp.light.off|after patience|||',
    'lamp.light.on|lamp.light.on|after mood|||anew',
    'lamp.fan|lamp.fan.still|event break|isHard hard||',
    'lamp.fan.still|lamp.fan.turning|always|…||',
  ])
})

function state(key: string, more: Partial<ChartState>): ChartState {
  return {
    id: `lamp.light.${key}`,
    key,
    kind: 'atomic',
    description: null,
    initial: null,
    entry: [],
    exit: [],
    invokes: [],
    states: [],
    ...more,
  }
}
