import { Elysia } from 'elysia'
import { RefusedError, refuse } from '../../contracts/problem.ts'
import type { Dependencies } from '../dependencies.ts'
import { healthOperations } from './health-operations.ts'

/** `/healthz`: the process answers. `/readyz`: it can do its work. */
export function healthRoutes({ system, pingStore }: Pick<Dependencies, 'system' | 'pingStore'>) {
  return new Elysia({ name: 'health' })
    .get('/healthz', () => ({ ok: true }), healthOperations.alive)
    .get(
      '/readyz',
      async () => {
        await pingStore()
        const workers = Object.values(await system.describePool())
        if (!workers.some(({ up }) => up)) {
          throw new RefusedError(
            refuse('media_unavailable', 'No media worker is running yet. Ask again in a moment.', 1),
          )
        }
        return { ok: true, workers: { up: workers.filter(({ up }) => up).length, of: workers.length } }
      },
      healthOperations.ready,
    )
}
