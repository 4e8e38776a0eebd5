import { expect, test } from 'bun:test'
import { join } from 'node:path'
import { mediasoupPackage } from '../../../src/media/worker-binary/cache.ts'
import { correctedSource, workerSources } from '../../../src/media/worker-binary/recipe/sources.ts'
import { newFolder } from './fake-worker.ts'

const worker = join((await mediasoupPackage()).folder, 'worker')

test('every source that the meson files name is in the package, once', async () => {
  const sources = await workerSources(worker)
  expect(new Set(sources).size).toBe(sources.length)
  expect(sources).toContain('src/main.cpp')
  expect(sources).toContain('src/RTC/DtlsTransport.cpp')
  const missing = await Promise.all(
    sources.map(async (source) => ((await Bun.file(join(worker, source)).exists()) ? [] : [source])),
  )
  expect(missing.flat()).toEqual([])
})

// Should a new mediasoup compare the flag rightly, this fails and the correction can go.
test('the BIO callback of the installed mediasoup is corrected, and no other file', async () => {
  const build = await newFolder()
  const dtls = join(worker, 'src/RTC/DtlsTransport.cpp')
  const corrected = await correctedSource(dtls, build)
  expect(corrected).toBe(join(build, 'DtlsTransport.cpp'))
  const [before, after] = await Promise.all([Bun.file(dtls).text(), Bun.file(corrected).text()])
  expect(after).toBe(before.replace('(operationType == BIO_CB_RETURN)', '((operationType & BIO_CB_RETURN) != 0)'))
  expect(after).not.toBe(before)
  const other = join(worker, 'src/main.cpp')
  expect(await correctedSource(other, build)).toBe(other)
})
