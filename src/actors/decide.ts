import { type ActionFunction, type EventObject, enqueueActions, type MachineContext } from 'xstate'

// biome-ignore-start lint/suspicious/noExplicitAny: stands for the machine's own names, which are checked where it is created
type AnyEnqueue = Parameters<
  Parameters<typeof enqueueActions<any, any, any, any, any, any, any, any, any>>[0]
>[0]['enqueue']

type Decision<C extends MachineContext, E extends EventObject, P extends object | undefined> = ActionFunction<
  C,
  E,
  E,
  P,
  any,
  any,
  any,
  any,
  any
>

/**
 * `enqueueActions`, for actions that are named in `setup()`: a decision in plain code, which
 * enqueues what is to happen. XState cannot infer its types there; these are the ones
 * that matter.
 */
export function decide<C extends MachineContext, E extends EventObject, P extends object | undefined = undefined>(
  decision: (of: { context: C; event: E; enqueue: AnyEnqueue }, params: P) => void,
): Decision<C, E, P> {
  return enqueueActions<any, any, any, any, any, any, any, any, any>(
    decision as Parameters<typeof enqueueActions<any, any, any, any, any, any, any, any, any>>[0],
  ) as Decision<C, E, P>
}

/** `decide` for one machine: `on` gets the event as the type that its name says. */
export function decisions<C extends MachineContext, E extends EventObject>() {
  return {
    /** For the events named. */
    on: <T extends E['type']>(decision: (context: C, event: Extract<E, { type: T }>, enqueue: AnyEnqueue) => void) =>
      decide<C, E>(({ context, event, enqueue }) => decision(context, event as Extract<E, { type: T }>, enqueue)),
    /** For whatever event. */
    whenever: (decision: (context: C, enqueue: AnyEnqueue) => void) =>
      decide<C, E>(({ context, enqueue }) => decision(context, enqueue)),
  }
}

export type Enqueue = AnyEnqueue
// biome-ignore-end lint/suspicious/noExplicitAny: as above
