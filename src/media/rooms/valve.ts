import { NotFoundError } from 'mediasoup/errors'

/** What media passes through, or does not: mediasoup's producers and consumers are this. */
export interface Valve {
  readonly closed: boolean
  pause(): Promise<void>
  resume(): Promise<void>
}

/**
 * Pauses all of them. Every request is on its way to the worker when this returns its
 * promise, in order; the promise resolves when the worker has confirmed each.
 *
 * The flags of mediasoup's own objects are not asked: they change when the answer comes, so
 * a `pause` while a `resume` is under way would be left out.
 */
export function pauseAll(valves: Iterable<Valve>): Promise<void> {
  return confirmed(valves, (valve) => valve.pause())
}

/** As {@link pauseAll}, the other way. */
export function resumeAll(valves: Iterable<Valve>): Promise<void> {
  return confirmed(valves, (valve) => valve.resume())
}

async function confirmed(valves: Iterable<Valve>, request: (valve: Valve) => Promise<void>): Promise<void> {
  const requests: Promise<void>[] = []
  for (const valve of valves) {
    if (valve.closed) continue
    requests.push(
      request(valve).catch((error: unknown) => {
        if (!isGone(valve, error)) throw error
      }),
    )
  }
  await Promise.all(requests)
}

/**
 * Closed in the meantime: nothing passes, whatever was asked. The worker knows before
 * mediasoup's object does that a consumer went with its producer.
 */
export function isGone(valve: { readonly closed: boolean }, error: unknown): boolean {
  return valve.closed || error instanceof NotFoundError
}
