import type { StreamAsks } from '../../actors/stream/stream-asks.ts'
import type { ActorSystem } from '../../actors/system.ts'
import { isId } from '../../contracts/ids.ts'
import { RefusedError, refuse } from '../../contracts/problem.ts'

/** What is asked of a WHEP session by whoever knows its address. */
type SessionAsk = 'viewer.check' | 'viewer.patch' | 'viewer.leave'

/**
 * Asks a WHEP session of a stream. Whoever guesses at sessions learns of no stream: that there
 * is no such stream, and that there is no such session, is answered the same.
 * @throws RefusedError `session_not_found`, or what the stream answers
 */
export async function askSession<K extends SessionAsk>(
  system: Pick<ActorSystem, 'ask'>,
  stream: string,
  type: K,
  input: StreamAsks[K]['in'],
): Promise<StreamAsks[K]['out']> {
  const noSession = () => new RefusedError(refuse('session_not_found', 'There is no such session. Start a new one.'))
  // What is no id names no stream: it never reaches an actor.
  if (!isId('agentStream', stream)) throw noSession()
  try {
    return await system.ask(stream, type, input)
  } catch (error) {
    throw error instanceof RefusedError && error.refusal.code === 'not_found' ? noSession() : error
  }
}
