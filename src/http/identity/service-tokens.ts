import { decodeJwt, type JWTPayload, jwtVerify } from 'jose'
import { RefusedError, refuse } from '../../contracts/problem.ts'
import { IssuerKeysError, issuerKeys } from './issuer-keys.ts'
import type { TrustedIssuer } from './issuer-settings.ts'
import type { LocalIssuer } from './local-issuer.ts'
import { readServiceClaims, type ServiceClaims } from './service-claims.ts'

/** Verifies service tokens of every issuer that counts here, this server's own among them. */
export interface ServiceTokens {
  /**
   * @throws RefusedError `invalid_token`, or `issuer_unavailable` when the keys of the token's
   * issuer cannot be had
   */
  verify(token: string): Promise<ServiceClaims>
}

export interface ServiceTokensInput {
  readonly local: LocalIssuer
  /** What tokens of this server's own issuer name as their audience. */
  readonly audience: string
  readonly issuers: readonly TrustedIssuer[]
  /** An issuer's keys could not be had. Once for each outage. */
  readonly report: (error: unknown) => void
  /** How long after a fetch of its keys an issuer is not asked for an unknown one, ms. */
  readonly cooldownMs?: number
  /** How long an issuer may take to send its keys, ms. */
  readonly timeoutMs?: number
}

/** Signatures that anyone can check and only the issuer can make: no `none`, no shared secrets. */
const algorithms = [
  ...['ES256', 'ES384', 'ES512'],
  ...['PS256', 'PS384', 'PS512'],
  ...['RS256', 'RS384', 'RS512'],
  ...['EdDSA', 'Ed25519'],
]
/** By how much clocks may differ, s. */
const clockTolerance = 5
/** When to ask again after an issuer did not send its keys, s. */
const retryAfter = 5

export function createServiceTokens(input: ServiceTokensInput): ServiceTokens {
  const { cooldownMs = 10_000, timeoutMs = 5000 } = input
  const trusted = new Map(
    input.issuers.map((issuer) => [
      issuer.issuer,
      { issuer, find: issuerKeys(issuer.keys, { cooldownMs, timeoutMs }), out: false },
    ]),
  )
  return {
    async verify(token) {
      const from = trusted.get(issuerOf(token))
      if (from === undefined) {
        return await input.local.verify(token, input.audience).catch(() => {
          throw notValid()
        })
      }
      try {
        const { payload } = await jwtVerify(token, from.find, {
          issuer: from.issuer.issuer,
          audience: from.issuer.audience,
          algorithms,
          clockTolerance,
          requiredClaims: ['iss', 'sub', 'aud', 'exp', 'iat'],
        })
        from.out = false
        return mustName(payload)
      } catch (error) {
        if (!(error instanceof IssuerKeysError)) throw notValid()
        if (!from.out)
          input.report(new Error(`The keys of the issuer ${from.issuer.issuer} cannot be had`, { cause: error }))
        from.out = true
        const detail = 'The issuer of the token does not send its keys right now. Try again in a moment.'
        throw new RefusedError(refuse('issuer_unavailable', detail, retryAfter))
      }
    },
  }
}

/** What the token says of its issuer. Believed only after the signature was checked. */
function issuerOf(token: string): string {
  try {
    return decodeJwt(token).iss ?? ''
  } catch {
    return ''
  }
}

function mustName(payload: JWTPayload): ServiceClaims {
  const claims = readServiceClaims(payload)
  if (claims.subject === '') throw notValid()
  return claims
}

/** One sentence for all that can be wrong: it tells nobody how near they came. */
function notValid(): RefusedError {
  return new RefusedError(
    refuse('invalid_token', 'The token does not verify: expired, for another audience, or signed by nobody we know.'),
  )
}
