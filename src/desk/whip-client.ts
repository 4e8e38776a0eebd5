import { httpCall } from './http-call.ts'
import { SetbackError } from './setback.ts'

/** A WHIP session as the client knows it. */
export interface WhipSession {
  readonly answer: string
  /** Absolute URL of the session. */
  readonly location: string
}

/** WHIP, RFC 9725 section 4.2: the offer in, the answer and the session's address out. */
export async function postOffer(whipUrl: string, ticket: string, offer: string): Promise<WhipSession> {
  const answer = await httpCall({
    method: 'POST',
    url: whipUrl,
    bearer: ticket,
    body: offer,
    contentType: 'application/sdp',
    limit: 10_000,
  })
  const location = answer.headers.get('location')
  if (location === null || !answer.text.startsWith('v=')) {
    throw new SetbackError({ kind: 'broken', sentence: 'The WHIP answer has no SDP or no Location.' })
  }
  return { answer: answer.text, location: new URL(location, whipUrl).href }
}

/** Resolves while the session is there; rejects with `refused` 404 when it is not. */
export async function checkSession(location: string, ticket: string): Promise<void> {
  await httpCall({ method: 'GET', url: location, bearer: ticket, limit: 2000 })
}

/** Ends the session, RFC 9725 section 4.2. */
export async function deleteSession(location: string, ticket: string): Promise<void> {
  await httpCall({ method: 'DELETE', url: location, bearer: ticket, limit: 2000 })
}
