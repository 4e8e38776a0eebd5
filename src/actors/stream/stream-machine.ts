import { fromPromise, setup } from 'xstate'
import { memoryMachine } from '../memory/memory-machine.ts'
import type { Millis, StreamRecord } from '../ports/store.ts'
import { publicationMachine } from '../publication/publication-machine.ts'
import { createViewerMachine } from '../viewer/viewer-machine.ts'
import { streamActions, type ViewerDropped, type ViewerLeft } from './stream-actions.ts'
import { type StreamContext, type StreamEvent, streamContext } from './stream-context.ts'
import { streamGuards } from './stream-guards.ts'

/** How long a desk may be away before its session is over. */
export const grace = 15_000
/** How long a session that was accepted may take to connect. */
export const connectTimeout = 15_000
/** How often a stream that nobody uses offers to be put away. */
export const quietTime = 30_000

const badTicket = {
  type: 'refuseAsk',
  params: {
    code: 'invalid_ticket',
    detail: 'The publish ticket is not valid for this stream: expired, revoked or replaced. Mint another one.',
  },
} as const

const publishing = {
  type: 'refuseAsk',
  params: {
    code: 'already_publishing',
    detail: 'A session is up. End it first, or wait: a session whose link is lost gives way by itself.',
    retryAfter: 2,
  },
} as const

const ended = {
  type: 'refuseAsk',
  params: { code: 'stream_ended', detail: 'The stream has ended. Create another one.' },
} as const

const notLive = {
  type: 'refuseAsk',
  params: { code: 'not_live', detail: 'The desk is not publishing. Try again when the stream is live.', retryAfter: 2 },
} as const

const behindCurtain = {
  type: 'refuseAsk',
  params: { code: 'curtain_up', detail: 'The curtain is up: no still goes in or out. Try again when it is down.' },
} as const

const unseen = {
  type: 'refuseAsk',
  params: { code: 'not_found', detail: 'There is no such stream, or it is not yours to see.' },
} as const

const noSession = {
  type: 'refuseAsk',
  params: { code: 'session_not_found', detail: 'There is no such session. Start a new one.' },
} as const

/**
 * One agent stream. Pure: time comes from `now`, media and store from the actors and actions
 * that whoever starts it provides (see ../provide-effects.ts).
 */
export function createStreamMachine({ now }: { now: () => Millis }) {
  return setup({
    types: {
      context: {} as StreamContext,
      input: {} as { record: StreamRecord },
      events: {} as StreamEvent,
      emitted: {} as ViewerDropped | ViewerLeft,
    },
    actors: {
      memory: memoryMachine,
      publication: publicationMachine,
      viewer: createViewerMachine({ now }),
      holdMedia: fromPromise<void, { stream: string }>(async () => {
        throw new Error('holdMedia is not provided')
      }),
      releaseMedia: fromPromise<void, { stream: string }>(async () => {
        throw new Error('releaseMedia is not provided')
      }),
    },
    guards: streamGuards(now),
    actions: streamActions(now),
    delays: { grace, connectTimeout, quietTime },
  }).createMachine({
    id: 'stream',
    description: 'what is true of one agent stream now',
    context: ({ input }) => streamContext(input.record),
    invoke: { id: 'memory', src: 'memory', input: ({ context }) => ({ stream: context.id }) },
    entry: 'armTicket',
    initial: 'idle',
    on: {
      describe: { actions: 'answerFacts' },
      'ticket.verify': { actions: 'answerVerdict' },
      'ticket.mint': { actions: 'mintTicket' },
      'ticket.revoke': { target: '.idle', actions: 'revokeTickets' },
      'ticket.due': [{ guard: 'ticketExpired', target: '.ended', actions: 'endByExpiry' }, { actions: 'armTicket' }],
      end: [
        { guard: 'ticketBad', actions: badTicket },
        { target: '.ended', actions: 'endByAsk' },
      ],
      publish: [{ guard: 'ticketBad', actions: badTicket }, { actions: publishing }],
      unpublish: [
        { guard: 'ticketBad', actions: badTicket },
        { guard: 'samePublication', target: '.idle', actions: 'answerNull' },
        { actions: noSession },
      ],
      'publication.patch': [
        { guard: 'ticketBad', actions: badTicket },
        { guard: 'samePublication', actions: 'patchPublication' },
        { actions: noSession },
      ],
      'publication.check': [{ guard: 'samePublication', actions: 'answerNull' }, { actions: noSession }],
      'desk.state': [{ guard: 'ticketBad', actions: badTicket }, { actions: 'answerDeskState' }],
      'curtain.set': [
        { guard: 'ticketBad', actions: badTicket },
        { guard: 'raises', actions: 'raiseCurtain' },
        { guard: 'lowersTooSoon', actions: 'refuseLowering' },
        { actions: 'lowerCurtain' },
      ],
      'curtain.holds': { actions: 'answerHolds' },
      'visibility.set': { actions: 'setVisibility' },
      'link.verify': { actions: 'answerLink' },
      'link.rotate': { actions: 'rotateLink' },
      'share.removed': { actions: 'dropNamed' },
      'moderator.removed': { actions: 'dropNamed' },
      'view_ticket.renewed': { actions: 'renewViewers' },
      'still.set': [
        { guard: 'ticketBad', actions: badTicket },
        { guard: 'isHeld', actions: behindCurtain },
        { actions: 'keepStill' },
      ],
      'still.get': [{ guard: 'isHeld', actions: behindCurtain }, { actions: 'answerStill' }],
      'memory.kept': { actions: 'applyKept' },
      'memory.failed': { actions: 'applyFailed' },
      'viewer.join': [{ guard: 'rightLost', actions: unseen }, { actions: 'joinViewer' }],
      'viewer.consume': [
        {
          guard: ({ context, event }) => !Object.hasOwn(context.viewers, event.viewer),
          description: 'unknown viewer',
          actions: noSession,
        },
        { guard: 'mediaReady', actions: 'openViewer' },
        { actions: notLive },
      ],
      'viewer.connect': [{ guard: 'knowsViewer', actions: 'connectViewer' }, { actions: noSession }],
      'viewer.whep': [
        { guard: 'rightLost', actions: unseen },
        { guard: 'mediaReady', actions: 'joinWhep' },
        { actions: notLive },
      ],
      'viewer.patch': [{ guard: 'knowsViewer', actions: 'patchViewer' }, { actions: noSession }],
      'viewer.leave': [{ guard: 'knowsViewer', actions: 'leaveViewer' }, { actions: noSession }],
      'viewer.check': [{ guard: 'knowsViewer', actions: 'answerNull' }, { actions: noSession }],
      'viewer.detached': { guard: 'knowsViewer', actions: 'detachViewer' },
      'viewer.gone': { actions: 'forgetViewer' },
      'xstate.error.actor.*': [{ guard: 'publicationFailed', target: '.idle' }, { actions: 'forgetFailed' }],
    },
    states: {
      idle: {
        description: 'no desk publishes',
        always: [
          { guard: 'hasEnded', target: 'ended' },
          { guard: 'ticketExpired', target: 'ended', actions: 'endByExpiry' },
        ],
        initial: 'waiting',
        states: {
          waiting: {
            description: 'for the desk',
            entry: ['settlePublishing', 'releaseSlot'],
            on: {
              publish: [
                { guard: 'ticketBad', actions: badTicket },
                { target: 'claiming', actions: 'acceptOffer' },
              ],
            },
            after: {
              quietTime: [
                { guard: 'nobodyHere', target: 'waiting', reenter: true, actions: 'tellQuiet' },
                { target: 'waiting', reenter: true },
              ],
            },
          },
          claiming: {
            description: 'a live slot of the person',
            entry: 'claimSlot',
            on: {
              'slot.granted': 'placing',
              'slot.refused': { target: 'waiting', actions: 'refusePublishing' },
            },
          },
          placing: {
            description: 'on a media worker',
            entry: 'askWorker',
            on: {
              'worker.placed': { target: '#stream.live', actions: 'noteWorker' },
              'worker.none': { target: 'waiting', actions: 'refusePublishing' },
            },
          },
        },
      },
      live: {
        type: 'parallel',
        description: 'a desk publishes',
        entry: 'armWork',
        exit: [
          'keepWorked',
          'stopWork',
          'closePublication',
          'closeRoom',
          'forgetHold',
          // With the media gone nothing flows: what waited for the hold is kept now.
          'keepCurtain',
          { type: 'noteLink', params: { link: null } },
        ],
        on: {
          'publication.refused': { guard: 'samePublication', target: 'idle', actions: 'publicationRefused' },
          'publication.fact': { guard: { type: 'factIs', params: { fact: 'closed' } }, target: 'idle' },
          'worker.lost': 'idle',
          'work.due': { actions: ['keepWorked', 'armWork'] },
        },
        states: {
          link: {
            description: 'what comes in from the desk',
            initial: 'connecting',
            on: {
              'publication.opened': { guard: 'samePublication', actions: 'publicationOpened' },
            },
            states: {
              connecting: {
                description: 'ICE and DTLS',
                entry: [{ type: 'noteLink', params: { link: 'connecting' } }, 'openPublication'],
                after: { connectTimeout: 'out' },
                on: {
                  'publication.fact': { guard: { type: 'factIs', params: { fact: 'connected' } }, target: 'flowing' },
                },
              },
              flowing: {
                description: 'packets come',
                entry: [{ type: 'noteLink', params: { link: 'flowing' } }, 'armSilence'],
                on: {
                  'publication.fact': [
                    { guard: { type: 'factIs', params: { fact: 'packets' } }, actions: 'armSilence' },
                    { guard: { type: 'factIs', params: { fact: 'disconnected' } }, target: 'interrupted' },
                  ],
                  silence: { guard: 'deskShouldSend', target: 'interrupted' },
                },
              },
              interrupted: {
                description: 'the desk may come back',
                entry: { type: 'noteLink', params: { link: 'interrupted' } },
                after: { grace: 'out' },
                on: {
                  'publication.fact': [
                    { guard: { type: 'factIs', params: { fact: 'connected' } }, target: 'flowing' },
                    { guard: { type: 'factIs', params: { fact: 'packets' } }, target: 'flowing' },
                  ],
                  /** The desk is back: the lost session gives way at once. */
                  publish: [
                    { guard: 'ticketBad', actions: badTicket },
                    { target: 'connecting', actions: ['closePublication', 'acceptOffer'] },
                  ],
                },
              },
              out: { description: 'session over', always: '#stream.idle' },
            },
          },
          curtain: {
            description: 'what goes out to the viewers',
            initial: 'down',
            states: {
              down: {
                description: 'media flows',
                always: { guard: 'curtainIsUp', target: 'rising' },
                on: { 'publication.opened': { guard: 'wasOpenedHeld', target: 'lifting' } },
              },
              /** The media layer is being told; nobody is answered before it holds. */
              rising: {
                description: 'media pauses',
                entry: 'holdViewers',
                invoke: {
                  src: 'holdMedia',
                  input: ({ context }) => ({ stream: context.id }),
                  onDone: { target: 'up', actions: ['confirmHold', 'keepCurtain'] },
                  // What cannot be held must not run.
                  onError: '#stream.idle',
                },
                on: { 'publication.opened': { target: 'rising', reenter: true } },
              },
              up: {
                description: 'nothing leaves',
                always: { guard: 'curtainIsDown', target: 'lifting' },
                on: { 'publication.opened': 'rising' },
              },
              lifting: {
                description: 'media resumes',
                entry: 'noteLifting',
                invoke: {
                  src: 'releaseMedia',
                  input: ({ context }) => ({ stream: context.id }),
                  onDone: { target: 'down', actions: 'releaseViewers' },
                  onError: { target: 'down', actions: 'releaseViewers' },
                },
                always: { guard: 'curtainIsUp', target: 'rising' },
                // A session that was begun behind the curtain is held until it is told otherwise.
                on: { 'publication.opened': { guard: 'wasOpenedHeld', target: 'lifting', reenter: true } },
              },
            },
          },
        },
      },
      ended: {
        description: 'for good',
        entry: ['settlePublishing', 'releaseSlot', 'dismissViewers'],
        on: {
          'ticket.mint': { actions: ended },
          'ticket.revoke': [{ guard: 'allKept', actions: 'answerFacts' }, { actions: 'keepEnd' }],
          'ticket.due': {},
          end: [
            { guard: 'ticketBad', actions: badTicket },
            { guard: 'allKept', actions: 'answerFacts' },
            { actions: 'keepEnd' },
          ],
          publish: { actions: badTicket },
          'curtain.set': [{ guard: 'ticketBad', actions: badTicket }, { actions: ended }],
          'viewer.join': [{ guard: 'rightLost', actions: unseen }, { actions: 'joinEnded' }],
          'viewer.consume': { actions: ended },
          'viewer.connect': { actions: ended },
          'viewer.whep': { actions: ended },
        },
        after: {
          quietTime: [
            { guard: 'nobodyHere', target: 'ended', reenter: true, actions: 'tellQuiet' },
            { target: 'ended', reenter: true },
          ],
        },
      },
    },
  })
}
