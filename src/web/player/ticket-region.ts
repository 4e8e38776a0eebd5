import { assign, type DoneActorEvent, raise } from 'xstate'
import { connectionSetup, type TicketOutcome } from './connection-setup.ts'

/** Typed once: the outcome of a request for a ticket, when it is of this kind. */
function outcome<T extends TicketOutcome['type']>(event: DoneActorEvent<TicketOutcome>, type: T) {
  return event.output.type === type ? (event.output as Extract<TicketOutcome, { type: T }>) : null
}

/**
 * The view ticket while the page is open: renewed before it ends, and minted anew by the
 * page's own right when it can be renewed no more or the server does not take it.
 *
 *     none                       nothing to keep: the stream is public, or the page came without a ticket
 *     unsure                     a ticket of unknown age: renewed as soon as a join stands
 *     good ▸ renewing ⇄ retrying
 *     minting ⇄ mintRetrying     for a ticket at the end of its renewals, or a refused one
 *     ending                     the last minutes of one that has no successor
 */
export const ticketRegion = connectionSetup.createStateConfig({
  initial: 'none',
  on: {
    'wire.over': '.done',
    'ticket.wanted': [
      // The server gave a ticket and does not take it: another would fare no better.
      { guard: 'minted', target: '.refused' },
      { target: '.minting', actions: 'forgetTerm' },
    ],
  },
  states: {
    none: { always: { guard: 'hasTicket', target: 'unsure' } },
    /**
     * Not before the join: a ticket that is renewed while the server reads it for a join may be
     * seated with its old end.
     */
    unsure: { on: { 'server.joined': { guard: 'ourJoin', target: 'renewing' } } },
    good: {
      after: { renewal: 'due' },
      on: {
        // Timers stand still in a sleeping machine: by the clock now, or armed afresh.
        'page.awake': [
          { guard: 'renewalDue', target: 'due' },
          { target: 'good', reenter: true },
        ],
      },
    },
    due: { always: [{ guard: 'ticketFinal', target: 'minting' }, { target: 'renewing' }] },
    renewing: {
      entry: assign({ ticketRetryAfter: null }),
      invoke: {
        src: 'renewTicket',
        input: ({ context }) => ({ ticket: context.vt ?? '' }),
        onDone: [
          {
            guard: ({ event }) => outcome(event, 'granted') !== null,
            target: 'renewed',
            actions: assign(({ event }) => {
              const granted = outcome(event, 'granted')
              return granted === null ? {} : { vt: granted.ticket, term: granted.term }
            }),
          },
          {
            guard: ({ event }) => outcome(event, 'refused') !== null,
            target: 'minting',
            actions: 'forgetTerm',
          },
          {
            target: 'retrying',
            actions: assign(({ event }) => ({ ticketRetryAfter: outcome(event, 'failed')?.retryAfter ?? null })),
          },
        ],
        onError: 'retrying',
      },
      on: { 'server.joined': { guard: 'ourJoin', target: 'renewing', reenter: true } },
      after: { ticketSilence: 'retrying' },
    },
    renewed: {
      entry: 'forgetTicketFailures',
      always: [{ guard: 'wireJoined', target: 'good' }, { target: 'unsure' }],
    },
    retrying: {
      entry: 'countTicketFailure',
      after: { ticketBackoff: 'due' },
      on: { 'page.awake': 'due' },
    },
    minting: {
      entry: assign({ ticketRetryAfter: null }),
      invoke: {
        src: 'mintTicket',
        input: ({ context }) => ({ key: context.k ?? null }),
        onDone: [
          {
            guard: ({ event }) => outcome(event, 'granted') !== null,
            target: 'minted',
            actions: assign(({ event }) => {
              const granted = outcome(event, 'granted')
              return granted === null ? {} : { vt: granted.ticket, term: granted.term, minted: true }
            }),
          },
          {
            guard: ({ event }) => outcome(event, 'refused') !== null,
            target: 'unminted',
          },
          {
            target: 'mintRetrying',
            actions: assign(({ event }) => ({ ticketRetryAfter: outcome(event, 'failed')?.retryAfter ?? null })),
          },
        ],
        onError: 'mintRetrying',
      },
      // It is being asked for already.
      on: { 'ticket.wanted': { actions: 'forgetTerm' } },
      after: { ticketSilence: 'mintRetrying' },
    },
    minted: { entry: ['forgetTicketFailures', raise({ type: 'ticket.minted' })], always: 'good' },
    mintRetrying: {
      entry: 'countTicketFailure',
      after: { ticketBackoff: 'minting' },
      on: { 'page.awake': 'minting', 'ticket.wanted': { target: 'minting', actions: 'forgetTerm' } },
    },
    unminted: { always: [{ guard: 'ticketStands', target: 'ending' }, { target: 'refused' }] },
    /** Asks once more at the end: somebody may have signed in meanwhile. */
    ending: { after: { ticketEnd: { target: 'minting', actions: 'forgetTerm' } } },
    refused: { entry: raise({ type: 'ticket.refused' }), on: { 'ticket.wanted': {} } },
    done: { on: { 'ticket.wanted': {} } },
  },
})
