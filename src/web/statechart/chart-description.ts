/**
 * A statechart as plain data: what a picture of it, or a table about it, is made from. It says
 * nothing of XState, so that a page can draw a chart whose machine runs elsewhere.
 */
export interface ChartDescription {
  /** The machine's id; also the id of `root`. */
  readonly id: string
  readonly root: ChartState
  /** In document order: where several answer one event, the first whose guard agrees is taken. */
  readonly transitions: readonly ChartTransition[]
  /** By name, in ms; `null`: computed when it is needed. */
  readonly delays: Readonly<Record<string, number | null>>
}

export interface ChartState {
  /** Unique in the chart: the path of keys, joined by dots. */
  readonly id: string
  readonly key: string
  readonly kind: 'atomic' | 'compound' | 'parallel' | 'final' | 'history'
  /** A few words, for people. */
  readonly description: string | null
  /** The id of the state that is entered with this one; of compound states alone. */
  readonly initial: string | null
  readonly entry: readonly string[]
  readonly exit: readonly string[]
  /** The actors that run while the state is active. */
  readonly invokes: readonly string[]
  readonly states: readonly ChartState[]
}

export interface ChartTransition {
  readonly source: string
  /** Ids; none: the event is answered without a change of state. */
  readonly targets: readonly string[]
  readonly trigger: ChartTrigger
  /** `else`, `not …` or the guard's name with its parameters; `null`: always taken. */
  readonly guard: string | null
  readonly actions: readonly string[]
  /** A state that leads to itself is left and entered again. */
  readonly reenter: boolean
}

export type ChartTrigger =
  | { readonly kind: 'event'; readonly name: string }
  /** `name` is a delay's, or its ms. */
  | { readonly kind: 'after'; readonly name: string }
  | { readonly kind: 'always' }
  /** An actor, or a state with final states, came to its end; `*`: any actor. */
  | { readonly kind: 'done' | 'error'; readonly name: string }

/** The state and all below it, outermost first, in document order. */
export function statesWithin(state: ChartState): readonly ChartState[] {
  return [state, ...state.states.flatMap(statesWithin)]
}
