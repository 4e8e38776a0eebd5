import type { Dependencies } from '../dependencies.ts'
import { playerView, StreamChannel, type Subscriber } from './stream-channel.ts'

/** The channels of the streams that somebody looks at, by the stream's id. */
export class Channels {
  readonly #channels = new Map<string, StreamChannel>()

  constructor(private readonly needs: Pick<Dependencies, 'system' | 'origin' | 'now'>) {}

  subscribe(stream: string, subscriber: Subscriber): void {
    const { system, origin, now } = this.needs
    const channel =
      this.#channels.get(stream) ?? new StreamChannel(system, stream, (facts) => playerView(facts, origin(), now()))
    this.#channels.set(stream, channel)
    channel.add(subscriber)
  }

  unsubscribe(stream: string, subscriber: Subscriber): void {
    const channel = this.#channels.get(stream)
    channel?.remove(subscriber)
    if (channel?.empty) {
      channel.close()
      this.#channels.delete(stream)
    }
  }
}
