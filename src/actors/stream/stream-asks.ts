import type { LinkState, StreamState, Task, Visibility } from '../../contracts/agent-stream.ts'
import type { ConsumerOptions, TransportOptions } from '../../contracts/broadcast.ts'
import type { CurtainReason } from '../../contracts/curtain.ts'
import type { IcePatch, IcePatched } from '../ice-session/ice-patch.ts'
import type { CurtainHold, CurtainHolder, EndReason, Millis, Still } from '../ports/store.ts'
import type { ViewRight } from '../ports/view-right.ts'

/** What is true of a stream now, for whoever serves it to others. Holds no secret and no reason. */
export interface StreamFacts {
  readonly id: string
  readonly owner: string
  readonly handle: string
  readonly channel: string
  readonly task: Task
  readonly visibility: Visibility
  readonly state: StreamState
  readonly link: LinkState | null
  /** Counts up with each publication; `null`: nothing to consume now. */
  readonly media: number | null
  readonly viewers: number
  readonly curtain: { readonly up: boolean; readonly since: Millis | null }
  /** A still can be had, now. */
  readonly still: boolean
  readonly createdAt: Millis
  readonly startedAt: Millis | null
  readonly ended: { readonly at: Millis; readonly why: EndReason } | null
  /** Time on air without the current stretch, and when the current stretch began. */
  readonly workedMs: number
  readonly liveSince: Millis | null
  /** When the current ticket expires and the stream with it; `null`: no ticket. */
  readonly endsAt: Millis | null
}

/** How a presented publish ticket stands: `replaced` is one in the grace after a renewal. */
export type TicketVerdict = 'current' | 'replaced' | 'invalid'

/**
 * Set on asks that come from a desk: SHA-256 (hex) of the ticket it presented. The actor
 * verifies it in the same step as the ask, so nothing can come between.
 */
interface FromDesk {
  readonly ticket?: string
}

/** By what right a viewer comes in. Checked by the caller; held against every later change by the actor. */
export interface Admission {
  readonly right: ViewRight
  /** The view ticket that it came with, and until when that lets it watch; `null`: it needs none. */
  readonly admitted: { readonly ticket: string; readonly until: Millis } | null
}

/** Everything that can be asked of a stream: what goes in, what comes out. */
export interface StreamAsks {
  describe: { in: object; out: StreamFacts }
  'ticket.verify': { in: { readonly ticket: string }; out: TicketVerdict }
  'ticket.mint': { in: { readonly hash: string }; out: { readonly expiresAt: Millis } }
  'ticket.revoke': { in: object; out: StreamFacts }
  /** WHIP: an offer in, the answer and its ICE session's tag out. `publication` is the session's resource id. */
  publish: {
    in: { readonly ticket: string; readonly publication: string; readonly offer: string }
    out: { readonly answer: string; readonly tag: string }
  }
  /** `PATCH` of the WHIP session: candidates, or an ICE restart. */
  'publication.patch': {
    in: { readonly ticket: string; readonly publication: string } & IcePatch
    out: IcePatched
  }
  /** The desk ends its WHIP session. */
  unpublish: { in: { readonly ticket: string; readonly publication: string }; out: null }
  /** Is this the WHIP session that is up? */
  'publication.check': { in: { readonly publication: string }; out: null }
  'desk.state': {
    in: { readonly ticket: string }
    out: Pick<StreamFacts, 'viewers' | 'curtain' | 'endsAt'> & { readonly encode: boolean }
  }
  'curtain.set': {
    in: FromDesk & { readonly by: CurtainHolder; readonly up: boolean; readonly reason: CurtainReason }
    out: StreamFacts['curtain']
  }
  /** Who holds the curtain, and why: for the owner alone. */
  'curtain.holds': { in: object; out: Partial<Record<CurtainHolder, CurtainHold>> }
  end: { in: FromDesk & { readonly why: EndReason }; out: StreamFacts }
  'visibility.set': { in: { readonly visibility: Visibility }; out: StreamFacts }
  /** Is this the key of the stream's link? */
  'link.verify': { in: { readonly key: string }; out: boolean }
  /** A new link: who came by the old one is dropped. */
  'link.rotate': { in: { readonly key: string }; out: StreamFacts }
  /** Sharing with these people was taken back: they are dropped. */
  'share.removed': { in: { readonly person: string }; out: null }
  /** They moderate the channel no more: who watches by that is dropped. */
  'moderator.removed': { in: { readonly person: string }; out: null }
  /** A new last still, whose bytes are kept already. Refused while the curtain is up. */
  'still.set': { in: { readonly ticket: string; readonly still: Still }; out: null }
  /** The last still, `null` when there is none. Refused while the curtain is up. */
  'still.get': { in: object; out: Still | null }
  /** `viewer`: a new id. A viewer that resumes keeps the one it had; the new one then names the wire alone. */
  'viewer.join': {
    in: Admission & { readonly viewer: string; readonly resume: string | null }
    out: { readonly viewer: string; readonly resumed: boolean; readonly facts: StreamFacts }
  }
  'viewer.consume': {
    in: { readonly viewer: string; readonly media: number; readonly rtpCapabilities: Record<string, unknown> }
    out: { readonly transport: TransportOptions; readonly consumers: readonly ConsumerOptions[] }
  }
  'viewer.connect': {
    in: { readonly viewer: string; readonly dtlsParameters: Record<string, unknown> }
    out: null
  }
  /** WHEP: an offer in, the answer and its ICE session's tag out. `viewer` is the session's resource id. */
  'viewer.whep': {
    in: Admission & { readonly viewer: string; readonly offer: string }
    out: { readonly answer: string; readonly tag: string }
  }
  /** `PATCH` of a WHEP session: candidates, or an ICE restart. */
  'viewer.patch': { in: { readonly viewer: string } & IcePatch; out: IcePatched }
  'viewer.leave': { in: { readonly viewer: string }; out: null }
  'viewer.check': { in: { readonly viewer: string }; out: null }
}

export type StreamAskType = keyof StreamAsks

/** An ask as the stream's actor receives it. */
export type StreamAskEvent = {
  [K in StreamAskType]: { readonly type: K; readonly ask: string } & StreamAsks[K]['in']
}[StreamAskType]

/** What is told to a stream without an answer. */
export type StreamTell =
  /** A wire of one of its viewers broke: `wire` is what that wire named itself as `viewer` when it joined. */
  | { readonly type: 'viewer.detached'; readonly viewer: string; readonly wire: string }
  /** A view ticket was renewed: whoever watches by it may go on. */
  | { readonly type: 'view_ticket.renewed'; readonly ticket: string; readonly until: Millis }

/** What reaches a stream from outside the actor system, by way of the registry. */
export type StreamDelivery = StreamAskEvent | StreamTell
