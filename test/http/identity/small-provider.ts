import { createHash } from 'node:crypto'
import { type SigningKey, signingKey } from './small-issuer.ts'

interface Grant {
  readonly redirectUri: string
  readonly challenge: string
  readonly nonce: string
  readonly claims: Record<string, unknown>
}

/** What the provider does wrong, or otherwise, for a test. */
export interface Manners {
  /** Who is signed in at the provider: claims of the ID token, `sub` among them. */
  claims: Record<string, unknown>
  /** What only the user info endpoint tells. */
  userInfo: Record<string, unknown>
  /** The error that authorization answers with instead of a code. */
  authorizationError: string | null
  /** The nonce in the ID token, whatever was asked for. */
  nonce: string | null
  /** The status and body that the token endpoint answers with. */
  tokenError: { readonly status: number; readonly body: string } | null
  /** The key that signs the ID token, whatever was published. */
  key: SigningKey | null
  /** How the client must send its secret. */
  clientAuth: 'client_secret_basic' | 'client_secret_post'
  down: boolean
}

export const clientId = 'footlight'
/** With what form encoding and Basic both must escape. */
export const clientSecret = 's3cret: +%&/ü'

/**
 * An OpenID Connect provider (Core 1.0, code flow with PKCE) as strict as a real one: one use
 * for each code, the same redirect address, the verifier, the client's secret.
 */
export async function startSmallProvider() {
  const key = await signingKey('provider', 'RS256')
  const grants = new Map<string, Grant>()
  const manners: Manners = {
    claims: { sub: 'subject-1', preferred_username: 'Ada' },
    userInfo: {},
    authorizationError: null,
    nonce: null,
    tokenError: null,
    key: null,
    clientAuth: 'client_secret_basic',
    down: false,
  }
  /** What arrived at each endpoint, in order. */
  const visits: string[] = []
  const server: Bun.Server<undefined> = Bun.serve({
    hostname: '127.0.0.1',
    port: 0,
    async fetch(request): Promise<Response> {
      const url = new URL(request.url)
      visits.push(url.pathname)
      if (manners.down) return new Response('down for maintenance', { status: 503 })
      switch (url.pathname) {
        case '/.well-known/openid-configuration':
          return Response.json({
            issuer,
            authorization_endpoint: `${issuer}/authorize`,
            token_endpoint: `${issuer}/token`,
            jwks_uri: `${issuer}/keys`,
            userinfo_endpoint: `${issuer}/userinfo`,
            response_types_supported: ['code'],
            subject_types_supported: ['public'],
            id_token_signing_alg_values_supported: ['RS256'],
            token_endpoint_auth_methods_supported: [manners.clientAuth],
            code_challenge_methods_supported: ['S256'],
          })
        case '/keys':
          return Response.json({ keys: [key.publicJwk] })
        case '/authorize':
          return authorize(url.searchParams)
        case '/token':
          return await token(request)
        case '/userinfo':
          return Response.json({ sub: manners.claims.sub, ...manners.userInfo })
        default:
          return new Response('nothing here', { status: 404 })
      }
    },
  })
  const issuer: string = server.url.origin

  function authorize(query: URLSearchParams): Response {
    const redirectUri = query.get('redirect_uri') ?? ''
    const back = new URL(redirectUri)
    back.searchParams.set('state', query.get('state') ?? '')
    const asked =
      query.get('client_id') === clientId &&
      query.get('response_type') === 'code' &&
      query.get('code_challenge_method') === 'S256' &&
      (query.get('scope') ?? '').split(' ').includes('openid')
    const error = asked ? manners.authorizationError : 'invalid_request'
    if (error !== null) {
      back.searchParams.set('error', error)
      return Response.redirect(back.href, 302)
    }
    const code = crypto.randomUUID()
    grants.set(code, {
      redirectUri,
      challenge: query.get('code_challenge') ?? '',
      nonce: query.get('nonce') ?? '',
      claims: { ...manners.claims },
    })
    back.searchParams.set('code', code)
    return Response.redirect(back.href, 302)
  }

  async function token(request: Request): Promise<Response> {
    if (manners.tokenError !== null) {
      const { status, body } = manners.tokenError
      return new Response(body, { status, headers: { 'Content-Type': 'application/json' } })
    }
    const form = new URLSearchParams(await request.text())
    if (!isClient(request, form)) return Response.json({ error: 'invalid_client' }, { status: 401 })
    const code = form.get('code') ?? ''
    const grant = grants.get(code)
    grants.delete(code)
    const challenge = createHash('sha256')
      .update(form.get('code_verifier') ?? '')
      .digest('base64url')
    if (grant === undefined || grant.challenge !== challenge || grant.redirectUri !== form.get('redirect_uri')) {
      return Response.json({ error: 'invalid_grant' }, { status: 400 })
    }
    const nonce = manners.nonce ?? grant.nonce
    const idToken = await (manners.key ?? key).sign({ iss: issuer, aud: clientId, nonce, ...grant.claims })
    return Response.json({ access_token: crypto.randomUUID(), token_type: 'Bearer', id_token: idToken })
  }

  function isClient(request: Request, form: URLSearchParams): boolean {
    if (manners.clientAuth === 'client_secret_post') {
      return form.get('client_id') === clientId && form.get('client_secret') === clientSecret
    }
    const [, basic = ''] = /^Basic (.+)$/.exec(request.headers.get('authorization') ?? '') ?? []
    const [id = '', secret = ''] = Buffer.from(basic, 'base64').toString().split(':')
    const decode = (text: string) => new URLSearchParams(`x=${text}`).get('x')
    return decode(id) === clientId && decode(secret) === clientSecret
  }

  return { issuer, manners, visits, stop: () => server.stop(true) }
}

export type SmallProvider = Awaited<ReturnType<typeof startSmallProvider>>
