import * as fc from 'fast-check'
import type { CurtainHolder } from '../../../src/actors/ports/store.ts'
import type { Visibility } from '../../../src/contracts/agent-stream.ts'
import type { StoreMood } from './lasting-store.ts'

/** One thing that happens. `s` says to which stream, `v` to which viewer of it, by position. */
export type Step =
  | { readonly do: 'publish'; readonly s: number; readonly ticket: TicketChoice; readonly offer: 'good' | 'bad' }
  | { readonly do: 'desk fact'; readonly s: number; readonly fact: 'connected' | 'disconnected' | 'packets' }
  | { readonly do: 'desk hangs up'; readonly s: number }
  /** Publishes with the newest ticket, and the link comes up. */
  | { readonly do: 'go live'; readonly s: number }
  | { readonly do: 'unpublish'; readonly s: number; readonly ticket: TicketChoice }
  /** The desk patches its session: candidates, or another username fragment, which restarts ICE. */
  | {
      readonly do: 'desk patches'
      readonly s: number
      readonly ticket: TicketChoice
      readonly ufrag: Ufrag
      readonly match: Match
    }
  | { readonly do: 'mint'; readonly s: number }
  | { readonly do: 'revoke'; readonly s: number }
  | { readonly do: 'end'; readonly s: number; readonly by: 'owner' | 'desk' }
  | { readonly do: 'curtain'; readonly s: number; readonly by: CurtainHolder; readonly up: boolean }
  | { readonly do: 'desk state'; readonly s: number; readonly ticket: TicketChoice }
  | { readonly do: 'describe'; readonly s: number }
  | { readonly do: 'visibility'; readonly s: number; readonly visibility: Visibility }
  | { readonly do: 'rotate'; readonly s: number }
  | { readonly do: 'unshare'; readonly s: number; readonly person: string }
  | { readonly do: 'still'; readonly s: number; readonly ticket: TicketChoice }
  | { readonly do: 'still?'; readonly s: number }
  | {
      readonly do: 'join'
      readonly s: number
      readonly v: number
      readonly right: RightChoice
      readonly seconds: number
    }
  | {
      readonly do: 'resume'
      readonly s: number
      readonly v: number
      readonly right: RightChoice
      readonly seconds: number
    }
  | { readonly do: 'consume'; readonly s: number; readonly v: number }
  | { readonly do: 'connect'; readonly s: number; readonly v: number }
  | { readonly do: 'viewer fact'; readonly s: number; readonly v: number; readonly fact: 'connected' | 'disconnected' }
  | { readonly do: 'leave'; readonly s: number; readonly v: number }
  /** A player by WHEP patches its session. */
  | {
      readonly do: 'player patches'
      readonly s: number
      readonly v: number
      readonly ufrag: Ufrag
      readonly match: Match
    }
  | { readonly do: 'detach'; readonly s: number; readonly v: number }
  /** Joins, consumes, connects, and the link comes up. */
  | {
      readonly do: 'watch'
      readonly s: number
      readonly v: number
      readonly right: RightChoice
      readonly seconds: number
    }
  | {
      readonly do: 'whep'
      readonly s: number
      readonly v: number
      readonly right: RightChoice
      readonly seconds: number
      readonly offer: 'good' | 'bad'
    }
  | { readonly do: 'renew'; readonly s: number; readonly v: number; readonly seconds: number }
  | { readonly do: 'worker dies'; readonly worker: string }
  | { readonly do: 'media'; readonly slow: boolean }
  | { readonly do: 'media answers'; readonly count: number }
  | { readonly do: 'media refuses' }
  | { readonly do: 'store'; readonly mood: StoreMood }
  | { readonly do: 'store answers'; readonly count: number }
  | { readonly do: 'pass'; readonly ms: number; readonly sending: boolean }
  /** The process is killed and started again. `done`: what it was writing is kept. */
  | { readonly do: 'restart'; readonly done: boolean }

/** The newest ticket, the one before it, or none of the stream's. */
export type TicketChoice = 'newest' | 'before' | 'foreign'
/** `client`: of the offer, so there are candidates alone. */
export type Ufrag = 'client' | 'fresh' | 'fresher'
/** What `If-Match` has: the star, the tag that the session was told last, one that it never had, or it is missing. */
export type Match = 'star' | 'newest' | 'foreign' | 'none'
export type RightChoice = 'owner' | 'shared' | 'moderator' | 'link' | 'old link' | 'public'

/** A step, and how many turns of the promise queue it is given before the next one. */
export interface Moment {
  readonly step: Step
  readonly turns: number
}

export const streamCount = 3
export const workerNames = ['w1', 'w2']

// Most happens to one of them, so that things meet.
const s = fc.constantFrom(0, 0, 0, 0, 0, 1, 2)
const v = fc.constantFrom(0, 0, 0, 1, 2)
const ticket = fc.constantFrom<TicketChoice>('newest', 'newest', 'newest', 'before', 'foreign')
const right = fc.constantFrom<RightChoice>('owner', 'shared', 'moderator', 'link', 'old link', 'public', 'public')
const offer = fc.constantFrom('good', 'good', 'good', 'bad')
const ufrag = fc.constantFrom<Ufrag>('client', 'fresh', 'fresher')
const match = fc.constantFrom<Match>('star', 'star', 'newest', 'foreign', 'none')
/** Until when the view ticket lets the viewer watch; 0: it came without one. */
const seconds = fc.constantFrom(0, 0, 1, 5, 60)

function step<K extends Step['do']>(
  weight: number,
  kind: K,
  fields: { readonly [F in keyof Omit<Extract<Step, { do: K }>, 'do'>]: fc.Arbitrary<Extract<Step, { do: K }>[F]> },
): fc.WeightedArbitrary<Step> {
  return { weight, arbitrary: fc.record({ do: fc.constant(kind), ...fields }) as unknown as fc.Arbitrary<Step> }
}

const kinds: readonly fc.WeightedArbitrary<Step>[] = [
  step(6, 'go live', { s }),
  step(6, 'watch', { s, v, right, seconds }),
  step(8, 'curtain', { s, by: fc.constantFrom<CurtainHolder>('desk', 'moderator', 'owner'), up: fc.boolean() }),
  step(3, 'publish', { s, ticket, offer: offer as fc.Arbitrary<'good' | 'bad'> }),
  step(3, 'desk fact', { s, fact: fc.constantFrom('connected', 'disconnected', 'packets') }),
  step(1, 'desk hangs up', { s }),
  step(1, 'unpublish', { s, ticket }),
  step(2, 'desk patches', { s, ticket, ufrag, match }),
  step(2, 'mint', { s }),
  step(1, 'revoke', { s }),
  step(1, 'end', { s, by: fc.constantFrom('owner', 'desk') }),
  step(1, 'desk state', { s, ticket }),
  step(1, 'describe', { s }),
  step(4, 'visibility', { s, visibility: fc.constantFrom<Visibility>('private', 'unlisted', 'public') }),
  step(2, 'rotate', { s }),
  step(1, 'unshare', { s, person: fc.constantFrom('usr_bob', 'usr_cy') }),
  step(2, 'still', { s, ticket }),
  step(1, 'still?', { s }),
  step(2, 'join', { s, v, right, seconds }),
  step(2, 'resume', { s, v, right, seconds }),
  step(3, 'consume', { s, v }),
  step(2, 'connect', { s, v }),
  step(2, 'viewer fact', { s, v, fact: fc.constantFrom('connected', 'disconnected') }),
  step(1, 'leave', { s, v }),
  step(2, 'player patches', { s, v, ufrag, match }),
  step(2, 'detach', { s, v }),
  step(2, 'whep', { s, v, right, seconds, offer: offer as fc.Arbitrary<'good' | 'bad'> }),
  step(1, 'renew', { s, v, seconds: fc.constantFrom(1, 5, 60) }),
  step(1, 'worker dies', { worker: fc.constantFrom(...workerNames) }),
  step(3, 'media', { slow: fc.boolean() }),
  step(4, 'media answers', { count: fc.constantFrom(1, 1, 2, 5) }),
  step(1, 'media refuses', {}),
  step(5, 'store', { mood: fc.constantFrom<StoreMood>('prompt', 'prompt', 'slow', 'down', 'lossy') }),
  step(4, 'store answers', { count: fc.constantFrom(1, 1, 2, 5) }),
  step(5, 'pass', {
    ms: fc.oneof(
      { weight: 12, arbitrary: fc.constantFrom(1, 500, 1000, 2000) },
      { weight: 4, arbitrary: fc.constantFrom(3000, 5000, 15_000, 31_000, 61_000) },
      { weight: 1, arbitrary: fc.constant(600_000) },
    ),
    sending: fc.boolean(),
  }),
  step(2, 'restart', { done: fc.boolean() }),
]

/** The first stream is live and watched, so that there is something to lose. */
const onAir: readonly Moment[] = [
  { step: { do: 'go live', s: 0 }, turns: 60 },
  { step: { do: 'watch', s: 0, v: 0, right: 'public', seconds: 0 }, turns: 60 },
]

/**
 * What happens to three streams of two people, in an order that nobody would think of. Each
 * time only some kinds of things happen: what never meets among forty kinds meets among five.
 */
export function moments(longest: number): fc.Arbitrary<Moment[]> {
  const some = fc.oneof(
    { weight: 1, arbitrary: fc.constant([...kinds]) },
    { weight: 3, arbitrary: fc.subarray([...kinds], { minLength: 4, maxLength: 10 }) },
  )
  const turns = fc.oneof(fc.constantFrom(0, 0, 1, 2, 4, 60, 60, 60), fc.constantFrom(0, 1, 2), fc.constant(60))
  return fc.tuple(fc.boolean(), some).chain(([begun, chosen]) => {
    const moment = fc.record({ step: fc.oneof(...chosen), turns })
    const rest = fc.array(moment, { minLength: 1, maxLength: longest, size: 'max' })
    return begun ? rest.map((later) => [...onAir, ...later]) : rest
  })
}
