import type { AnyStateMachine, AnyStateNode } from 'xstate'
import type {
  ChartDescription,
  ChartState,
  ChartTransition,
  ChartTrigger,
} from '../../web/statechart/chart-description.ts'
import { actionName, guardName, isWritten } from './names.ts'

type Definition = ReturnType<AnyStateNode['transitions']['get']> extends (infer T)[] | undefined ? T : never

/** An XState machine as plain data, for pictures and tables. Runs nothing of it. */
export function describeMachine(machine: AnyStateMachine): ChartDescription {
  const nodes = withDescendants(machine.root)
  return {
    id: machine.root.id,
    root: describeState(machine.root),
    transitions: nodes.flatMap(transitionsOf),
    delays: Object.fromEntries(
      Object.entries(machine.implementations.delays)
        .sort(([a], [b]) => (a < b ? -1 : 1))
        .map(([name, delay]) => [name, typeof delay === 'number' ? delay : null]),
    ),
  }
}

function withDescendants(node: AnyStateNode): AnyStateNode[] {
  return [node, ...Object.values(node.states).flatMap((child) => withDescendants(child))]
}

function describeState(node: AnyStateNode): ChartState {
  return {
    id: pathId(node),
    key: node.key,
    kind: node.type,
    description: node.description ?? null,
    initial: node.type === 'compound' ? (node.initial.target.map(pathId)[0] ?? null) : null,
    entry: node.entry.filter(isWritten).map(actionName),
    exit: node.exit.filter(isWritten).map(actionName),
    invokes: node.invoke.map(actorName),
    states: Object.values(node.states).map((child) => describeState(child)),
  }
}

/** Of the place and not of a custom `id`, so that no two states share one. */
function pathId(node: AnyStateNode): string {
  return [node.machine.root.id, ...node.path].join('.')
}

function actorName(invoke: AnyStateNode['invoke'][number]): string {
  return typeof invoke.src === 'string' ? invoke.src : invoke.id
}

function transitionsOf(node: AnyStateNode): ChartTransition[] {
  const lists: [ChartTrigger, readonly Definition[]][] = [
    [{ kind: 'always' }, node.always ?? []],
    ...[...node.transitions].map(([descriptor, list]): [ChartTrigger, readonly Definition[]] => [
      triggerOf(node, descriptor),
      list,
    ]),
  ]
  return lists.flatMap(([trigger, list]) =>
    list.map((definition, index) => ({
      source: pathId(node),
      targets: (definition.target ?? []).map(pathId),
      trigger,
      guard: guardName(definition) ?? otherwise(list.slice(0, index)),
      actions: definition.actions.map(actionName),
      reenter: definition.reenter,
    })),
  )
}

/** What has to be true of a transition without a guard that is reached only when those `before` were refused. */
function otherwise(before: readonly Definition[]): string | null {
  const [first, ...more] = before.map(guardName)
  if (first === undefined) return null
  return first === null || first === '…' || more.length > 0 ? 'else' : `not ${first}`
}

function triggerOf(node: AnyStateNode, descriptor: string): ChartTrigger {
  const delayed = node.after.find(({ eventType }) => eventType === descriptor)
  if (delayed !== undefined) return { kind: 'after', name: String(delayed.delay) }
  const [, kind, of, name] = /^xstate\.(done|error)\.(actor|state)\.(.*)$/.exec(descriptor) ?? []
  if (kind === undefined || name === undefined) return { kind: 'event', name: descriptor }
  const invoked = node.invoke.find(({ id }) => id === name)
  const shown = of === 'state' ? node.key : invoked === undefined ? name : actorName(invoked)
  return { kind: kind as 'done' | 'error', name: shown }
}
