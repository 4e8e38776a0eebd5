import { Elysia } from 'elysia'
import { RefusedError, refuse } from '../../contracts/problem.ts'
import { publishedContracts } from '../../contracts/published.ts'
import { contractOperations } from './contract-operations.ts'

/** The schema of the schemas. */
const draft = 'https://json-schema.org/draft/2020-12/schema'

/** `/contracts/<name>@<version>`: the JSON Schema of every contract, from the schemas that validate. */
export function contractRoutes() {
  const byName = new Map(publishedContracts.map((schema) => [String(schema.$id), schema]))
  return new Elysia({ name: 'contracts' })
    .get(
      '/contracts',
      () => ({ contracts: [...byName.keys()].sort().map((name) => `/contracts/${name}`) }),
      contractOperations.list,
    )
    .get(
      '/contracts/:name',
      ({ params: { name } }) => {
        const schema = byName.get(name)
        if (schema === undefined) {
          throw new RefusedError(refuse('not_found', 'There is no such contract. /contracts lists them.'))
        }
        return Response.json(
          { $schema: draft, ...schema, $id: `/contracts/${name}` },
          {
            headers: {
              'Content-Type': 'application/schema+json',
              'Cache-Control': 'public, max-age=3600',
              Link: `<${draft}>; rel="describedby"`,
            },
          },
        )
      },
      contractOperations.read,
    )
}
