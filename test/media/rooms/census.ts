import type { types } from 'mediasoup'
import { NotFoundError } from 'mediasoup/errors'

/**
 * Everything that a worker holds, asked of the worker itself: mediasoup's own objects change
 * their `paused` when answers come, so they cannot say what the worker does.
 */
export class Census {
  readonly #worker: types.Worker
  readonly #routers = new Set<types.Router>()
  readonly #transports = new Map<
    types.Transport,
    { readonly producers: Set<types.Producer>; readonly consumers: Set<types.Consumer> }
  >()

  constructor(worker: types.Worker) {
    this.#worker = worker
    worker.observer.on('newrouter', (router) => {
      this.#routers.add(router)
      whileOpen(router, () => this.#routers.delete(router))
      router.observer.on('newtransport', (transport) => {
        const on = { producers: new Set<types.Producer>(), consumers: new Set<types.Consumer>() }
        this.#transports.set(transport, on)
        whileOpen(transport, () => this.#transports.delete(transport))
        transport.observer.on('newproducer', (producer) => {
          on.producers.add(producer)
          whileOpen(producer, () => on.producers.delete(producer))
        })
        transport.observer.on('newconsumer', (consumer) => {
          on.consumers.add(consumer)
          whileOpen(consumer, () => on.consumers.delete(consumer))
        })
      })
    })
  }

  /** How many there are of each, as the worker counts them. */
  async counts(): Promise<{ routers: number; transports: number; producers: number; consumers: number }> {
    const counts = { routers: (await this.#worker.dump()).routerIds.length, transports: 0, producers: 0, consumers: 0 }
    for (const router of this.#routers) {
      const { transportIds, mapProducerIdConsumerIds, mapConsumerIdProducerId } = await router.dump()
      counts.transports += transportIds.length
      counts.producers += mapProducerIdConsumerIds.length
      counts.consumers += mapConsumerIdProducerId.length
    }
    return counts
  }

  /** Every producer and consumer, whether it is paused, and whose transport it is on. */
  async valves(): Promise<Valve[]> {
    const valves: Promise<Valve | null>[] = []
    for (const [transport, { producers, consumers }] of this.#transports) {
      const names = [transport.id, ...('iceParameters' in transport ? [ufragOf(transport)] : [])]
      for (const producer of producers) {
        valves.push(ask(producer, { type: 'producer', transport: names }))
      }
      const type = transport.type === 'pipe' ? 'pipe' : 'consumer'
      for (const consumer of consumers) {
        valves.push(ask(consumer, { type, transport: names }))
      }
    }
    return (await Promise.all(valves)).filter((valve) => valve !== null)
  }
}

export interface Valve {
  readonly id: string
  readonly type: 'producer' | 'consumer' | 'pipe'
  readonly paused: boolean
  /** The transport's id and, as an SDP answer names it, its ICE user fragment. */
  readonly transport: readonly string[]
}

/** `null`: the worker has closed it, and mediasoup's object does not know yet. */
async function ask(
  thing: { readonly id: string; dump(): Promise<{ paused: boolean }> },
  about: Pick<Valve, 'type' | 'transport'>,
): Promise<Valve | null> {
  try {
    return { id: thing.id, paused: (await thing.dump()).paused, ...about }
  } catch (error) {
    if (error instanceof NotFoundError) return null
    throw error
  }
}

function ufragOf(transport: types.Transport): string {
  return (transport as types.WebRtcTransport).iceParameters.usernameFragment
}

interface Closing {
  readonly observer: { once(event: 'close', listener: () => void): unknown }
}

function whileOpen(one: Closing, remove: () => void): void {
  one.observer.once('close', remove)
}
