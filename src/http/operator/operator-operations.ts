import type { Operation } from '../../contracts/operation.ts'
import { InvitedPerson, KnownPerson } from '../../contracts/operator.ts'
import type { ProblemCode } from '../../contracts/problem.ts'
import { described } from '../description/described.ts'
import { all, ofBodies } from '../description/refusals.ts'

const shared = {
  area: 'Operator',
  who: 'The command line on the server’s own machine.',
  accepts: ['operator_token'],
} as const satisfies Partial<Operation>

const ofOperators: readonly ProblemCode[] = ['invalid_token', 'capability.denied', 'store_unavailable', 'internal']

/** What the operator's routes say of themselves. */
export const operatorOperations = {
  add: described({
    ...shared,
    name: 'addPerson',
    summary: 'Add a person',
    answers: { 201: { says: 'The person, with a sign-in link that works once.', contract: InvitedPerson } },
    refuses: all(ofOperators, ofBodies, ['handle_taken']),
  }),
  find: described({
    ...shared,
    name: 'findPerson',
    summary: 'Find a person by handle',
    answers: { 200: { says: 'The person.', contract: KnownPerson } },
    refuses: all(ofOperators, ['not_found']),
  }),
  invite: described({
    ...shared,
    name: 'invitePerson',
    summary: 'Make another sign-in link',
    answers: { 201: { says: 'The person, with a sign-in link that works once.', contract: InvitedPerson } },
    refuses: all(ofOperators, ['not_found']),
  }),
} as const
