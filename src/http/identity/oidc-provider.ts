import {
  AuthorizationResponseError,
  allowInsecureRequests,
  authorizationCodeGrant,
  buildAuthorizationUrl,
  type ClientAuth,
  ClientError,
  ClientSecretBasic,
  ClientSecretPost,
  type Configuration,
  calculatePKCECodeChallenge,
  discovery,
  enableNonRepudiationChecks,
  fetchUserInfo,
  ResponseBodyError,
  randomNonce,
  randomPKCECodeVerifier,
  randomState,
} from 'openid-client'
import { RefusedError, refuse } from '../../contracts/problem.ts'

export interface OidcSettings {
  /** The provider's issuer address: its metadata is at `/.well-known/openid-configuration` under it. */
  readonly issuer: string
  readonly clientId: string
  readonly clientSecret: string
  /** Words with a space between; `openid` among them. */
  readonly scope: string
}

/** What must come back with the person. The browser keeps it until then; each is used once. */
export interface SignInAttempt {
  readonly state: string
  readonly nonce: string
  /** RFC 7636: proves that who ends the sign-in began it. */
  readonly verifier: string
}

/** Somebody whom the provider signed in. */
export interface ProviderPerson {
  readonly issuer: string
  readonly subject: string
  /** What they may be called, the best first. None of it says who they are. */
  names(): Promise<readonly string[]>
}

/** Signs people in with an OpenID Connect provider: authorization code flow with PKCE, state and nonce. */
export interface OidcProvider {
  /** @throws RefusedError `issuer_unavailable` */
  begin(redirectUri: string): Promise<{ readonly url: string; readonly attempt: SignInAttempt }>
  /**
   * @param callback the address that the provider sent the browser to, as people reach us
   * @throws RefusedError `sign_in_failed` or `issuer_unavailable`
   */
  finish(callback: URL, attempt: SignInAttempt): Promise<ProviderPerson>
}

/** How long one request to the provider may take, s. */
const timeout = 10
const retryAfter = 5

/**
 * Knows nothing of the provider until somebody signs in: a provider that is down keeps no
 * server from starting.
 * @param report something is wrong with the provider or its settings
 */
export function createOidcProvider(settings: OidcSettings, report: (error: unknown) => void): OidcProvider {
  const { issuer, clientId, clientSecret, scope } = settings
  let found: Promise<Configuration> | null = null

  const provider = (): Promise<Configuration> => {
    found ??= discover().catch((error) => {
      found = null
      throw unavailable(error)
    })
    return found
  }

  async function discover(): Promise<Configuration> {
    const url = new URL(issuer)
    // Http is for a provider on this very machine; the settings take no other.
    const execute = url.protocol === 'http:' ? [allowInsecureRequests] : []
    const configuration = await discovery(url, clientId, undefined, clientAuth(clientSecret), { execute, timeout })
    // The ID token's signature is checked, too, not the provider's certificate alone.
    enableNonRepudiationChecks(configuration)
    return configuration
  }

  function tell(error: unknown): void {
    report(new Error(`The sign-in provider ${issuer} does not do its part: ${faultOf(error)}`))
  }

  /** The provider, its address or our settings are at fault; which, is for the log and not for the caller. */
  function unavailable(error: unknown): RefusedError {
    tell(error)
    const detail = 'The sign-in provider does not answer as it should. Try again in a moment.'
    return new RefusedError(refuse('issuer_unavailable', detail, retryAfter))
  }

  return {
    async begin(redirectUri) {
      const configuration = await provider()
      const attempt = { state: randomState(), nonce: randomNonce(), verifier: randomPKCECodeVerifier() }
      const url = buildAuthorizationUrl(configuration, {
        redirect_uri: redirectUri,
        scope,
        state: attempt.state,
        nonce: attempt.nonce,
        code_challenge: await calculatePKCECodeChallenge(attempt.verifier),
        code_challenge_method: 'S256',
      })
      return { url: url.href, attempt }
    },
    async finish(callback, { state, nonce, verifier }) {
      const configuration = await provider()
      const checks = { expectedState: state, expectedNonce: nonce, pkceCodeVerifier: verifier, idTokenExpected: true }
      const tokens = await authorizationCodeGrant(configuration, callback, checks).catch((error) => {
        const refusal = refusalOf(error)
        if (refusal === null) throw unavailable(error)
        // A callback of our own sign-in that fails may be the provider's fault; any other is somebody's invention.
        if (error instanceof ClientError && callback.searchParams.get('state') === state) tell(error)
        throw refusal
      })
      const claims = tokens.claims()
      if (claims === undefined) throw unavailable(new Error('no ID token'))
      return {
        issuer: claims.iss,
        subject: claims.sub,
        async names() {
          const said = namesIn(claims)
          if (said.length > 0 || configuration.serverMetadata().userinfo_endpoint === undefined) return said
          // Many providers tell names there alone. They are a wish: without them there is another name.
          return await fetchUserInfo(configuration, tokens.access_token, claims.sub).then(namesIn, (error) => {
            report(new Error(`The sign-in provider ${issuer} does not tell of a person: ${faultOf(error)}`))
            return []
          })
        },
      }
    },
  }
}

/** As the provider takes the secret: in the body where it says so, else in the header (the protocol's default). */
function clientAuth(secret: string): ClientAuth {
  const post = ClientSecretPost(secret)
  const basic = ClientSecretBasic(secret)
  return (server, ...rest) => {
    const inBody = server.token_endpoint_auth_methods_supported?.includes('client_secret_post') ?? false
    return inBody ? post(server, ...rest) : basic(server, ...rest)
  }
}

/** `null`: not the browser's doing. */
function refusalOf(error: unknown): RefusedError | null {
  const failed = (detail: string) => new RefusedError(refuse('sign_in_failed', detail))
  if (error instanceof AuthorizationResponseError) {
    return error.error === 'access_denied'
      ? failed('The sign-in was cancelled at the provider. Go to /sign-in to begin again.')
      : failed('The provider did not sign you in. Go to /sign-in to begin again.')
  }
  if (error instanceof ResponseBodyError && error.error === 'invalid_grant') {
    return failed('This sign-in was used already or took too long. Go to /sign-in to begin again.')
  }
  const mismatches = ['OAUTH_INVALID_RESPONSE', 'OAUTH_JWT_CLAIM_COMPARISON_FAILED', 'OAUTH_JWT_TIMESTAMP_CHECK_FAILED']
  return error instanceof ClientError && mismatches.includes(error.code ?? '')
    ? failed('The answer does not belong to the sign-in that this browser began. Go to /sign-in to begin again.')
    : null
}

/** What went wrong, without what was sent and received: it holds secrets. */
function faultOf(error: unknown): string {
  if (error instanceof ResponseBodyError) return `${error.error} (status ${error.status})`
  if (!(error instanceof Error)) return 'unknown'
  const code = 'code' in error && typeof error.code === 'string' ? ` (${error.code})` : ''
  const cause = error.cause instanceof Error ? `: ${error.cause.message}` : ''
  return `${error.message}${code}${cause}`
}

/** Names as a provider writes them: an address is cut at its @. */
function namesIn(claims: { readonly [claim: string]: unknown }): readonly string[] {
  const { preferred_username, nickname, email } = claims
  return [preferred_username, nickname, email]
    .filter((name) => typeof name === 'string')
    .map((name) => name.split('@', 1)[0] ?? '')
    .filter((name) => name !== '')
}
