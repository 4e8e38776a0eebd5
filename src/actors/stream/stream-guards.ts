import type { Millis } from '../ports/store.ts'
import { isUp, lowerRefusal } from './curtain-rules.ts'
import { publicationChild } from './stream-actions.ts'
import type { StreamContext, StreamEvent } from './stream-context.ts'
import { isHeld } from './stream-facts.ts'
import { verifyTicket } from './ticket-rules.ts'
import { rightHolds } from './view-right.ts'

interface Args {
  readonly context: StreamContext
  readonly event: StreamEvent
}

/** The named guards of the stream's chart. `now` is the injected clock's. */
export function streamGuards(now: () => Millis) {
  return {
    hasEnded: ({ context }: Args) => context.ended !== null,
    ticketExpired: ({ context }: Args) => context.ticket !== null && now() >= context.ticket.expiresAt,
    /** The event comes from a desk, and its ticket is not good. */
    ticketBad: ({ context, event }: Args) =>
      'ticket' in event && typeof event.ticket === 'string' && verifyTicket(context, event.ticket, now()) === 'invalid',
    samePublication: ({ context, event }: Args) =>
      'publication' in event && context.publication !== null && event.publication === context.publication,
    factIs: ({ context, event }: Args, { fact }: { fact: string }) =>
      event.type === 'publication.fact' && event.publication === context.publication && event.fact === fact,
    deskShouldSend: ({ context }: Args) => context.deskTold,

    raises: ({ event }: Args) => event.type === 'curtain.set' && event.up,
    lowersTooSoon: ({ context, event }: Args) =>
      event.type === 'curtain.set' && !event.up && lowerRefusal(context.curtain, event.by, now()) !== null,
    isHeld: ({ context }: Args) => isHeld(context),
    curtainIsUp: ({ context }: Args) => isUp(context.curtain),
    curtainIsDown: ({ context }: Args) => !isUp(context.curtain),
    wasOpenedHeld: ({ context }: Args) => context.openedHeld,

    /** What the viewer may watch by was taken back while it was on its way here. */
    rightLost: ({ context, event }: Args) => 'right' in event && !rightHolds(event.right, context),
    knowsViewer: ({ context, event }: Args) => 'viewer' in event && Object.hasOwn(context.viewers, event.viewer),
    /** There is something to consume, and the player means this publication and not one before. */
    mediaReady: ({ context, event }: Args) =>
      context.mediaReady && (event.type !== 'viewer.consume' || event.media === context.media),
    /** Whatever was decided is in the store. */
    allKept: ({ context }: Args) => context.unkept === 0,
    /** Nobody watches and nothing is left to keep: the store knows all that there is. */
    nobodyHere: ({ context }: Args) => Object.keys(context.viewers).length === 0 && context.unkept === 0,
    publicationFailed: ({ context, event }: Args) =>
      'actorId' in event && context.publication !== null && event.actorId === publicationChild(context.publication),
  }
}
