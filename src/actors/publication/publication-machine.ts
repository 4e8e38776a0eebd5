import { assign, fromCallback, fromPromise, sendParent, setup } from 'xstate'
import type { Refusal } from '../../contracts/problem.ts'
import { refusalOfError } from '../ask/refusal-of-error.ts'
import type { PublicationFact } from '../ports/media.ts'

export interface PublicationInput {
  readonly stream: string
  /** The WHIP session's resource id. */
  readonly publication: string
  readonly worker: string
  readonly offer: string
  readonly held: boolean
}

/** What a publication tells its stream. */
export type PublicationReport =
  | { readonly type: 'publication.opened'; readonly publication: string; readonly answer: string }
  | { readonly type: 'publication.refused'; readonly publication: string; readonly refusal: Refusal }
  | { readonly type: 'publication.fact'; readonly publication: string; readonly fact: PublicationFact['type'] }

/**
 * One WHIP session: its transport and producers in the media layer. It opens them, reports
 * what becomes of them, and closes them; what that means for the stream, the stream decides.
 */
export const publicationMachine = setup({
  types: {
    context: {} as Omit<PublicationInput, 'offer'> & { readonly offer: string | null },
    input: {} as PublicationInput,
    events: {} as { type: 'close' } | { type: 'fact'; fact: PublicationFact },
  },
  actors: {
    openPublication: fromPromise<{ answer: string }, PublicationInput>(async () => {
      throw new Error('openPublication is not provided')
    }),
    observePublication: fromCallback<{ type: 'none' }, { publication: string }>(() => {
      throw new Error('observePublication is not provided')
    }),
  },
  actions: {
    /** Provided: closes what is open of the session. */
    closeMedia: (_, _params: { stream: string; publication: string }) => {},
    forgetOffer: assign({ offer: null }),
    tellOpened: sendParent(
      ({ context }, { answer }: { answer: string }) =>
        ({ type: 'publication.opened', publication: context.publication, answer }) satisfies PublicationReport,
    ),
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
  context: ({ input }) => ({ ...input }),
  initial: 'opening',
  on: { close: '.closed' },
  states: {
    opening: {
      description: 'the offer is being answered',
      invoke: {
        src: 'openPublication',
        input: ({ context }) => ({ ...context, offer: context.offer ?? '' }),
        onDone: {
          target: 'open',
          actions: ['forgetOffer', { type: 'tellOpened', params: ({ event }) => ({ answer: event.output.answer }) }],
        },
        onError: {
          target: 'closed',
          actions: { type: 'tellRefused', params: ({ event }) => ({ error: event.error }) },
        },
      },
    },
    open: {
      description: 'facts are passed on',
      invoke: { src: 'observePublication', input: ({ context }) => ({ publication: context.publication }) },
      on: {
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
