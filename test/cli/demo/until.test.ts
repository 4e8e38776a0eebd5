import { expect, test } from 'bun:test'
import { pause, until } from '../../../src/cli/demo/until.ts'

const never = new AbortController().signal

test('answers with the first thing that is found', async () => {
  let looks = 0
  const found = await until({ what: 'three', limit: 5000, every: 1, signal: never }, async () =>
    ++looks === 3 ? looks : undefined,
  )
  expect(found).toBe(3)
  expect(looks).toBe(3)
})

test('says what it waited for in vain', async () => {
  const waiting = until({ what: 'the picture', limit: 0, signal: never }, async () => undefined)
  await expect(waiting).rejects.toThrow('for the picture, in vain')
})

test('an abort ends a wait at once, with its reason', async () => {
  const stop = new AbortController()
  const waiting = pause(60_000, stop.signal)
  stop.abort(new Error('enough'))
  await expect(waiting).rejects.toThrow('enough')
  await expect(pause(1, stop.signal)).rejects.toThrow('enough')
})
