import { RateLimiterMemory, RateLimiterRes } from 'rate-limiter-flexible'
import { RefusedError, refuse } from '../../contracts/problem.ts'
import type { Principal } from '../access/principal.ts'
import { callerAddress, type PeerSource } from './caller-address.ts'
import { type RateKind, type RateRules, rateKinds } from './rate-settings.ts'

/** How often one caller may do what costs something. What counts the calls, only the implementation knows. */
export interface RateLimits {
  /**
   * Counts one call of that kind. A key stands in memory until its window is over: make it of
   * what is known to be real (a person, an address, a stream that exists), not of what a
   * caller could make up.
   * @throws RefusedError `too_many_requests` with the seconds to wait
   */
  take(kind: RateKind, key: string): Promise<void>
  /** A key for the caller: the person, the ticket or, of those without either, the address. */
  callerKey(principal: Principal, request: Request, server: PeerSource | null): string
  /** A key for where the request comes from, whoever sent it. */
  addressKey(request: Request, server: PeerSource | null): string
}

export interface RateLimitsInput {
  readonly rules: RateRules
  /** How many proxies before the server write `X-Forwarded-For`. */
  readonly trustedProxies: number
}

/** What a caller has too much of, for the sentence. */
const names: Readonly<Record<RateKind, string>> = {
  publish_ticket: 'publish tickets',
  view_ticket: 'view tickets',
  sign_in: 'sign-ins',
  create_stream: 'new streams',
  whip: 'WHIP sessions',
  whep: 'WHEP sessions',
  whip_session: 'changes of WHIP sessions',
  whep_session: 'changes of WHEP sessions',
}

/** Rate limits that are counted in this process's memory. */
export function createRateLimits({ rules, trustedProxies }: RateLimitsInput): RateLimits {
  const limiters = new Map<RateKind, RateLimiterMemory>()
  for (const kind of rateKinds) {
    const rule = rules[kind]
    if (rule === null) continue
    limiters.set(kind, new RateLimiterMemory({ keyPrefix: kind, points: rule.calls, duration: rule.seconds }))
  }
  const addressKey: RateLimits['addressKey'] = (request, server) =>
    `address ${callerAddress(request, server, trustedProxies)}`
  return {
    addressKey,
    callerKey(principal, request, server) {
      switch (principal.kind) {
        case 'person':
          return principal.person
        case 'desk':
          return `ticket ${principal.ticket}`
        case 'viewer_ticket':
          return `ticket ${principal.hash}`
        case 'service':
          return principal.person ?? addressKey(request, server)
        default:
          return addressKey(request, server)
      }
    },
    async take(kind, key) {
      try {
        await limiters.get(kind)?.consume(key)
      } catch (error) {
        if (!(error instanceof RateLimiterRes)) throw error
        const wait = Math.max(1, Math.ceil(error.msBeforeNext / 1000))
        const detail = `Too many ${names[kind]} in a short time. Try again in ${wait} s.`
        throw new RefusedError(refuse('too_many_requests', detail, wait))
      }
    },
  }
}
