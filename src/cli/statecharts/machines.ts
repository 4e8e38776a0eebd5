import type { AnyStateMachine } from 'xstate'
import { iceSessionMachine } from '../../actors/ice-session/ice-session-machine.ts'
import { mediaPoolMachine } from '../../actors/media-pool/media-pool-machine.ts'
import { workerMachine } from '../../actors/media-pool/worker-machine.ts'
import { memoryMachine } from '../../actors/memory/memory-machine.ts'
import { publicationMachine } from '../../actors/publication/publication-machine.ts'
import { createRegistryMachine } from '../../actors/registry/registry-machine.ts'
import { createStreamMachine } from '../../actors/stream/stream-machine.ts'
import { createViewerMachine } from '../../actors/viewer/viewer-machine.ts'
import { createDeskMachine } from '../../desk/desk-machine.ts'
import type { DeskPorts } from '../../desk/desk-ports.ts'
import { connectionMachine } from '../../web/player/connection.ts'

/** A machine with a picture, which bears the machine's id. */
export interface DocumentedMachine {
  readonly machine: AnyStateMachine
  /** From the repository's root. */
  readonly source: string
  /** What it is for: a paragraph of Markdown. */
  readonly about: string
}

/** Every statechart of Footlight, in the order in which they are best read. */
export function documentedMachines(): readonly DocumentedMachine[] {
  const stream = createStreamMachine({ now: unusedClock })
  return [
    {
      machine: stream,
      source: 'src/actors/stream/stream-machine.ts',
      about:
        'One agent stream, and the only place that knows what is true of it now. It is `idle` until a desk publishes with the current ticket, `live` while the session is up, and `ended` for good. While it is live two things go on side by side: `link` follows what comes in from the desk, `curtain` decides what goes out to the viewers. It starts a [publication](#publication), the [viewers](#viewer) and its [memory](#memory), and asks the [registry](#registry) for a live slot and the [media pool](#media-pool) for a worker.',
    },
    {
      machine: publicationMachine,
      source: 'src/actors/publication/publication-machine.ts',
      about:
        'One WHIP session in the media layer: its transport and its producers. It opens them, tells its [stream](#stream) what becomes of them, and closes them. What that means for the stream, the stream decides.',
    },
    {
      machine: createViewerMachine({ now: unusedClock }),
      source: 'src/actors/viewer/viewer-machine.ts',
      about:
        "One viewer, by our player's socket or by WHEP. Once its link is up, the curtain decides between `watching` and `held`. Its consumers are made paused and are started when it first watches, because one created flowing would lose its key frame.",
    },
    {
      machine: iceSessionMachine,
      source: 'src/actors/ice-session/ice-session-machine.ts',
      about:
        'The ICE session of a WHIP or WHEP session: a [publication](#publication) or a [viewer](#viewer) by WHEP starts one. It answers what comes by `PATCH`: candidates at once, ICE restarts one after the other. A restart that fails leaves it as it was.',
    },
    {
      machine: memoryMachine,
      source: 'src/actors/memory/memory-machine.ts',
      about:
        'What a stream has still to keep. Changes go to the store one at a time, in the order in which they were decided, and the [stream](#stream) is told what became of each. Those that must not be lost, such as a curtain that was raised, are tried again until the store is back.',
    },
    {
      machine: createRegistryMachine({ person: 1, liveOwner: null }, stream),
      source: 'src/actors/registry/registry-machine.ts',
      about:
        'Finds, loads and puts away the actors of [streams](#stream), and counts the live streams of each person. It has one state; what it knows is in its context.',
    },
    {
      machine: mediaPoolMachine,
      source: 'src/actors/media-pool/media-pool-machine.ts',
      about:
        'The media workers, one a core: which are up, and which stream is on which. A stream that goes live gets the least loaded one. When a [worker](#worker) dies, the streams on it are told, and no others. It has one state; what it knows is in its context.',
    },
    {
      machine: workerMachine,
      source: 'src/actors/media-pool/worker-machine.ts',
      about:
        'Keeps one media worker process running. It asks for a sign of life again and again, takes one that gives none for dead, and starts it anew, after a wait that doubles with each failure.',
    },
    {
      machine: connectionMachine,
      source: 'src/web/player/connection.ts',
      about:
        'The player in the watch page and in embeds. Three things go on side by side: `wire` keeps the socket to the server, `media` the link that the picture comes by, `curtain` covers the picture. The link outlives the wire: a socket that breaks and comes back leaves the picture alone.',
    },
    {
      machine: createDeskMachine(unusedPorts),
      source: 'src/desk/desk-machine.ts',
      about:
        "The reference desk. It opens its browser, puts it on air and keeps it there, through a restarted server, a lost link and a ticket's age, until it is told to stop or can do nothing more. On air it keeps its WHIP session, its encoder, the server's wishes and its ticket side by side.",
    },
  ]
}

/** Machines are described here and never run. */
const unusedPorts: DeskPorts = new Proxy({} as DeskPorts, {
  get: (_, port) => {
    throw new Error(`a machine that is only described asked for ${String(port)}`)
  },
})

function unusedClock(): never {
  throw new Error('a machine that is only described asked for the time')
}
