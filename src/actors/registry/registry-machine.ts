import { type AnyActorRef, fromPromise, setup } from 'xstate'
import { type Refusal, refuse } from '../../contracts/problem.ts'
import { answerAsk, answered, refused, toAsks } from '../ask/answer.ts'
import { decisions } from '../decide.ts'
import { mediaPoolId } from '../media-pool/media-pool-id.ts'
import type { NewStream, StreamRecord } from '../ports/store.ts'
import type { StreamAskEvent, StreamDelivery } from '../stream/stream-asks.ts'
import { streamContext } from '../stream/stream-context.ts'
import { streamFacts } from '../stream/stream-facts.ts'
import type { createStreamMachine } from '../stream/stream-machine.ts'

/** How many streams a person may have live at once: `liveOwner` (a handle) has a limit of their own. */
export interface LiveLimits {
  readonly person: number
  readonly liveOwner: { readonly handle: string; readonly limit: number } | null
}

export type RegistryEvent =
  /** Something for a stream, wherever it is: loads its actor when it sleeps. */
  | { readonly type: 'deliver'; readonly stream: string; readonly event: StreamDelivery }
  | { readonly type: 'stream.create'; readonly ask: string; readonly create: NewStream }
  /** A stream that nobody publishes, watches or changes. */
  | { readonly type: 'stream.quiet'; readonly stream: string }
  | { readonly type: 'slot.claim'; readonly stream: string; readonly owner: string; readonly handle: string }
  | { readonly type: 'slot.release'; readonly stream: string; readonly owner: string }
  | { readonly type: `xstate.done.actor.${string}`; readonly actorId: string; readonly output: FetchOutput }
  | { readonly type: `xstate.error.actor.${string}`; readonly actorId: string; readonly error: unknown }

/** What came of loading or creating a stream. Never a rejection: the registry answers for it. */
export interface FetchOutput {
  readonly stream: string
  readonly ask: string | null
  readonly result: { readonly record: StreamRecord } | { readonly refusal: Refusal }
}

export interface RegistryContext {
  /** Streams whose actor runs. */
  readonly awake: Readonly<Record<string, true>>
  /** Deliveries for streams that are being loaded, in order. */
  readonly loading: Readonly<Record<string, readonly StreamDelivery[]>>
  /** Live streams by owner: a slot is held from the claim until the stream is no longer live. */
  readonly slots: Readonly<Record<string, readonly string[]>>
}

const { on } = decisions<RegistryContext, RegistryEvent>()

/**
 * Finds, loads and puts away the actors of streams, and counts live streams per person.
 * A stream that crashes is forgotten here and loaded anew by its next event; no other notices.
 */
export function createRegistryMachine(limits: LiveLimits, streamMachine: ReturnType<typeof createStreamMachine>) {
  return setup({
    types: {
      context: {} as RegistryContext,
      events: {} as RegistryEvent,
      emitted: {} as { type: 'stream.awake'; stream: string },
    },
    actors: {
      stream: streamMachine,
      load: fromPromise<FetchOutput, { stream: string }>(async () => {
        throw new Error('load is not provided')
      }),
      create: fromPromise<FetchOutput, { ask: string; create: NewStream }>(async () => {
        throw new Error('create is not provided')
      }),
    },
    actions: {
      deliver: on<'deliver'>((context, { stream, event }, enqueue) => {
        if (Object.hasOwn(context.awake, stream)) return enqueue.sendTo(stream, event)
        const waiting = context.loading[stream]
        if (waiting === undefined) enqueue.spawnChild('load', { id: `load:${stream}`, input: { stream } })
        enqueue.assign({ loading: { ...context.loading, [stream]: [...(waiting ?? []), event] } })
      }),
      create: on<'stream.create'>((_context, { ask, create }, enqueue) =>
        enqueue.spawnChild('create', { id: `create:${create.id}`, input: { ask, create } }),
      ),
      takeFetched: on<`xstate.done.actor.${string}`>((context, { actorId, output }, enqueue) => {
        const { stream, ask, result } = output
        const { [stream]: waiting = [], ...loading } = context.loading
        enqueue.stopChild(actorId)
        enqueue.assign({ loading })
        if ('refusal' in result) {
          const asks = [...(ask === null ? [] : [ask]), ...waiting.filter(isAsk).map((event) => event.ask)]
          for (const each of asks) enqueue(answerAsk(each, refused(result.refusal)))
          return
        }
        // Asked for while it was being created, it was loaded as well: one actor is enough.
        if (!Object.hasOwn(context.awake, stream)) {
          enqueue.spawnChild('stream', { id: stream, systemId: stream, input: { record: result.record } })
          enqueue.assign({ awake: { ...context.awake, [stream]: true } })
          enqueue.emit({ type: 'stream.awake', stream })
        }
        if (ask !== null) enqueue(answerAsk(ask, answered(streamFacts(streamContext(result.record)))))
        for (const event of waiting) enqueue.sendTo(stream, event)
      }),
      /**
       * Only the registry sends to a stream from outside, so what it sent before is handled,
       * and what comes next finds the stream asleep and loads it.
       */
      putAway: on<'stream.quiet'>((context, { stream }, enqueue) => {
        enqueue.stopChild(stream)
        enqueue.assign(without(context, stream))
      }),
      bury: on<`xstate.error.actor.${string}`>((context, { actorId }, enqueue) => {
        enqueue.stopChild(actorId)
        enqueue.assign(without(context, actorId))
        enqueue(toAsks({ type: 'stream_lost', stream: actorId }))
        enqueue.sendTo(toPool, { type: 'release', stream: actorId })
        enqueue({ type: 'closeRoom', params: { stream: actorId } })
      }),
      /** Provided: closes what the media layer still holds of a stream whose actor died. */
      closeRoom: (_: unknown, _params: { stream: string }) => {},
      claimSlot: on<'slot.claim'>((context, { stream, owner, handle }, enqueue) => {
        const held = (context.slots[owner] ?? []).filter((id) => id !== stream)
        const limit = limits.liveOwner?.handle === handle ? limits.liveOwner.limit : limits.person
        if (held.length >= limit) {
          const detail = `Only ${limit} agent stream${limit === 1 ? '' : 's'} of yours may be live at a time. End or stop another one first.`
          enqueue.sendTo(stream, { type: 'slot.refused', refusal: refuse('live.agent_stream_limit', detail) })
          return
        }
        enqueue.assign({ slots: { ...context.slots, [owner]: [...held, stream] } })
        enqueue.sendTo(stream, { type: 'slot.granted' })
      }),
      releaseSlot: on<'slot.release'>((context, { stream }, enqueue) =>
        enqueue.assign({ slots: slotsWithout(context.slots, stream) }),
      ),
    },
  }).createMachine({
    id: 'registry',
    description: 'finds, loads and puts away the streams',
    context: { awake: {}, loading: {}, slots: {} },
    on: {
      deliver: { actions: 'deliver' },
      'stream.create': { actions: 'create' },
      'stream.quiet': { actions: 'putAway' },
      'slot.claim': { actions: 'claimSlot' },
      'slot.release': { actions: 'releaseSlot' },
      'xstate.done.actor.*': { actions: 'takeFetched' },
      'xstate.error.actor.*': { actions: 'bury' },
    },
  })
}

const toPool = ({ system }: { system: { get(id: string): AnyActorRef } }) => system.get(mediaPoolId)

function isAsk(event: StreamDelivery): event is StreamAskEvent {
  return 'ask' in event
}

function without(context: RegistryContext, stream: string): Pick<RegistryContext, 'awake' | 'slots'> {
  const { [stream]: _gone, ...awake } = context.awake
  return { awake, slots: slotsWithout(context.slots, stream) }
}

function slotsWithout(slots: RegistryContext['slots'], stream: string): RegistryContext['slots'] {
  const left = Object.entries(slots).map(([owner, held]) => [owner, held.filter((id) => id !== stream)] as const)
  return Object.fromEntries(left.filter(([, held]) => held.length > 0))
}
