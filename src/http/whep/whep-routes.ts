import { Elysia } from 'elysia'
import { type ProblemCode, type Refusal, RefusedError, refuse } from '../../contracts/problem.ts'
import { authorisedStream } from '../access/authorised-stream.ts'
import { callerOf } from '../access/caller-of.ts'
import type { Dependencies } from '../dependencies.ts'
import { mintResourceId } from '../identity/secret.ts'
import { answerResponse, openToAll, optionsResponse, readOffer } from '../protocol/sdp-exchange.ts'
import { whepOperations } from './whep-operations.ts'

/** WHEP (draft-ietf-wish-whep-03): a player that is not ours. */
export function whepRoutes(needs: Dependencies) {
  const { system, rateLimits } = needs
  return (
    new Elysia({ name: 'whep' })
      .post(
        '/whep/agent/:id',
        async ({ request, server, params: { id } }) => {
          const { right, admitted } = await authorisedStream(needs, await callerOf(needs, request), 'watch', id)
          await rateLimits.take('whep', `${id} ${rateLimits.addressKey(request, server)}`)
          const offer = await readOffer(request)
          const viewer = mintResourceId()
          const { answer } = await system
            .ask(id, 'viewer.whep', { viewer, offer, right, admitted })
            .catch(instead('stream_ended', notLiveAnyMore))
          return answerResponse(answer, `/whep/agent/${id}/${viewer}`)
        },
        { parse: 'none', ...whepOperations.play },
      )
      .options('/whep/agent/:id', () => optionsResponse('POST, OPTIONS'), whepOperations.options)
      // The resource id is 128 random bits that only this viewer was told: it is the permission to leave.
      .delete(
        '/whep/agent/:id/:session',
        async ({ params: { id, session } }) => {
          await system.ask(id, 'viewer.leave', { viewer: session }).catch(instead('not_found', noSession))
          return new Response(null, { status: 200, headers: openToAll })
        },
        { parse: 'none', ...whepOperations.leave },
      )
      .options('/whep/agent/:id/:session', () => optionsResponse('DELETE, OPTIONS'), whepOperations.sessionOptions)
  )
}

/** What has ended does not publish either (specification, "WHEP"). Asking again does not help: not soon. */
const notLiveAnyMore = refuse('not_live', 'The stream has ended: it will not be live again.', 3600)
/** Whoever guesses at sessions learns of no stream. */
const noSession = refuse('session_not_found', 'There is no such session.')

/** Answers one refusal in place of another. */
function instead(code: ProblemCode, refusal: Refusal): (error: unknown) => never {
  return (error) => {
    throw error instanceof RefusedError && error.refusal.code === code ? new RefusedError(refusal) : error
  }
}
