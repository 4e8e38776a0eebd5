import { afterEach, expect, test } from 'bun:test'
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { $ } from 'bun'
import { cachedWorkers, mediasoupPackage } from '../../../src/media/worker-binary/cache.ts'
import { ensureWorker } from '../../../src/media/worker-binary/ensure.ts'
import { fetchPrebuilt } from '../../../src/media/worker-binary/prebuilt.ts'
import { fakeWorker, newFolder } from './fake-worker.ts'

const servers: Bun.Server<undefined>[] = []
afterEach(() => servers.splice(0).forEach((server) => void server.stop(true)))

/** A stand-in for mediasoup's releases; answers what was asked for, too. */
function releases(answer: () => Response | Promise<Response>) {
  const asked: string[] = []
  const server = Bun.serve({
    port: 0,
    hostname: '127.0.0.1',
    fetch(request) {
      asked.push(new URL(request.url).pathname)
      return answer()
    },
  })
  servers.push(server)
  const env = { ...process.env, MEDIASOUP_WORKER_PREBUILT_DOWNLOAD_BASE_URL: `http://127.0.0.1:${server.port}` }
  return { env: { ...env, MEDIASOUP_WORKER_BIN: undefined }, asked }
}

async function archiveOf(body?: string): Promise<Blob> {
  const folder = await newFolder()
  await fakeWorker(join(folder, 'mediasoup-worker'), body)
  await $`tar -czf ${join(folder, 'archive.tgz')} -C ${folder} mediasoup-worker`.quiet()
  return Bun.file(join(folder, 'archive.tgz'))
}

test('a released worker is fetched with mediasoup’s own script, and found from then on', async () => {
  const archive = await archiveOf()
  const { env, asked } = releases(() => new Response(archive))
  const cache = await newFolder()
  const { version } = await mediasoupPackage()
  const { prebuilt } = await cachedWorkers(cache, version)

  expect(await ensureWorker({ env, cache })).toBe(prebuilt)
  expect(await ensureWorker({ env, cache })).toBe(prebuilt)
  expect(asked).toHaveLength(1)
  expect(asked[0]).toStartWith(`/${version}/mediasoup-worker-${version}-${process.platform}-${process.arch}`)
  expect((await readdir(cache)).sort()).toEqual([prebuilt.slice(cache.length + 1), 'worker.lock'])
})

test('a released worker that does not run here is not kept', async () => {
  const archive = await archiveOf('exit 127')
  const { env, asked } = releases(() => new Response(archive))
  const out = join(await newFolder(), 'worker')
  expect(await fetchPrebuilt({ mediasoup: await mediasoupPackage(), out, env })).toBe(false)
  expect(asked).toHaveLength(1)
  expect(await Bun.file(out).exists()).toBe(false)
})

test('where there is no release the build comes next, and no Python is asked to', async () => {
  const { env, asked } = releases(() => new Response('no', { status: 404 }))
  const cache = await newFolder()
  const steps: string[] = []
  const ensuring = ensureWorker({
    env,
    cache,
    onProgress: ({ doing }) => steps.push(doing),
    beforeBuild: () => Promise.reject(new Error('the tools are missing')),
  })
  await expect(ensuring).rejects.toThrow('the tools are missing')
  expect(asked).toHaveLength(1)
  expect(steps).toEqual(["fetching mediasoup's prebuilt worker"])
  // No half of a program is left.
  expect(await readdir(cache)).toEqual(['worker.lock'])
})

test('a download that does not end is given up at its deadline', async () => {
  const { promise, resolve } = Promise.withResolvers<Response>()
  const { env, asked } = releases(() => promise)
  const out = join(await newFolder(), 'worker')
  expect(await fetchPrebuilt({ mediasoup: await mediasoupPackage(), out, env, deadline: 1_500 })).toBe(false)
  expect(asked).toHaveLength(1)
  resolve(new Response())
})
