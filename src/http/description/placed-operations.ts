import type { TObject, TSchema } from '@sinclair/typebox'
import type { PlacedOperation } from '../../contracts/operation.ts'
import type { Description } from './described.ts'

/** What is looked at of Elysia's routes. */
export interface DescribableRoute {
  readonly method: string
  readonly path: string
  readonly hooks: { readonly detail?: object; readonly query?: unknown; readonly body?: unknown }
}

/** Every operation where it stands, in the order of the routes. Pages and files describe themselves not. */
export function placedOperations(routes: readonly DescribableRoute[]): readonly PlacedOperation[] {
  return routes.flatMap(({ method, path, hooks }) => {
    const { operation } = (hooks.detail ?? {}) as Partial<Description>
    if (operation === undefined) return []
    const query = (hooks.query ?? null) as TObject | null
    const body = (hooks.body ?? null) as TSchema | null
    return [{ ...operation(), method: method === 'WS' ? 'GET' : method, path, query, body }]
  })
}
