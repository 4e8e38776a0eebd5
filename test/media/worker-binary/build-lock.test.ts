import { expect, test } from 'bun:test'
import { readdir, utimes } from 'node:fs/promises'
import { join } from 'node:path'
import { withBuildLock } from '../../../src/media/worker-binary/build-lock.ts'
import { newFolder } from './fake-worker.ts'

test('who comes second waits, says so, and works after the first', async () => {
  const folder = await newFolder()
  const events: string[] = []
  const isWaiting = Promise.withResolvers<void>()
  let second: Promise<unknown> = Promise.resolve()
  await withBuildLock(
    folder,
    () => {},
    async () => {
      events.push('first begins')
      second = withBuildLock(
        folder,
        ({ doing }) => {
          expect(doing).toStartWith('waiting for')
          isWaiting.resolve()
        },
        async () => events.push('second begins'),
      )
      await isWaiting.promise
      events.push('first ends')
    },
  )
  await second
  expect(events).toEqual(['first begins', 'first ends', 'second begins'])
  expect(await readdir(folder)).toEqual([])
})

test('the lock of a process that was killed is taken over', async () => {
  const folder = await newFolder()
  const lock = join(folder, 'worker.lock')
  await Bun.write(lock, '')
  const longAgo = new Date(Date.now() - 60_000)
  await utimes(lock, longAgo, longAgo)
  expect(
    await withBuildLock(
      folder,
      () => {},
      async () => 'worked',
    ),
  ).toBe('worked')
})

test('a failure gives the lock back', async () => {
  const folder = await newFolder()
  const failing = withBuildLock(
    folder,
    () => {},
    () => Promise.reject(new Error('no compiler')),
  )
  await expect(failing).rejects.toThrow('no compiler')
  expect(await readdir(folder)).toEqual([])
})
