import type { ViewTicketGrant, ViewTicketRequest } from '../../contracts/viewing.ts'

/** What the server said to a request for a view ticket. Plain data; lengths in milliseconds. */
export type TicketAnswer =
  | {
      readonly type: 'granted'
      readonly ticket: string
      /** How long the ticket stands from now on, on nobody's clock in particular. */
      readonly standsFor: number
      /** It lives no longer than that: renewing it again brings nothing. */
      readonly final: boolean
    }
  /** Not to be had: asking again would not help. */
  | { readonly type: 'refused' }
  /** No answer, or none to go by: ask again. */
  | { readonly type: 'failed'; readonly retryAfter: number | null }

/** `POST /api/streams/agent/<id>/view-ticket`, as the player asks it. Tests give their own. */
export interface ViewTickets {
  /** Lets `ticket` live longer. */
  renew(ticket: string, signal: AbortSignal): Promise<TicketAnswer>
  /** A new one by the page's own right: the link's key, or the browser's session. */
  mint(key: string | null, signal: AbortSignal): Promise<TicketAnswer>
}

/** {@link ViewTickets} of a stream, by `fetch`. `base` is the server's origin. Never rejects. */
export function fetchViewTickets(base: string, stream: string): ViewTickets {
  const url = new URL(`/api/streams/agent/${stream}/view-ticket`, base)
  const ask = async (body: ViewTicketRequest, signal: AbortSignal): Promise<TicketAnswer> => {
    try {
      const response = await fetch(url, {
        method: 'POST',
        headers: { 'Content-Type': 'application/json' },
        body: JSON.stringify(body),
        cache: 'no-store',
        signal,
      })
      return await readTicketAnswer(response, Date.now())
    } catch {
      return { type: 'failed', retryAfter: null }
    }
  }
  return {
    renew: (renew, signal) => ask({ renew }, signal),
    mint: (k, signal) => ask(k === null ? {} : { k }, signal),
  }
}

/**
 * Reads an answer. Times are measured against the answer's own `Date` (RFC 9110 section
 * 6.6.1), not against this machine's clock, which may be minutes off; `now` stands in where
 * there is none. Rejects when the body is not what the contract says.
 */
export async function readTicketAnswer(response: Response, now: number): Promise<TicketAnswer> {
  const { status } = response
  if (status === 408 || status === 429 || status >= 500) {
    return { type: 'failed', retryAfter: readRetryAfter(response.headers.get('retry-after')) }
  }
  if (!response.ok) return { type: 'refused' }
  const { ticket, expires_at, renewable_until } = (await response.json()) as ViewTicketGrant
  const expires = Date.parse(expires_at)
  const end = Date.parse(renewable_until)
  if (typeof ticket !== 'string' || Number.isNaN(expires) || Number.isNaN(end)) throw new Error('not a view ticket')
  const dated = Date.parse(response.headers.get('date') ?? '')
  return {
    type: 'granted',
    ticket,
    standsFor: Math.max(0, expires - (Number.isNaN(dated) ? now : dated)),
    final: expires >= end,
  }
}

/** `Retry-After` in seconds (RFC 9110 section 10.2.3), a minute at most; its other form, a date, we never send. */
function readRetryAfter(header: string | null): number | null {
  const seconds = header === null || !/^\d+$/.test(header) ? null : Number(header)
  return seconds === null ? null : Math.min(60, seconds) * 1000
}

/** Two minutes before the end, and up to one more, so that the pages of one stream do not all ask at once. */
const lead = 2 * 60 * 1000
const spread = 60 * 1000

/**
 * How long to wait before a ticket that stands for so long is renewed: until two to three
 * minutes before its end, or half of a life that is shorter than that. Never below a second.
 */
export function renewalDelayMs(standsFor: number, chance: number): number {
  return Math.max(1000, Math.round(standsFor - Math.min(lead + spread * chance, standsFor / 2)))
}
