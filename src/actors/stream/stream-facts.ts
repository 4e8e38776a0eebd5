import { isUp } from './curtain-rules.ts'
import type { StreamFacts } from './stream-asks.ts'
import type { StreamContext } from './stream-context.ts'

/** What others may be told of a stream: nothing secret, no reason. Pure. */
export function streamFacts(context: StreamContext): StreamFacts {
  return {
    id: context.id,
    owner: context.owner,
    handle: context.handle,
    channel: context.channel,
    task: context.task,
    visibility: context.visibility,
    state: context.ended !== null ? 'ended' : context.link !== null ? 'live' : 'idle',
    link: context.link,
    media: context.mediaReady ? context.media : null,
    viewers: Object.keys(context.viewers).length,
    curtain: curtainFacts(context),
    still: context.still !== null && !isHeld(context),
    createdAt: context.createdAt,
    startedAt: context.startedAt,
    ended: context.ended,
    workedMs: context.workedMs,
    liveSince: context.liveSince,
    endsAt: context.ticket?.expiresAt ?? null,
  }
}

/** The curtain counts as up until the media layer has really been released. */
export function curtainFacts(context: Pick<StreamContext, 'curtain' | 'hold'>): StreamFacts['curtain'] {
  return { up: isHeld(context), since: context.curtain.since }
}

/** Whether the desk is to encode: somebody watches, or anybody may at any moment. */
export function shouldEncode(context: Pick<StreamContext, 'viewers' | 'visibility'>): boolean {
  return context.visibility === 'public' || Object.keys(context.viewers).length > 0
}

/** Whether media is held now: what a new session or viewer starts with. */
export function isHeld(context: Pick<StreamContext, 'curtain' | 'hold'>): boolean {
  return isUp(context.curtain) || context.hold !== 'none'
}
