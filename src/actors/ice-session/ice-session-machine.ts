import { fromPromise, setup } from 'xstate'
import { refuse } from '../../contracts/problem.ts'
import { answerAsk, answered, refused } from '../ask/answer.ts'
import { refusalOfError } from '../ask/refusal-of-error.ts'
import { decisions } from '../decide.ts'
import type { IceRestart, IceSession } from '../ports/media.ts'
import { decidePatch, type IcePatch, type IcePatched } from './ice-patch.ts'

export interface IceSessionInput extends IceSession {
  readonly stream: string
  /** The WHIP or WHEP session's resource id. */
  readonly session: string
}

export type IceSessionEvent =
  | ({ readonly type: 'patch'; readonly ask: string } & IcePatch)
  /** The WHIP or WHEP session is over. */
  | { readonly type: 'close' }
  | { readonly type: 'xstate.done.actor.restart'; readonly output: IceRestart }
  | { readonly type: 'xstate.error.actor.restart'; readonly error: unknown }

interface Restarting extends IcePatch {
  readonly ask: string
}

interface IceSessionContext extends IceSessionInput {
  /** Restarts that were accepted, the one under way first. */
  readonly restarts: readonly Restarting[]
}

const { on, whenever } = decisions<IceSessionContext, IceSessionEvent>()

/**
 * The ICE session of a WHIP or WHEP session. It answers what comes by `PATCH`: candidates at
 * once, restarts one after the other in the order in which they came. A restart that fails
 * leaves everything as it was.
 */
export const iceSessionMachine = setup({
  types: { context: {} as IceSessionContext, input: {} as IceSessionInput, events: {} as IceSessionEvent },
  actors: {
    restart: fromPromise<IceRestart, { stream: string; session: string }>(async () => {
      throw new Error('restart is not provided')
    }),
  },
  guards: {
    hasRestart: ({ context }) => context.restarts.length > 0,
    /** What the restart before it changed may stand against the next one. */
    nextIsRefused: ({ context }) => {
      const [next] = context.restarts
      return next !== undefined && decidePatch(next, context.tag, context.client).do === 'refuse'
    },
  },
  actions: {
    take: on<'patch'>((context, { ask, condition, fragment }, enqueue) => {
      const decision = decidePatch({ condition, fragment }, context.tag, context.client)
      if (decision.do === 'refuse') enqueue(answerAsk(ask, refused(decision.refusal)))
      else if (decision.do === 'take') enqueue(answerAsk(ask, answered<IcePatched>(null)))
      else enqueue.assign({ restarts: [...context.restarts, { ask, condition, fragment }] })
    }),
    refuseNext: whenever((context, enqueue) => {
      const [next, ...restarts] = context.restarts
      if (next === undefined) return
      const decision = decidePatch(next, context.tag, context.client)
      if (decision.do === 'refuse') enqueue(answerAsk(next.ask, refused(decision.refusal)))
      enqueue.assign({ restarts })
    }),
    restarted: on<'xstate.done.actor.restart'>((context, { output }, enqueue) => {
      const [done, ...restarts] = context.restarts
      if (done === undefined) return
      enqueue(answerAsk(done.ask, answered<IcePatched>(output)))
      enqueue.assign({ restarts, tag: output.tag, client: done.fragment.ufrag ?? context.client })
    }),
    notRestarted: on<'xstate.error.actor.restart'>((context, { error }, enqueue) => {
      const [failed, ...restarts] = context.restarts
      if (failed === undefined) return
      enqueue(answerAsk(failed.ask, refused(refusalOfError(error, 'media'))))
      enqueue.assign({ restarts })
    }),
    refuseAll: whenever((context, enqueue) => {
      const refusal = refuse('session_not_found', 'The session ended meanwhile. Start a new one.')
      for (const { ask } of context.restarts) enqueue(answerAsk(ask, refused(refusal)))
      enqueue.assign({ restarts: [] })
    }),
  },
}).createMachine({
  id: 'ice-session',
  description: 'what PATCH finds at a session',
  context: ({ input }) => ({ ...input, restarts: [] }),
  initial: 'steady',
  on: { patch: { actions: 'take' }, close: '.closed' },
  states: {
    steady: {
      description: 'candidates are answered at once',
      always: [
        { guard: 'nextIsRefused', target: 'steady', reenter: true, actions: 'refuseNext' },
        { guard: 'hasRestart', target: 'restarting' },
      ],
    },
    restarting: {
      description: 'the next restart waits',
      invoke: {
        src: 'restart',
        id: 'restart',
        input: ({ context }) => ({ stream: context.stream, session: context.session }),
        onDone: { target: 'steady', actions: 'restarted' },
        onError: { target: 'steady', actions: 'notRestarted' },
      },
    },
    closed: { description: 'nobody waits any more', type: 'final', entry: 'refuseAll' },
  },
})
