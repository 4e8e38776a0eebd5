import { Health, Readiness } from '../../contracts/server.ts'
import { described } from '../description/described.ts'

const anybody = { area: 'The server', who: 'Anybody.', accepts: [], open: true } as const

/** What the health routes say of themselves. */
export const healthOperations = {
  alive: described({
    ...anybody,
    name: 'readHealth',
    summary: 'See that the process answers',
    answers: { 200: { says: 'It does.', contract: Health } },
    refuses: [],
  }),
  ready: described({
    ...anybody,
    name: 'readReadiness',
    summary: 'See that the server can do its work',
    about: 'The database answers and a media worker is up.',
    answers: { 200: { says: 'It can.', contract: Readiness } },
    refuses: ['store_unavailable', 'media_unavailable', 'internal'],
  }),
} as const
