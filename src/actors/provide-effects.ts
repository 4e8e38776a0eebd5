import { fromCallback, fromPromise } from 'xstate'
import { refuse } from '../contracts/problem.ts'
import { refusalOfError } from './ask/refusal-of-error.ts'
import { iceSessionMachine } from './ice-session/ice-session-machine.ts'
import { mediaPoolMachine } from './media-pool/media-pool-machine.ts'
import { workerMachine } from './media-pool/worker-machine.ts'
import { memoryMachine } from './memory/memory-machine.ts'
import type {
  IceRestart,
  IceSession,
  MediaPort,
  PublicationFact,
  ViewerFact,
  WorkerBeat,
  WorkerPort,
} from './ports/media.ts'
import type { NewStream, StorePort, StreamChange } from './ports/store.ts'
import { type PublicationInput, publicationMachine } from './publication/publication-machine.ts'
import { createRegistryMachine, type FetchOutput, type LiveLimits } from './registry/registry-machine.ts'
import { createStreamMachine } from './stream/stream-machine.ts'
import { createViewerMachine, type OpenedViewer, type ViewerOpening } from './viewer/viewer-machine.ts'

export interface Ports {
  readonly media: MediaPort
  readonly workers: WorkerPort
  readonly store: StorePort
}

/** The registry's machine and all below it, with their effects bound to the ports. */
export function registryWithEffects({ media, store }: Ports, now: () => number, limits: LiveLimits) {
  const memory = memoryMachine.provide({
    actors: {
      keep: fromPromise<void, { stream: string; change: StreamChange }>(({ input }) =>
        store.keep(input.stream, input.change),
      ),
    },
  })
  const publication = publicationMachine.provide({
    actors: {
      iceSession: iceSessionMachine.provide({
        actors: {
          restart: fromPromise<IceRestart, { stream: string; session: string }>(({ input }) =>
            media.restartPublicationIce({ stream: input.stream, publication: input.session }),
          ),
        },
      }),
      openPublication: fromPromise<{ answer: string; ice: IceSession }, PublicationInput>(({ input }) =>
        media.openPublication(input),
      ),
      observePublication: fromCallback<{ type: 'none' }, { publication: string }>(({ input, sendBack }) =>
        media.observePublication(input, (fact: PublicationFact) => sendBack({ type: 'fact', fact })),
      ),
    },
    actions: { closeMedia: (_, params) => media.closePublication(params) },
  })
  const viewer = createViewerMachine({ now }).provide({
    actors: {
      iceSession: iceSessionMachine.provide({
        actors: {
          restart: fromPromise<IceRestart, { stream: string; session: string }>(({ input }) =>
            media.restartViewerIce({ stream: input.stream, viewer: input.session }),
          ),
        },
      }),
      openViewer: fromPromise<OpenedViewer, { stream: string; viewer: string; opening: ViewerOpening }>(({ input }) => {
        const { stream, viewer, opening } = input
        return opening.kind === 'whep'
          ? media.openWhepViewer({ stream, viewer, offer: opening.offer })
          : media.openViewer({ stream, viewer, rtpCapabilities: opening.rtpCapabilities })
      }),
      connectViewer: fromPromise<void, { stream: string; viewer: string; dtlsParameters: Record<string, unknown> }>(
        ({ input }) => media.connectViewer(input),
      ),
      startViewer: fromPromise<void, { stream: string; viewer: string }>(({ input }) => media.startViewer(input)),
      observeViewer: fromCallback<{ type: 'none' }, { viewer: string }>(({ input, sendBack }) =>
        media.observeViewer(input, (fact: ViewerFact) => sendBack({ type: 'fact', fact })),
      ),
    },
    actions: {
      closeMedia: ({ context }) => media.closeViewer({ stream: context.stream, viewer: context.viewer }),
    },
  })
  const stream = createStreamMachine({ now }).provide({
    actors: {
      memory,
      publication,
      viewer,
      holdMedia: fromPromise<void, { stream: string }>(({ input }) => media.hold(input)),
      releaseMedia: fromPromise<void, { stream: string }>(({ input }) => media.release(input)),
    },
    actions: { closeRoom: ({ context }) => media.closeRoom({ stream: context.id }) },
  })
  return createRegistryMachine(limits, stream).provide({
    actors: {
      load: fromPromise<FetchOutput, { stream: string }>(({ input }) =>
        fetched(input.stream, null, () => store.loadStream(input.stream), 'There is no such stream.'),
      ),
      create: fromPromise<FetchOutput, { ask: string; create: NewStream }>(({ input: { ask, create } }) =>
        fetched(create.id, ask, () => store.createStream(create), 'There is no such person to own the stream.'),
      ),
    },
    actions: {
      closeRoom: (_, params) => {
        // The registry must outlive whatever its streams die of.
        try {
          media.closeRoom(params)
        } catch {}
      },
    },
  })
}

/** The media pool's machine and its workers, with their effects bound to the port. */
export function mediaPoolWithEffects({ workers }: Ports) {
  const worker = workerMachine.provide({
    actors: {
      start: fromPromise<void, { worker: string }>(({ input }) => workers.start(input)),
      beat: fromPromise<WorkerBeat, { worker: string }>(({ input }) => workers.beat(input)),
      observe: fromCallback<{ type: 'none' }, { worker: string }>(({ input, sendBack }) =>
        workers.observe(input, () => sendBack({ type: 'died' })),
      ),
    },
    actions: { kill: (_, params) => workers.kill(params) },
  })
  return mediaPoolMachine.provide({ actors: { worker } })
}

async function fetched(
  stream: string,
  ask: string | null,
  fetch: () => ReturnType<StorePort['loadStream']>,
  missing: string,
): Promise<FetchOutput> {
  try {
    const record = await fetch()
    return { stream, ask, result: record === null ? { refusal: refuse('not_found', missing) } : { record } }
  } catch (error) {
    return { stream, ask, result: { refusal: refusalOfError(error, 'store') } }
  }
}
