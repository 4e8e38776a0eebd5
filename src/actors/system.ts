import { type AnyActorRef, createActor, fromCallback, type InspectionEvent, setup } from 'xstate'
import { type AsksEvent, asksId } from './ask/answer.ts'
import { PendingAsks } from './ask/pending-asks.ts'
import type { Clock } from './clock.ts'
import { mediaPoolId } from './media-pool/media-pool-id.ts'
import type { PoolWorker } from './media-pool/media-pool-machine.ts'
import type { NewStream } from './ports/store.ts'
import { mediaPoolWithEffects, type Ports, registryWithEffects } from './provide-effects.ts'
import { registryId } from './registry/registry-id.ts'
import type { LiveLimits } from './registry/registry-machine.ts'
import type { StreamAsks, StreamAskType, StreamFacts, StreamTell } from './stream/stream-asks.ts'
import { type StreamNews, StreamWatchers } from './stream-watchers.ts'

export interface SystemOptions {
  readonly ports: Ports
  readonly clock: Clock
  readonly limits: LiveLimits
  /** The media workers' ids, one for each that is to run. */
  readonly workers: readonly string[]
  /** How long an ask may take, in ms. */
  readonly askDeadline?: number
  readonly inspect?: (event: InspectionEvent) => void
  /** The registry or the pool itself failed: nothing can be served any more. */
  readonly onFailure?: (error: unknown) => void
}

/** The actor system, as the layers outside see it: they ask, tell and watch, by a stream's id. */
export interface ActorSystem {
  /**
   * Asks a stream. Loads its actor when it sleeps.
   * @throws RefusedError with the actor's refusal, `not_found`, `store_unavailable`, `ask_timeout` or `stream_restarting`
   */
  ask<K extends StreamAskType>(stream: string, type: K, input: StreamAsks[K]['in']): Promise<StreamAsks[K]['out']>
  /** Creates a stream with its first ticket. @throws RefusedError */
  create(stream: NewStream): Promise<StreamFacts>
  /** Tells a stream something that has no answer. */
  tell(stream: string, event: StreamTell): void
  /** Calls `listener` whenever what is true of the stream changes, until the returned function is called. */
  watch(stream: string, listener: (news: StreamNews) => void): () => void
  /** The media workers, for readiness and operators. */
  describePool(): Promise<Readonly<Record<string, PoolWorker>>>
  stop(): void
}

/** Starts the actor system: asks, registry and media pool under one root. */
export function startSystem(options: SystemOptions): ActorSystem {
  const { clock, ports, limits, workers, inspect, askDeadline = 10_000 } = options
  const pending = new PendingAsks(clock)
  const watchers = new StreamWatchers()

  const root = setup({
    actors: {
      asks: fromCallback<AsksEvent>(({ receive }) => receive((event) => pending.settle(event))),
      registry: registryWithEffects(ports, () => clock.now(), limits),
      mediaPool: mediaPoolWithEffects(ports),
    },
  }).createMachine({
    id: 'system',
    invoke: [
      { src: 'asks', id: 'asks', systemId: asksId },
      { src: 'mediaPool', id: 'mediaPool', systemId: mediaPoolId, input: { workers } },
      { src: 'registry', id: 'registry', systemId: registryId },
    ],
  })
  const actor = createActor(root, {
    clock: clock as NonNullable<Parameters<typeof createActor>[1]>['clock'] & Clock,
    ...(inspect === undefined ? {} : { inspect }),
  })
  actor.subscribe({ error: (error) => options.onFailure?.(error) })
  actor.start()
  const registry = actor.system.get(registryId) as AnyActorRef
  registry.on('stream.awake', ({ stream }) => watchers.follow(stream, actor.system.get(stream) as AnyActorRef))
  const pool = actor.system.get(mediaPoolId) as AnyActorRef

  return {
    ask: (stream, type, input) =>
      pending.open(stream, askDeadline, (ask) =>
        registry.send({ type: 'deliver', stream, event: { ...input, type, ask } }),
      ) as Promise<never>,
    create: (stream) =>
      pending.open(null, askDeadline, (ask) =>
        registry.send({ type: 'stream.create', ask, create: stream }),
      ) as Promise<StreamFacts>,
    tell: (stream, event) => registry.send({ type: 'deliver', stream, event }),
    watch: (stream, listener) => watchers.add(stream, listener),
    describePool: () =>
      pending.open(null, askDeadline, (ask) => pool.send({ type: 'describe', ask })) as Promise<never>,
    stop: () => actor.stop(),
  }
}
