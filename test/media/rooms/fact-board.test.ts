import { expect, test } from 'bun:test'
import { FactBoard } from '../../../src/media/rooms/fact-board.ts'

interface Fact {
  readonly type: 'connected' | 'packets' | 'closed'
}
const board = () => new FactBoard<Fact>({ type: 'closed' })
const observe = (on: FactBoard<Fact>, id: string) => {
  const told: string[] = []
  const stop = on.observe(id, ({ type }) => void told.push(type))
  return { told, stop }
}

test('facts come in order, and the end once', async () => {
  const facts = board()
  facts.add('one')
  const { told } = observe(facts, 'one')
  facts.tell('one', { type: 'connected' }, true)
  facts.tell('one', { type: 'packets' }, false)
  facts.tell('other', { type: 'packets' }, false)
  facts.remove('one')
  facts.remove('one')
  facts.tell('one', { type: 'packets' }, false)
  await Promise.resolve()
  expect(told).toEqual(['connected', 'packets', 'closed'])
})

test('who comes late is told what still holds, after observe has returned', async () => {
  const facts = board()
  facts.add('one')
  facts.tell('one', { type: 'connected' }, true)
  facts.tell('one', { type: 'packets' }, false)
  const { told } = observe(facts, 'one')
  expect(told).toEqual([])
  await Promise.resolve()
  expect(told).toEqual(['connected'])
})

test('who stopped is told nothing, and two observers do not disturb each other', async () => {
  const facts = board()
  facts.add('one')
  facts.tell('one', { type: 'connected' }, true)
  const first = observe(facts, 'one')
  const second = observe(facts, 'one')
  first.stop()
  first.stop()
  await Promise.resolve()
  expect([first.told, second.told]).toEqual([[], ['connected']])
  expect(facts.observed('one')).toBe(true)
  second.stop()
  expect(facts.observed('one')).toBe(false)
})

test('an observer may stop, or close the thing, from within', () => {
  const facts = board()
  facts.add('one')
  const { told } = observe(facts, 'one')
  const stop = facts.observe('one', () => {
    stop()
    facts.remove('one')
  })
  facts.tell('one', { type: 'packets' }, false)
  expect(told).toEqual(['packets', 'closed'])
})
