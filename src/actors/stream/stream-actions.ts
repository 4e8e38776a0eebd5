import type { AnyActorRef } from 'xstate'
import type { LinkState } from '../../contracts/agent-stream.ts'
import { type ProblemCode, type Refusal, refuse } from '../../contracts/problem.ts'
import { answerAsk, answered, refused } from '../ask/answer.ts'
import { decide, decisions, type Enqueue } from '../decide.ts'
import { mediaPoolId } from '../media-pool/media-pool-id.ts'
import type { Write } from '../memory/memory-machine.ts'
import type { EndReason, Millis, StreamChange } from '../ports/store.ts'
import type { PublicationEvent, PublicationInput } from '../publication/publication-machine.ts'
import { registryId } from '../registry/registry-id.ts'
import type { ViewerEvent, ViewerInput } from '../viewer/viewer-machine.ts'
import { type CurtainMove, holding, isUp, lowerRefusal, moved } from './curtain-rules.ts'
import type { Admission } from './stream-asks.ts'
import type { StreamContext, StreamEvent } from './stream-context.ts'
import { curtainFacts, isHeld, shouldEncode, streamFacts } from './stream-facts.ts'
import { replacedGrace, replaceTicket, sameHash, ticketLifetime, verifyTicket } from './ticket-rules.ts'
import { rightHolds, type Visible } from './view-right.ts'
import { isNarrower, showing, type VisibilityMove } from './visibility-rules.ts'

const { on, whenever } = decisions<StreamContext, StreamEvent>()

function keep(enqueue: Enqueue, context: StreamContext, change: StreamChange, write: Partial<Write> = {}): void {
  const whole: Write = { change, asks: [], insist: false, epoch: context.ticketEpoch, ...write }
  enqueue.sendTo('memory', { type: 'write', write: whole })
  enqueue.assign(({ context: { unkept } }: { context: StreamContext }) => ({ unkept: unkept + 1 }))
}

function settled(enqueue: Enqueue): void {
  enqueue.assign(({ context: { unkept } }: { context: StreamContext }) => ({ unkept: unkept - 1 }))
}

function toViewers(enqueue: Enqueue, context: StreamContext, event: ViewerEvent): void {
  for (const viewer of Object.keys(context.viewers)) enqueue.sendTo(viewer, event)
}

const toRegistry = ({ system }: { system: { get(id: string): AnyActorRef } }) => system.get(registryId)
const toPool = ({ system }: { system: { get(id: string): AnyActorRef } }) => system.get(mediaPoolId)

export function publicationChild(publication: string): string {
  return `publication:${publication}`
}

/** The named actions of the stream's chart. `now` is the injected clock's. */
export function streamActions(now: () => Millis) {
  return {
    /** Provided: closes all of the stream's media. */
    closeRoom: (_: { context: StreamContext }) => {},

    // Asks that change nothing.
    answerFacts: on<'describe' | 'end' | 'ticket.revoke'>((context, event, enqueue) =>
      enqueue(answerAsk(event.ask, answered(streamFacts(context)))),
    ),
    answerVerdict: on<'ticket.verify'>((context, event, enqueue) =>
      enqueue(answerAsk(event.ask, answered(verifyTicket(context, event.ticket, now())))),
    ),
    answerNull: decide<StreamContext, StreamEvent>(({ event, enqueue }) => {
      if ('ask' in event) enqueue(answerAsk(event.ask, answered(null)))
    }),
    refuseAsk: decide<StreamContext, StreamEvent, { code: ProblemCode; detail: string; retryAfter?: number }>(
      ({ event, enqueue }, { code, detail, retryAfter }) => {
        if ('ask' in event) enqueue(answerAsk(event.ask, refused(refuse(code, detail, retryAfter))))
      },
    ),
    answerDeskState: on<'desk.state'>((context, event, enqueue) => {
      const encode = shouldEncode(context)
      const { viewers, curtain, endsAt } = streamFacts(context)
      enqueue(answerAsk(event.ask, answered({ viewers, encode, curtain, endsAt })))
      if (encode && !context.deskTold) enqueue({ type: 'armSilence' })
      enqueue.assign({ deskTold: encode })
    }),

    answerHolds: on<'curtain.holds'>((context, event, enqueue) =>
      enqueue(answerAsk(event.ask, answered(context.curtain.holds))),
    ),

    // Who may watch.
    answerLink: on<'link.verify'>((context, event, enqueue) =>
      enqueue(answerAsk(event.ask, answered(context.linkKeyHash !== null && sameHash(context.linkKeyHash, event.key)))),
    ),
    /** To fewer people: it holds at once. To more: when it is kept. */
    setVisibility: on<'visibility.set'>((context, { ask, visibility }, enqueue) => {
      const before = [context.visibilityKept, ...context.visibilityMoves.map(({ to }) => to)]
      const insist = before.some((other) => isNarrower(visibility, other))
      moveVisibility(enqueue, context, { to: visibility, insist }, [ask])
    }),
    rotateLink: on<'link.rotate'>((context, { ask, key }, enqueue) => {
      keep(enqueue, context, { type: 'link_rotated', linkKeyHash: key }, { asks: [ask], insist: true })
      showTo(enqueue, context, { linkKeyHash: key })
    }),
    dropNamed: on<'share.removed' | 'moderator.removed'>((context, { type, ask, person }, enqueue) => {
      const by = type === 'share.removed' ? 'shared' : 'moderator'
      drop(enqueue, context, ({ right }) => right.type === by && right.person === person)
      enqueue(answerAsk(ask, answered(null)))
    }),
    renewViewers: on<'view_ticket.renewed'>((context, { ticket, until }, enqueue) =>
      toViewers(enqueue, context, { type: 'renew', ticket, until }),
    ),

    // Stills.
    keepStill: on<'still.set'>((context, { ask, still }, enqueue) =>
      keep(enqueue, context, { type: 'still_changed', still }, { asks: [ask] }),
    ),
    answerStill: on<'still.get'>((context, event, enqueue) => enqueue(answerAsk(event.ask, answered(context.still)))),

    // Tickets.
    mintTicket: on<'ticket.mint'>((context, event, enqueue) => {
      const at = now()
      const ticket = { hash: event.hash, expiresAt: at + ticketLifetime }
      keep(
        enqueue,
        context,
        { type: 'ticket_minted', ticket, at, replacedUntil: at + replacedGrace },
        { asks: [event.ask] },
      )
    }),
    /** Restrict first: the tickets are dead here at once, and in the store when it has answered. */
    revokeTickets: on<'ticket.revoke'>((context, event, enqueue) => {
      keep(enqueue, context, { type: 'ticket_revoked', at: now() }, { asks: [event.ask], insist: true })
      enqueue.assign({ ticket: null, replacedTickets: [], ticketEpoch: context.ticketEpoch + 1 })
      enqueue.cancel('ticket')
    }),
    armTicket: whenever((context, enqueue) => {
      enqueue.cancel('ticket')
      if (context.ticket === null) return
      const delay = Math.max(0, context.ticket.expiresAt - now())
      enqueue.raise({ type: 'ticket.due' }, { id: 'ticket', delay })
    }),
    endByExpiry: whenever((context, enqueue) =>
      conclude(enqueue, context, context.ticket?.expiresAt ?? now(), 'ticket_expired', []),
    ),
    /** The stream has ended here and that is not kept yet: nobody is told so before it is. */
    keepEnd: on<'end' | 'ticket.revoke'>((context, { ask }, enqueue) => {
      if (context.ended === null) return
      const { workedMs, ended } = context
      keep(enqueue, context, { type: 'ended', ...ended, workedMs }, { asks: [ask], insist: true })
    }),
    endByAsk: on<'end'>((context, event, enqueue) => conclude(enqueue, context, now(), event.why, [event.ask])),

    // What the memory answers.
    applyKept: on<'memory.kept'>((context, { write }, enqueue) => {
      const { change } = write
      settled(enqueue)
      switch (change.type) {
        case 'ticket_minted': {
          if (write.epoch !== context.ticketEpoch) {
            const detail = 'The ticket was revoked while it was being minted. Mint another one.'
            for (const ask of write.asks) enqueue(answerAsk(ask, refused(refuse('invalid_ticket', detail))))
            return
          }
          enqueue.assign(replaceTicket(context, change.ticket, change.at, change.replacedUntil))
          enqueue({ type: 'armTicket' })
          for (const ask of write.asks) enqueue(answerAsk(ask, answered({ expiresAt: change.ticket.expiresAt })))
          return
        }
        case 'curtain_changed': {
          const [move, ...curtainMoves] = context.curtainMoves
          const curtain = holding(change.curtain, curtainMoves)
          enqueue.assign({ curtain, curtainKept: change.curtain, curtainMoves, curtainWriting: false })
          const lowered = move?.type === 'lower'
          const facts = lowered ? { up: isUp(curtain), since: curtain.since } : curtainFacts({ ...context, curtain })
          for (const ask of write.asks) enqueue(answerAsk(ask, answered(facts)))
          enqueue({ type: 'keepCurtain' })
          return
        }
        case 'visibility_changed': {
          const [, ...visibilityMoves] = context.visibilityMoves
          const visibility = showing(change.visibility, visibilityMoves)
          enqueue.assign({ visibilityKept: change.visibility, visibilityMoves })
          showTo(enqueue, context, { visibility })
          const facts = streamFacts({ ...context, visibility })
          for (const ask of write.asks) enqueue(answerAsk(ask, answered(facts)))
          return
        }
        case 'still_changed':
          enqueue.assign({ still: change.still })
          for (const ask of write.asks) enqueue(answerAsk(ask, answered(null)))
          return
        default:
          for (const ask of write.asks) enqueue(answerAsk(ask, answered(streamFacts(context))))
      }
    }),
    applyFailed: on<'memory.failed'>((context, { write, refusal }, enqueue) => {
      // What insists is still to be kept.
      const given = !write.insist || refusal.code !== 'store_unavailable'
      if (given) settled(enqueue)
      let told = refusal
      if (write.change.type === 'visibility_changed' && given) visibilityFailed(enqueue, context, write.insist)
      if (write.change.type === 'curtain_changed') {
        if (context.curtainMoves[0]?.type === 'raise') {
          told = { ...refusal, detail: `The curtain is up, but not yet kept. ${refusal.detail}` }
        }
        curtainFailed(enqueue, context, write, refusal, given)
      }
      for (const ask of write.asks) enqueue(answerAsk(ask, refused(told)))
    }),

    // Publishing.
    acceptOffer: on<'publish'>((_context, { ask, publication, offer }, enqueue) =>
      enqueue.assign({ publishing: { ask, publication, offer } }),
    ),
    claimSlot: whenever((context, enqueue) =>
      enqueue.sendTo(toRegistry, {
        type: 'slot.claim',
        stream: context.id,
        owner: context.owner,
        handle: context.handle,
      }),
    ),
    askWorker: whenever((context, enqueue) => enqueue.sendTo(toPool, { type: 'place', stream: context.id })),
    noteWorker: on<'worker.placed'>((_context, { worker }, enqueue) => enqueue.assign({ worker })),
    releaseSlot: whenever((context, enqueue) => {
      enqueue.sendTo(toRegistry, { type: 'slot.release', stream: context.id, owner: context.owner })
      enqueue.sendTo(toPool, { type: 'release', stream: context.id })
      enqueue.assign({ worker: null })
    }),
    refusePublishing: on<'slot.refused' | 'worker.none'>((context, { refusal }, enqueue) => {
      if (context.publishing === null) return
      enqueue(answerAsk(context.publishing.ask, refused(refusal)))
      enqueue.assign({ publishing: null })
    }),
    /** Whatever brought the stream back here, an offer that is still unanswered gets its answer. */
    settlePublishing: whenever((context, enqueue) => {
      if (context.publishing === null) return
      const refusal: Refusal =
        context.ticket === null
          ? refuse('invalid_ticket', 'The ticket was revoked while the session was being set up. Mint another one.')
          : refuse('media_unavailable', 'The session could not be set up. Try again in a moment.', 1)
      enqueue(answerAsk(context.publishing.ask, refused(refusal)))
      enqueue.assign({ publishing: null })
    }),
    openPublication: whenever((context, enqueue) => {
      const { publishing, worker } = context
      if (publishing === null || worker === null) return
      const held = isHeld(context)
      const { publication, offer } = publishing
      const input: PublicationInput = { stream: context.id, publication, worker, offer, held }
      enqueue.spawnChild('publication', { id: publicationChild(publication), input })
      enqueue.assign({ publication, openedHeld: held })
      toViewers(enqueue, context, { type: held ? 'hold' : 'release' })
    }),
    publicationOpened: on<'publication.opened'>((context, { answer, tag }, enqueue) => {
      const at = now()
      if (context.publishing !== null) enqueue(answerAsk(context.publishing.ask, answered({ answer, tag })))
      if (context.startedAt === null) keep(enqueue, context, { type: 'started', at }, { insist: true })
      enqueue.assign({
        publishing: null,
        media: context.media + 1,
        mediaReady: true,
        deskTold: true,
        startedAt: context.startedAt ?? at,
        liveSince: context.liveSince ?? at,
      })
    }),
    publicationRefused: on<'publication.refused'>((context, { refusal }, enqueue) => {
      if (context.publishing !== null) enqueue(answerAsk(context.publishing.ask, refused(refusal)))
      enqueue.assign({ publishing: null })
    }),
    patchPublication: on<'publication.patch'>((_context, { ask, publication, condition, fragment }, enqueue) =>
      enqueue.sendTo(publicationChild(publication), {
        type: 'patch',
        ask,
        condition,
        fragment,
      } satisfies PublicationEvent),
    ),
    closePublication: whenever((context, enqueue) => {
      if (context.publication === null) return
      const child = publicationChild(context.publication)
      enqueue.sendTo(child, { type: 'close' })
      enqueue.stopChild(child)
      toViewers(enqueue, context, { type: 'media.lost' })
      enqueue.assign({ publication: null, mediaReady: false })
    }),
    noteLink: decide<StreamContext, StreamEvent, { link: LinkState | null }>(({ enqueue }, { link }) =>
      enqueue.assign({ link }),
    ),
    armSilence: whenever((_context, enqueue) => {
      enqueue.cancel('silence')
      enqueue.raise({ type: 'silence' }, { id: 'silence', delay: silenceLimit })
    }),

    // Time on air.
    keepWorked: whenever((context, enqueue) => {
      if (context.liveSince === null) return
      const at = now()
      const workedMs = context.workedMs + Math.max(0, at - context.liveSince)
      keep(enqueue, context, { type: 'worked', workedMs }, { insist: true })
      enqueue.assign({ workedMs, liveSince: at })
    }),
    armWork: whenever((_context, enqueue) => enqueue.raise({ type: 'work.due' }, { id: 'work', delay: workTick })),
    stopWork: whenever((_context, enqueue) => {
      enqueue.cancel('work')
      enqueue.assign({ liveSince: null })
    }),

    // The curtain.
    raiseCurtain: on<'curtain.set'>((context, { ask, by, reason }, enqueue) =>
      moveCurtain(enqueue, context, { type: 'raise', ask, by, reason, at: now() }),
    ),
    lowerCurtain: on<'curtain.set'>((context, { ask, by }, enqueue) =>
      moveCurtain(enqueue, context, { type: 'lower', ask, by }),
    ),
    /** Keeps the next move: one at a time, each on top of what is really kept. */
    keepCurtain: whenever((context, enqueue) => {
      const [move] = context.curtainMoves
      if (move === undefined || context.curtainWriting) return
      // Privacy first: while media may flow, the write waits until the media layer holds.
      if (move.type === 'raise' && context.publication !== null && context.hold !== 'confirmed') return
      const change: StreamChange = { type: 'curtain_changed', curtain: moved(context.curtainKept, move) }
      const asks = move.type === 'restore' ? [] : [move.ask]
      keep(enqueue, context, change, { asks, insist: move.type !== 'lower' })
      enqueue.assign({ curtainWriting: true })
    }),
    refuseLowering: on<'curtain.set'>((context, { ask, by }, enqueue) => {
      const refusal = lowerRefusal(context.curtain, by, now())
      if (refusal !== null) enqueue(answerAsk(ask, refused(refusal)))
    }),
    confirmHold: whenever((_context, enqueue) => enqueue.assign({ hold: 'confirmed' })),
    noteLifting: whenever((_context, enqueue) => enqueue.assign({ hold: 'lifting' })),
    /** Without media there is nothing to hold; the curtain itself stays as it is. */
    forgetHold: whenever((_context, enqueue) => enqueue.assign({ hold: 'none' })),
    holdViewers: whenever((context, enqueue) => {
      enqueue.assign({ hold: 'asked' })
      toViewers(enqueue, context, { type: 'hold' })
    }),
    releaseViewers: whenever((context, enqueue) => {
      enqueue.assign({ hold: 'none' })
      toViewers(enqueue, context, { type: 'release' })
    }),

    // Viewers.
    joinViewer: on<'viewer.join'>((context, { ask, viewer, resume, right, admitted }, enqueue) => {
      const known =
        resume !== null && Object.hasOwn(context.viewers, resume) && context.viewers[resume]?.via === 'socket'
      if (known) enqueue.sendTo(resume, { type: 'attach', wire: viewer, admitted } satisfies ViewerEvent)
      const viewers = known
        ? { ...context.viewers, [resume]: { via: 'socket' as const, right } }
        : seat(enqueue, context, { viewer, via: 'socket', right, admitted })
      if (known) enqueue.assign({ viewers })
      const facts = streamFacts({ ...context, viewers })
      enqueue(answerAsk(ask, answered({ viewer: known ? resume : viewer, resumed: known, facts })))
    }),
    /** An ended stream has no viewers; who comes is only told that it ended. */
    joinEnded: on<'viewer.join'>((context, { ask, viewer }, enqueue) =>
      enqueue(answerAsk(ask, answered({ viewer, resumed: false, facts: streamFacts(context) }))),
    ),
    openViewer: on<'viewer.consume'>((_context, { ask, viewer, rtpCapabilities }, enqueue) =>
      enqueue.sendTo(viewer, {
        type: 'open',
        opening: { ask, kind: 'socket', rtpCapabilities },
      } satisfies ViewerEvent),
    ),
    connectViewer: on<'viewer.connect'>((_context, { ask, viewer, dtlsParameters }, enqueue) =>
      enqueue.sendTo(viewer, { type: 'connect', ask, dtlsParameters } satisfies ViewerEvent),
    ),
    joinWhep: on<'viewer.whep'>((context, { ask, viewer, offer, right, admitted }, enqueue) => {
      seat(enqueue, context, { viewer, via: 'whep', right, admitted })
      enqueue.sendTo(viewer, { type: 'open', opening: { ask, kind: 'whep', offer } } satisfies ViewerEvent)
    }),
    patchViewer: on<'viewer.patch'>((_context, { ask, viewer, condition, fragment }, enqueue) =>
      enqueue.sendTo(viewer, { type: 'patch', ask, condition, fragment } satisfies ViewerEvent),
    ),
    leaveViewer: on<'viewer.leave'>((_context, { ask, viewer }, enqueue) => {
      enqueue.sendTo(viewer, { type: 'leave' } satisfies ViewerEvent)
      enqueue(answerAsk(ask, answered(null)))
    }),
    detachViewer: on<'viewer.detached'>((_context, { viewer, wire }, enqueue) =>
      enqueue.sendTo(viewer, { type: 'detach', wire } satisfies ViewerEvent),
    ),
    forgetViewer: on<'viewer.gone'>((context, { viewer, why }, enqueue) => {
      unseat(enqueue, context, viewer)
      if (why === 'expired') enqueue.emit({ type: 'viewer.dropped', viewer } satisfies ViewerDropped)
    }),
    /** A viewer's actor failed: it is gone. The memory's failure is the stream's own. */
    forgetFailed: on<`xstate.error.actor.${string}`>((context, { actorId, error }, enqueue) => {
      if (!Object.hasOwn(context.viewers, actorId)) throw error
      unseat(enqueue, context, actorId)
    }),
    dismissViewers: whenever((context, enqueue) => toViewers(enqueue, context, { type: 'leave' })),

    tellQuiet: whenever((context, enqueue) => enqueue.sendTo(toRegistry, { type: 'stream.quiet', stream: context.id })),
  }
}

/** How often the time on air is kept while a stream is live: what a crash can cost of it. */
export const workTick = 60_000
/** How long a desk that is to encode may send nothing before its link counts as interrupted. */
export const silenceLimit = 3000

/** Said of a viewer that may not watch any more: its socket is closed. */
export interface ViewerDropped {
  readonly type: 'viewer.dropped'
  readonly viewer: string
}

/** Said of a viewer that is gone, whatever the reason: what else goes on for it ends. */
export interface ViewerLeft {
  readonly type: 'viewer.left'
  readonly viewer: string
}

type Seats = StreamContext['viewers']

function seat(
  enqueue: Enqueue,
  context: StreamContext,
  seated: Omit<ViewerInput, 'stream' | 'held'> & Admission,
): Seats {
  const { viewer, via, right, admitted } = seated
  const input: ViewerInput = { stream: context.id, viewer, via, admitted, held: isHeld(context) }
  enqueue.spawnChild('viewer', { id: viewer, input })
  const viewers: Seats = { ...context.viewers, [viewer]: { via, right } }
  enqueue.assign({ viewers })
  return viewers
}

function moveCurtain(enqueue: Enqueue, context: StreamContext, move: CurtainMove): void {
  const curtainMoves = [...context.curtainMoves, move]
  enqueue.assign({ curtainMoves, curtain: holding(context.curtainKept, curtainMoves) })
  enqueue({ type: 'keepCurtain' })
  // It may wait behind one that waits for the store.
  enqueue.sendTo('memory', { type: 'retry' })
}

/** The move that was being kept is not. `given`: it is not tried again. */
function curtainFailed(enqueue: Enqueue, context: StreamContext, write: Write, refusal: Refusal, given: boolean): void {
  const [failed, ...later] = context.curtainMoves
  if (failed === undefined) return
  if (!given) {
    // A raise waits for the store. What would lower the curtain after it does not wait with it.
    const lowerings = later.filter((move) => move.type === 'lower')
    for (const { ask } of lowerings) enqueue(answerAsk(ask, refused(refusal)))
    enqueue.assign({ curtainMoves: [failed, ...later.filter(({ type }) => type !== 'lower')] })
    return
  }
  if (failed.type === 'lower') {
    // Perhaps it was done and only the answer was lost: what holds here is kept anew.
    enqueue.assign({ curtainMoves: [{ type: 'restore' }, ...later] satisfies CurtainMove[] })
  } else if (write.change.type === 'curtain_changed') {
    // Nothing can be kept of this stream. What is up stays up while its actor runs.
    enqueue.assign({ curtainMoves: later, curtainKept: write.change.curtain })
  }
  enqueue.assign({ curtainWriting: false })
  enqueue({ type: 'keepCurtain' })
}

function moveVisibility(
  enqueue: Enqueue,
  context: StreamContext,
  move: VisibilityMove,
  asks: readonly string[] = [],
): void {
  const visibilityMoves = [...context.visibilityMoves, move]
  keep(enqueue, context, { type: 'visibility_changed', visibility: move.to }, { asks, insist: move.insist })
  enqueue.assign({ visibilityMoves })
  showTo(enqueue, context, { visibility: showing(context.visibilityKept, visibilityMoves) })
}

/** A move is given up: the first of those that insist, or that do not. */
function visibilityFailed(enqueue: Enqueue, context: StreamContext, insist: boolean): void {
  const failed = context.visibilityMoves.find((move) => move.insist === insist)
  const visibilityMoves = context.visibilityMoves.filter((move) => move !== failed)
  const after = { ...context, visibilityMoves }
  enqueue.assign({ visibilityMoves })
  showTo(enqueue, after, { visibility: showing(context.visibilityKept, visibilityMoves) })
  // Perhaps it was done and only the answer was lost: what holds here is kept anew.
  if (!insist && visibilityMoves.length === 0) {
    moveVisibility(enqueue, after, { to: context.visibilityKept, insist: true })
  }
}

/** Shows the stream as widely as is said, and drops whoever may not watch it any more. */
function showTo(enqueue: Enqueue, context: StreamContext, visible: Partial<Visible>): void {
  const after = { ...context, ...visible }
  drop(enqueue, context, ({ right }) => !rightHolds(right, after))
  enqueue.assign(visible)
}

/** The viewers whom `which` names leave, and their sockets are told. */
function drop(enqueue: Enqueue, context: StreamContext, which: (seat: Seats[string]) => boolean): void {
  for (const [viewer, seat] of Object.entries(context.viewers)) {
    if (!which(seat)) continue
    enqueue.sendTo(viewer, { type: 'leave' } satisfies ViewerEvent)
    enqueue.emit({ type: 'viewer.dropped', viewer } satisfies ViewerDropped)
  }
}

function unseat(enqueue: Enqueue, context: StreamContext, viewer: string): void {
  const { [viewer]: _gone, ...viewers } = context.viewers
  enqueue.stopChild(viewer)
  enqueue.assign({ viewers })
  enqueue.emit({ type: 'viewer.left', viewer } satisfies ViewerLeft)
}

function conclude(enqueue: Enqueue, context: StreamContext, at: Millis, why: EndReason, asks: readonly string[]): void {
  keep(enqueue, context, { type: 'ended', at, why, workedMs: context.workedMs }, { asks, insist: true })
  enqueue.assign({
    ended: { at, why },
    ticket: null,
    replacedTickets: [],
    ticketEpoch: context.ticketEpoch + 1,
  })
  enqueue.cancel('ticket')
}
