import type { MediaPort, WorkerPort } from '../actors/ports/media.ts'
import { roomCodecs } from './codecs.ts'
import { Rooms } from './rooms/rooms.ts'
import { Workers, type WorkersOptions } from './workers.ts'

export type MediaLayerOptions = WorkersOptions

export interface MediaLayer {
  readonly media: MediaPort
  readonly workers: WorkerPort
  /** Closes every room and ends every worker. */
  close(): Promise<void>
}

/**
 * The media layer: mediasoup behind the actors' ports. It starts nothing by itself; the
 * pool's actor starts workers. `requestTimeoutMs` bounds every call, since mediasoup's own
 * requests have no deadline.
 */
export function createMediaLayer(options: MediaLayerOptions): MediaLayer {
  const workers = new Workers(options)
  const rooms = new Rooms(workers, { codecs: roomCodecs, requestTimeoutMs: options.requestTimeoutMs })
  return {
    media: rooms,
    workers,
    async close() {
      rooms.close()
      await workers.close()
    },
  }
}
