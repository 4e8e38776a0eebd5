import { expect, test } from 'bun:test'
import { elapsed, longStep } from '../../../src/cli/setup/long-step.ts'

function output(isTTY: boolean) {
  const written: string[] = []
  return { isTTY, written, write: (text: string) => written.push(text) }
}

test('a log gets a line for each new thing, and none for each file of a kind', () => {
  const log = output(false)
  {
    using step = longStep('getting the worker', log)
    step.update('compiling 1/259', 1 / 259)
    step.update('compiling 2/259', 2 / 259)
    step.update('linking')
    step.done()
  }
  expect(log.written.map((line) => line.replace(/\d+\.\d s/, 'T'))).toEqual([
    'footlight: getting the worker … T\n',
    'footlight: compiling 1/259 0 % … T\n',
    'footlight: linking … T\n',
    'footlight: getting the worker: done after T\n',
  ])
})

test('a step that was not done is said to have failed', () => {
  const log = output(false)
  const fail = () => {
    using _step = longStep('installing', log)
    throw new Error('no network')
  }
  expect(fail).toThrow('no network')
  expect(log.written.at(-1)).toMatch(/^footlight: installing: failed after /)
})

test('a terminal gets one line that is written anew, and a whole one at the end', () => {
  const terminal = output(true)
  {
    using step = longStep('installing', terminal)
    step.aside('said by a command\n')
    step.done()
  }
  expect(terminal.written.every((text) => text.startsWith('\r\x1b[K'))).toBe(true)
  expect(terminal.written.filter((text) => text.endsWith('\n'))).toHaveLength(2)
})

test('times read as people say them', () => {
  expect([812, 12_400, 59_600, 303_000].map(elapsed)).toEqual(['0.8 s', '12 s', '1 min 00 s', '5 min 03 s'])
})
