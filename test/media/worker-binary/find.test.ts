import { expect, test } from 'bun:test'
import { join } from 'node:path'
import { cachedWorkers, mediasoupPackage } from '../../../src/media/worker-binary/cache.ts'
import { findWorker, locateWorker } from '../../../src/media/worker-binary/find.ts'
import { WorkerBinaryError } from '../../../src/media/worker-binary/worker-binary-error.ts'
import { fakeWorker, newFolder } from './fake-worker.ts'

const cachedIn = async (cache: string) => cachedWorkers(cache, (await mediasoupPackage()).version)

test('an empty cache holds no worker', async () => {
  expect(await findWorker({ env: {}, cache: await newFolder() })).toBeUndefined()
})

test('the order is MEDIASOUP_WORKER_BIN, own build, prebuilt', async () => {
  const cache = await newFolder()
  const cached = await cachedIn(cache)
  const named = await fakeWorker(join(cache, 'named'))

  await fakeWorker(cached.prebuilt)
  expect(await locateWorker({ env: {}, cache })).toEqual({ path: cached.prebuilt, origin: 'prebuilt' })
  await fakeWorker(cached.built)
  expect(await locateWorker({ env: {}, cache })).toEqual({ path: cached.built, origin: 'own build' })
  expect(await locateWorker({ env: { MEDIASOUP_WORKER_BIN: named }, cache })).toEqual({
    path: named,
    origin: 'MEDIASOUP_WORKER_BIN',
  })
})

test('a cached program that does not run here is passed over', async () => {
  const cache = await newFolder()
  const cached = await cachedIn(cache)
  await fakeWorker(cached.built, 'exit 127')
  expect(await findWorker({ env: {}, cache })).toBeUndefined()
  await fakeWorker(cached.prebuilt)
  expect(await findWorker({ env: {}, cache })).toBe(cached.prebuilt)
})

test('a wrong MEDIASOUP_WORKER_BIN is refused, though the cache has a worker', async () => {
  const cache = await newFolder()
  await fakeWorker((await cachedIn(cache)).built)
  const finding = findWorker({ env: { MEDIASOUP_WORKER_BIN: join(cache, 'nothing') }, cache })
  await expect(finding).rejects.toThrow(WorkerBinaryError)
  await expect(finding).rejects.toThrow('there is no such file')
})

test('the cache lies where XDG_CACHE_HOME says, else under HOME', async () => {
  const home = await newFolder()
  const under = await cachedIn(join(home, '.cache/footlight'))
  await fakeWorker(under.built)
  expect(await findWorker({ env: { HOME: home } })).toBe(under.built)
  expect(await findWorker({ env: { HOME: home, XDG_CACHE_HOME: join(home, 'elsewhere') } })).toBeUndefined()
})
