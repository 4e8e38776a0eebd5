import type { Operation } from '../../contracts/operation.ts'

/** What every `OPTIONS` route of WHIP and WHEP says of itself. */
export const preflight = {
  summary: 'Ask what this address takes',
  about: 'Also the browsers’ preflight (CORS).',
  who: 'Anybody.',
  accepts: [],
  open: true,
  answers: { 200: { says: 'The methods, and the type of an offer.', headers: ['Allow', 'Accept-Post'] } },
  refuses: [],
} as const satisfies Partial<Operation>

export const sdp = ['application/sdp'] as const
