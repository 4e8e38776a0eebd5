import type { StreamFacts } from '../../actors/stream/stream-asks.ts'
import { isId } from '../../contracts/ids.ts'
import { RefusedError, refuse } from '../../contracts/problem.ts'
import type { Dependencies } from '../dependencies.ts'
import { type Action, accessRefusal } from './access.ts'
import type { Principal } from './principal.ts'

/**
 * What is true of a stream, for a caller who may do this with it.
 * @throws RefusedError `not_found`, or what the access rule answers
 */
export async function authorisedStream(
  { system }: Pick<Dependencies, 'system'>,
  principal: Principal,
  action: Action,
  id: string,
): Promise<StreamFacts> {
  // What is no id names no stream; it never reaches an actor.
  if (!isId('agentStream', id)) throw new RefusedError(refuse('not_found', 'There is no such stream.'))
  const [facts, ticket] = await Promise.all([
    system.ask(id, 'describe', {}),
    principal.kind === 'desk' ? system.ask(id, 'ticket.verify', { ticket: principal.ticket }) : null,
  ])
  const refusal = accessRefusal(principal, action, { ...facts, ticket })
  if (refusal !== null) throw new RefusedError(refusal)
  return facts
}
