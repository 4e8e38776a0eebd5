import { type AnyActorRef, sendTo } from 'xstate'
import type { Refusal } from '../../contracts/problem.ts'

/** What an actor answers an ask with: a value, or a typed refusal. Plain data. */
export type Answer<T = unknown> =
  | { readonly ok: true; readonly value: T }
  | { readonly ok: false; readonly refusal: Refusal }

export function answered<T>(value: T): Answer<T> {
  return { ok: true, value }
}

export function refused(refusal: Refusal): Answer<never> {
  return { ok: false, refusal }
}

/** The system id of the actor that takes answers and hands them to whoever asked. */
export const asksId = 'asks'

/** What that actor receives. `stream_lost`: the stream's actor died with its asks unanswered. */
export type AsksEvent =
  | { readonly type: 'answer'; readonly ask: string; readonly answer: Answer }
  | { readonly type: 'stream_lost'; readonly stream: string }

/** Action: answers an ask. Its id travelled in the event, so any actor that holds the id can answer. */
export function answerAsk(ask: string, answer: Answer) {
  return toAsks({ type: 'answer', ask, answer })
}

/** Action: tells the asks actor something. */
export function toAsks(event: AsksEvent) {
  // biome-ignore lint/suspicious/noExplicitAny: the action fits any machine, whatever its context and events
  return sendTo<any, any, any, AnyActorRef, any>(
    ({ system }: { system: { get(id: string): AnyActorRef } }) => system.get(asksId),
    event,
  )
}
