import type { Operation } from '../../contracts/operation.ts'
import { describedBy } from '../contracts/described-by.ts'

/** Where a route keeps what it says of itself, among Elysia's `detail`. */
export interface Description {
  readonly summary: string
  readonly tags: string[]
  readonly operationId: string
  /** A function, for Elysia copies plain objects and the schemas are to stay what they are. */
  readonly operation: () => Operation
}

/**
 * What a route says of itself, said once: spread it into the route's options. Answers that
 * succeed carry the `Link` to their contract; the OpenAPI document and `/docs` are made of
 * the same.
 */
export function described(operation: Operation) {
  const { summary, area, name, answers } = operation
  const detail: Description = { summary, tags: [area], operationId: name, operation: () => operation }
  return {
    detail,
    afterHandle: ({ set, responseValue }: Answered) => {
      // Pages and pictures have no contract, whatever the same address answers to programs.
      if (responseValue instanceof Response && !/json/.test(responseValue.headers.get('content-type') ?? '')) return
      const status = responseValue instanceof Response ? responseValue.status : Number(set.status ?? 200)
      const contract = answers[status]?.contract
      if (contract !== undefined) set.headers.link = describedBy(contract).link
    },
  }
}

interface Answered {
  readonly set: { readonly headers: Record<string, string | number>; readonly status?: number | string }
  readonly responseValue: unknown
}
