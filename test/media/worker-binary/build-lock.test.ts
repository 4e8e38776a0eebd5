import { expect, test } from 'bun:test'
import { resolve } from 'node:path'
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
})

test('the lock of a process that was killed is free', async () => {
  const folder = await newFolder()
  const module = resolve(import.meta.dir, '../../../src/media/worker-binary/build-lock.ts')
  const script = `
    const { withBuildLock } = await import(${JSON.stringify(module)})
    await withBuildLock(${JSON.stringify(folder)}, () => {}, async () => {
      console.log('holding')
      await new Promise(() => setInterval(() => {}, 1000))
    })`
  const holder = Bun.spawn([process.execPath, '-e', script], { stdio: ['ignore', 'pipe', 'inherit'] })
  const { value } = await holder.stdout.getReader().read()
  expect(new TextDecoder().decode(value)).toBe('holding\n')

  const waits: string[] = []
  const kill = () => holder.kill('SIGKILL')
  const second = withBuildLock(
    folder,
    ({ doing }) => {
      waits.push(doing)
      kill()
    },
    async () => 'worked',
  )
  expect(await second).toBe('worked')
  expect(waits.length).toBeGreaterThan(0)
  expect(holder.signalCode ?? (await holder.exited)).toBe('SIGKILL')
})

test('a failure gives the lock back', async () => {
  const folder = await newFolder()
  const nothing = () => {}
  const failing = withBuildLock(folder, nothing, () => Promise.reject(new Error('no compiler')))
  await expect(failing).rejects.toThrow('no compiler')
  expect(
    await withBuildLock(
      folder,
      () => expect.unreachable(),
      async () => 'worked',
    ),
  ).toBe('worked')
})
