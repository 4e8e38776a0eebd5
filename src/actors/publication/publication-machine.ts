import { assign, fromCallback, fromPromise, sendParent, sendTo, setup } from 'xstate'
import { type Refusal, refuse } from '../../contracts/problem.ts'
import { answerAsk, refused } from '../ask/answer.ts'
import { refusalOfError } from '../ask/refusal-of-error.ts'
import { decide } from '../decide.ts'
import type { IcePatch } from '../ice-session/ice-patch.ts'
import { iceSessionMachine } from '../ice-session/ice-session-machine.ts'
import type { IceSession, PublicationFact } from '../ports/media.ts'

export interface PublicationInput {
  readonly stream: string
  /** The WHIP session's resource id. */
  readonly publication: string
  readonly worker: string
  readonly offer: string
  readonly held: boolean
}

export type PublicationEvent =
  | { readonly type: 'close' }
  | { readonly type: 'fact'; readonly fact: PublicationFact }
  | ({ readonly type: 'patch'; readonly ask: string } & IcePatch)

/** What a publication tells its stream. */
export type PublicationReport =
  | {
      readonly type: 'publication.opened'
      readonly publication: string
      readonly answer: string
      readonly tag: string
    }
  | { readonly type: 'publication.refused'; readonly publication: string; readonly refusal: Refusal }
  | { readonly type: 'publication.fact'; readonly publication: string; readonly fact: PublicationFact['type'] }

interface PublicationContext extends Omit<PublicationInput, 'offer'> {
  readonly offer: string | null
  /** As it was when the session was opened. */
  readonly ice: IceSession
}

/**
 * One WHIP session: its transport and producers in the media layer. It opens them, reports
 * what becomes of them, and closes them; what that means for the stream, the stream decides.
 */
export const publicationMachine = setup({
  types: {
    context: {} as PublicationContext,
    input: {} as PublicationInput,
    events: {} as PublicationEvent,
  },
  actors: {
    iceSession: iceSessionMachine,
    openPublication: fromPromise<{ answer: string; ice: IceSession }, PublicationInput>(async () => {
      throw new Error('openPublication is not provided')
    }),
    observePublication: fromCallback<{ type: 'none' }, { publication: string }>(() => {
      throw new Error('observePublication is not provided')
    }),
  },
  actions: {
    /** Provided: closes what is open of the session. */
    closeMedia: (_, _params: { stream: string; publication: string }) => {},
    noteOpened: assign((_, { ice }: { ice: IceSession }) => ({ offer: null, ice })),
    tellOpened: sendParent(
      ({ context }, { answer, ice: { tag } }: { answer: string; ice: IceSession }) =>
        ({ type: 'publication.opened', publication: context.publication, answer, tag }) satisfies PublicationReport,
    ),
    refusePatch: decide<PublicationContext, PublicationEvent>(({ event, enqueue }) => {
      const refusal = refuse('session_not_found', 'There is no such session. Start a new one.')
      if (event.type === 'patch') enqueue(answerAsk(event.ask, refused(refusal)))
    }),
    tellRefused: sendParent(
      ({ context }, { error }: { error: unknown }) =>
        ({
          type: 'publication.refused',
          publication: context.publication,
          refusal: refusalOfError(error, 'media'),
        }) satisfies PublicationReport,
    ),
    tellFact: sendParent(
      ({ context }, { fact }: { fact: PublicationFact }) =>
        ({ type: 'publication.fact', publication: context.publication, fact: fact.type }) satisfies PublicationReport,
    ),
  },
}).createMachine({
  id: 'publication',
  description: 'one WHIP session in the media layer',
  context: ({ input }) => ({ ...input, ice: { tag: '', client: '' } }),
  initial: 'opening',
  on: { close: '.closed', patch: { actions: 'refusePatch' } },
  states: {
    opening: {
      description: 'the offer is being answered',
      invoke: {
        src: 'openPublication',
        input: ({ context: { ice: _, offer, ...input } }) => ({ ...input, offer: offer ?? '' }),
        onDone: {
          target: 'open',
          actions: [
            { type: 'noteOpened', params: ({ event }) => event.output },
            { type: 'tellOpened', params: ({ event }) => event.output },
          ],
        },
        onError: {
          target: 'closed',
          actions: { type: 'tellRefused', params: ({ event }) => ({ error: event.error }) },
        },
      },
    },
    open: {
      description: 'facts are passed on',
      invoke: [
        { src: 'observePublication', input: ({ context }) => ({ publication: context.publication }) },
        {
          src: 'iceSession',
          id: 'ice',
          input: ({ context }) => ({ stream: context.stream, session: context.publication, ...context.ice }),
        },
      ],
      // Its last words: whoever waits for a restart is answered.
      exit: sendTo('ice', { type: 'close' }),
      on: {
        patch: { actions: sendTo('ice', ({ event }) => event) },
        fact: [
          {
            guard: ({ event }) => event.fact.type === 'closed',
            description: 'closed',
            target: 'closed',
            actions: { type: 'tellFact', params: ({ event }) => ({ fact: event.fact }) },
          },
          { actions: { type: 'tellFact', params: ({ event }) => ({ fact: event.fact }) } },
        ],
      },
    },
    closed: {
      description: 'nothing is left of it',
      type: 'final',
      entry: {
        type: 'closeMedia',
        params: ({ context }) => ({ stream: context.stream, publication: context.publication }),
      },
    },
  },
})
