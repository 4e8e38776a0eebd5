import { ContractList } from '../../contracts/server.ts'
import { described } from '../description/described.ts'

const anybody = { area: 'The server', who: 'Anybody.', accepts: [], open: true } as const

/** What the routes of contracts say of themselves. */
export const contractOperations = {
  list: described({
    ...anybody,
    name: 'listContracts',
    summary: 'List the contracts',
    answers: { 200: { says: 'Their addresses.', contract: ContractList } },
    refuses: [],
  }),
  read: described({
    ...anybody,
    name: 'readContract',
    summary: 'Read a contract',
    about: 'JSON Schema 2020-12, the same that validates. Link headers with rel="describedby" lead here.',
    answers: { 200: { says: 'The schema.', types: ['application/schema+json'] } },
    refuses: ['not_found'],
  }),
} as const
