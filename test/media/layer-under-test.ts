import { createMediaLayer, type MediaLayer, type MediaLayerOptions } from '../../src/media/media-layer.ts'

/** The worker program that the tests run. */
export function workerBin(): string {
  const path = process.env.MEDIASOUP_WORKER_BIN
  if (path === undefined || path === '') {
    throw new Error(
      'The media tests need mediasoup-worker: set MEDIASOUP_WORKER_BIN to its path (./footlight test does that).',
    )
  }
  return path
}

/** A media layer on loopback, with its workers started. */
export async function startLayer(
  workers: readonly string[],
  options: Partial<MediaLayerOptions> = {},
): Promise<MediaLayer> {
  const layer = createMediaLayer({
    workerBin: workerBin(),
    listenIp: '127.0.0.1',
    basePort: 0,
    requestTimeoutMs: 5000,
    ...options,
  })
  await Promise.all(workers.map((worker) => layer.workers.start({ worker })))
  return layer
}
