import { createHash } from 'node:crypto'
import { Elysia } from 'elysia'
import { RefusedError, refuse } from '../../contracts/problem.ts'
import { authorisedStream } from '../access/authorised-stream.ts'
import { callerOf } from '../access/caller-of.ts'
import type { Dependencies } from '../dependencies.ts'
import { readBytes } from '../read-body.ts'
import { stillOperations } from './still-operations.ts'
import { stillType } from './still-type.ts'

/** A still has 200 KB at most (specification, "What the desk reads and sends"). */
export const stillLimit = 200 * 1000

/** `…/frame`: the desk's last still, for the card and the task's page. */
export function stillRoutes(needs: Dependencies) {
  const { system, stills, now } = needs
  return new Elysia({ name: 'stills' })
    .put(
      '/api/streams/agent/:id/frame',
      async ({ request, params: { id } }) => {
        const caller = await callerOf(needs, request)
        await authorisedStream(needs, caller, 'put_still', id)
        const ticket = caller.principal.kind === 'desk' ? caller.principal.ticket : ''
        const bytes = await readBytes(request, stillLimit)
        const type = stillType(bytes)
        if (type === null) {
          throw new RefusedError(refuse('unsupported_media_type', 'Send a JPEG or WebP picture, as it is.'))
        }
        const hash = createHash('sha256').update(bytes).digest('hex')
        const at = now()
        // The bytes first, then the actor's word that they are the last still: behind the curtain it has none.
        await stills.put(id, hash, bytes, at)
        try {
          await system.ask(id, 'still.set', { ticket, still: { hash, type, size: bytes.byteLength, at } })
        } catch (error) {
          await stills.drop(id, hash).catch(() => {})
          throw error
        }
        return new Response(null, { status: 204, headers: { ETag: `"${hash}"` } })
      },
      { parse: 'none', ...stillOperations.put },
    )
    .get(
      '/api/streams/agent/:id/frame',
      async ({ request, params: { id } }) => {
        await authorisedStream(needs, await callerOf(needs, request), 'view', id)
        const still = await system.ask(id, 'still.get', {})
        if (still === null)
          throw new RefusedError(refuse('no_still', 'The desk has sent no still yet. Ask again later.'))
        const headers = {
          'Content-Type': still.type,
          ETag: `"${still.hash}"`,
          // Asked for anew each time: the curtain may have gone up in between.
          'Cache-Control': 'private, no-cache',
          'Last-Modified': new Date(still.at).toUTCString(),
          'X-Content-Type-Options': 'nosniff',
          'Content-Security-Policy': "default-src 'none'",
        }
        if (matches(request.headers.get('if-none-match'), `"${still.hash}"`)) {
          return new Response(null, { status: 304, headers })
        }
        const bytes = await stills.get(id, still.hash)
        if (bytes === null) throw new RefusedError(refuse('no_still', 'A newer still is coming. Ask again.'))
        return new Response(bytes, { headers })
      },
      stillOperations.get,
    )
}

/** `If-None-Match` (RFC 9110 section 13.1.2): a list of tags, weak or not, or `*`. */
function matches(header: string | null, etag: string): boolean {
  if (header === null) return false
  return header.split(',').some((tag) => tag.trim() === '*' || tag.trim().replace(/^W\//, '') === etag)
}
