import { expect, test } from 'bun:test'
import { chmod } from 'node:fs/promises'
import { join } from 'node:path'
import { faultOf } from '../../../src/media/worker-binary/probe.ts'
import { fakeWorker, newFolder } from './fake-worker.ts'

test('a program that ends with code 41 is a worker', async () => {
  expect(await faultOf(await fakeWorker(join(await newFolder(), 'w')))).toBeUndefined()
})

test('the probe gives the program no MEDIASOUP_VERSION, or a real worker would start', async () => {
  process.env.MEDIASOUP_VERSION = '3.0.0'
  try {
    const path = await fakeWorker(join(await newFolder(), 'w'), 'test -z "$MEDIASOUP_VERSION" && exit 41')
    expect(await faultOf(path)).toBeUndefined()
  } finally {
    delete process.env.MEDIASOUP_VERSION
  }
})

test('each thing that is no worker is told with its reason', async () => {
  const folder = await newFolder()
  const notExecutable = await fakeWorker(join(folder, 'plain'))
  await chmod(notExecutable, 0o644)
  const notAProgram = join(folder, 'text')
  await Bun.write(notAProgram, '\x7fELF, not really')
  await chmod(notAProgram, 0o755)

  expect(await faultOf(join(folder, 'nothing'))).toBe('there is no such file')
  expect(await faultOf(folder)).toBe('it is not a file')
  expect(await faultOf(notExecutable)).toBe('it is not executable')
  expect(await faultOf(notAProgram)).toStartWith('it does not start')
  expect(await faultOf(await fakeWorker(join(folder, 'other'), 'exit 0'))).toContain('exits with 0')
})
