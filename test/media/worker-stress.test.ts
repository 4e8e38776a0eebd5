import { expect, test } from 'bun:test'
import { startLayer } from './layer-under-test.ts'

/** Bun before 1.4 closed the worker's extra pipes twice and hung at about the tenth spawn. */
test('40 workers are started and killed without a hang', async () => {
  const layer = await startLayer([])
  const ids = Array.from({ length: 40 }, (_, index) => `w${index}`)
  let deaths = 0
  // Two at a time, as many as this machine's cores; a hang is the test's own timeout.
  for (let at = 0; at < ids.length; at += 2) {
    await Promise.all(
      ids.slice(at, at + 2).map(async (worker) => {
        await layer.workers.start({ worker })
        await layer.workers.beat({ worker })
        await new Promise<void>((resolve) => {
          layer.workers.observe({ worker }, () => {
            deaths += 1
            resolve()
          })
          layer.workers.kill({ worker })
        })
        await expect(layer.workers.beat({ worker })).rejects.toThrow()
      }),
    )
  }
  expect(deaths).toBe(40)
  await layer.close()
}, 60_000)
