import { isId } from '../../contracts/ids.ts'
import { RefusedError, refuse } from '../../contracts/problem.ts'

/**
 * What is no id names no stream: it never reaches an actor.
 * @throws RefusedError `session_not_found`
 */
export function mustBeStream(id: string): void {
  if (isId('agentStream', id)) return
  throw new RefusedError(refuse('session_not_found', 'There is no such session. Start a new one.'))
}
