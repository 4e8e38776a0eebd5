/** What stands for a condition that was written in place and has no name. */
const nameless = '…'

/** A guard by its name and parameters; `null`: there is none. A description speaks for one without a name. */
export function guardName({ guard, description }: { guard?: unknown; description?: string }): string | null {
  return guard === undefined ? null : (nameOf(guard, 'guard') ?? description ?? nameless)
}

/** The guards that a transition's condition is made of, as a description says it: `not a` asks `a`. */
export function guardNames(condition: string | null): readonly string[] {
  if (condition === null || condition === 'else' || condition === nameless) return []
  return condition.split(/ (?:and|or) /).map((name) => name.replace(/^not /, ''))
}

/** An action by its name and parameters, XState's own by what it does. */
export function actionName(action: unknown): string {
  return builtIn(action) ?? nameOf(action, 'actions') ?? nameless
}

/** `place` is the key that it was written under: a function that was written there is called so. */
function nameOf(value: unknown, place: string): string | undefined {
  if (typeof value === 'string') return value
  if (typeof value === 'object' && value !== null && 'type' in value) {
    return [value.type, ...words('params' in value ? value.params : undefined)].join(' ')
  }
  if (typeof value !== 'function') return undefined
  if ('guards' in value && Array.isArray(value.guards)) {
    const names = value.guards.map((guard) => guardName({ guard }))
    return value.name === 'not' ? `not ${names[0]}` : names.join(` ${value.name} `)
  }
  return value.name === '' || value.name === place ? undefined : value.name
}

/** Of an action's or a guard's parameters, those that are one word: codes, names of facts. */
function words(params: unknown): string[] {
  if (typeof params !== 'object' || params === null) return []
  return Object.values(params).filter((value): value is string => typeof value === 'string' && !value.includes(' '))
}

/** XState arms and cancels the timer of an `after` by actions of its own: those are nobody's. */
export function isWritten(action: unknown): boolean {
  if (typeof action !== 'function') return true
  const { event, sendId } = action as { event?: { type?: unknown }; sendId?: unknown }
  return ![event?.type, sendId].some((name) => typeof name === 'string' && name.startsWith('xstate.after.'))
}

function builtIn(action: unknown): string | undefined {
  if (typeof action !== 'function' || !('type' in action)) return undefined
  const { type, event, sendId, to } = action as { type: unknown; event?: unknown; sendId?: unknown; to?: unknown }
  const name = typeof event === 'object' && event !== null && 'type' in event ? ` ${String(event.type)}` : ''
  switch (type) {
    case 'xstate.assign':
      return 'assign'
    case 'xstate.raise':
      return `raise${name}`
    case 'xstate.cancel':
      return `cancel${typeof sendId === 'string' ? ` ${sendId}` : ''}`
    case 'xstate.sendTo':
      return `send${name}${typeof to === 'string' ? ` to ${to}` : ''}`
    case 'xstate.spawnChild':
      return 'spawn'
    case 'xstate.enqueueActions':
      return 'decide'
    default:
      return undefined
  }
}
