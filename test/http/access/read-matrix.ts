import { problems } from '../../../src/contracts/problem.ts'
import type { Route } from './matrix.ts'
import { type Caller, callers, groups } from './principals.ts'

/** One line of the table: whom it is about, and a cell for each column. */
export interface Line {
  readonly who: readonly string[]
  readonly callers: readonly Caller[]
  readonly cells: readonly string[]
}

const byName = new Map(callers.map((caller) => [caller.name, caller]))

/** The lines of a route's rows. `everybody else`: who is named on no other line. */
export function readLines({ route, columns, rows, some = false }: Route): Line[] {
  const lines = rows
    .split('\n')
    .map((line) => line.split('|').map((cell) => cell.trim()))
    .filter(([who]) => who !== '')
    .map(([who = '', ...cells]) => ({ who: who.split(',').map((name) => name.trim()), cells }))
  const named = lines.flatMap(({ who }) => who.flatMap(expand))
  const rest = callers.filter((caller) => !named.includes(caller))
  const read = lines.map(({ who, cells }): Line => {
    const whom = who.flatMap((name) => (name === 'everybody' || name === 'everybody else' ? rest : expand(name)))
    return { who, callers: whom, cells }
  })
  const all = read.flatMap((line) => line.callers)
  const twice = all.filter((caller, at) => all.indexOf(caller) !== at).map(({ name }) => name)
  const missing = some ? [] : callers.filter((caller) => !all.includes(caller)).map(({ name }) => name)
  const narrow = read.filter(({ cells }) => cells.length !== columns.length).map(({ who }) => who.join(', '))
  if (twice.length > 0) throw new Error(`${route} names twice: ${twice.join(', ')}`)
  if (missing.length > 0) throw new Error(`${route} does not say what is told to: ${missing.join(', ')}`)
  if (narrow.length > 0) throw new Error(`${route} has another number of cells than columns at: ${narrow.join('; ')}`)
  return read
}

/** The callers of a name or a group; none for `everybody`, which is read last. */
function expand(name: string): readonly Caller[] {
  if (name === 'everybody' || name === 'everybody else') return []
  const caller = byName.get(name)
  const found = groups[name] ?? (caller === undefined ? undefined : [caller])
  if (found === undefined) throw new Error(`Nobody in principals.ts is called ${JSON.stringify(name)}`)
  return found
}

/** A cell as a reader sees it: a code with its status. */
export function spellCell(cell: string): string {
  return Object.hasOwn(problems, cell) ? `${problems[cell as keyof typeof problems].status} ${cell}` : cell
}

/** True for a cell that says no. */
export function isRefusal(cell: string): boolean {
  return Object.hasOwn(problems, cell)
}
