import { Elysia } from 'elysia'
import { RefusedError, refuse } from '../../contracts/problem.ts'
import { publishedContracts } from '../../contracts/published.ts'

/** `/contracts/<name>@<version>`: the JSON Schema of every contract, from the schemas that validate. */
export function contractRoutes() {
  const byName = new Map(publishedContracts.map((schema) => [String(schema.$id), schema]))
  return new Elysia({ name: 'contracts' })
    .get('/contracts', () => ({ contracts: [...byName.keys()].sort().map((name) => `/contracts/${name}`) }))
    .get('/contracts/:name', ({ params: { name } }) => {
      const schema = byName.get(name)
      if (schema === undefined) {
        throw new RefusedError(refuse('not_found', 'There is no such contract. /contracts lists them.'))
      }
      return Response.json(
        { $schema: 'https://json-schema.org/draft/2020-12/schema', ...schema, $id: `/contracts/${name}` },
        { headers: { 'Content-Type': 'application/schema+json', 'Cache-Control': 'public, max-age=3600' } },
      )
    })
}

/** A response header that names the contract of its body (RFC 8288, relation `describedby`). */
export function describedBy(schema: { readonly $id?: string }): Record<'link', string> {
  return { link: `</contracts/${schema.$id}>; rel="describedby"` }
}
