import { expect, test } from 'bun:test'
import { InOrder } from '../../src/store/in-order.ts'

test('work of one key runs in order and alone; another key does not wait', async () => {
  const line = new InOrder()
  const log: string[] = []
  const gate = Promise.withResolvers<void>()
  const first = line.run('a', async () => {
    log.push('a1 begins')
    await gate.promise
    log.push('a1 ends')
  })
  const second = line.run('a', async () => {
    log.push('a2')
    return 2
  })
  await line.run('b', async () => log.push('b1'))
  expect(log).toEqual(['a1 begins', 'b1'])
  gate.resolve()
  await first
  expect(await second).toBe(2)
  expect(log).toEqual(['a1 begins', 'b1', 'a1 ends', 'a2'])
})

test('work that throws does not stop the next, and nothing is kept of what is done', async () => {
  const line = new InOrder()
  const bad = line.run('a', () => Promise.reject(new Error('no')))
  const good = line.run('a', async () => 'yes')
  expect(line.size).toBe(1)
  await expect(bad).rejects.toThrow('no')
  expect(await good).toBe('yes')
  await Promise.resolve()
  expect(line.size).toBe(0)
})
