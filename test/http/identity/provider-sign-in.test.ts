import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, spyOn, test } from 'bun:test'
import { type Reply, startTestServer, type TestServer } from '../test-server.ts'
import { signingKey } from './small-issuer.ts'
import { clientId, clientSecret, type Manners, type SmallProvider, startSmallProvider } from './small-provider.ts'

let provider: SmallProvider
let server: TestServer
let manners: Manners
/** What the server wrote to its log. */
let log: string
const silence = spyOn(console, 'error')

beforeAll(async () => {
  provider = await startSmallProvider()
  manners = { ...provider.manners }
  server = await startTestServer({
    FOOTLIGHT_OIDC_ISSUER: provider.issuer,
    FOOTLIGHT_OIDC_CLIENT_ID: clientId,
    FOOTLIGHT_OIDC_CLIENT_SECRET: clientSecret,
    FOOTLIGHT_RATE_SIGN_IN: 'off',
  })
}, 60_000)
beforeEach(() => {
  log = ''
  silence.mockImplementation((...words) => {
    log += `${words.map((word) => (word instanceof Error ? Bun.inspect(word) : String(word))).join(' ')}\n`
  })
})
afterEach(() => {
  expect(log).not.toContain(clientSecret)
  Object.assign(provider.manners, manners)
  provider.visits.length = 0
})
afterAll(async () => {
  silence.mockRestore()
  await server?.stop()
  provider?.stop()
})

const cookieOf = (reply: Reply, name: string) =>
  reply.headers
    .getSetCookie()
    .find((cookie) => cookie.startsWith(`${name}=`))
    ?.split(';', 1)[0] ?? ''

/** The browser's way to the provider. `cookie`: what it keeps meanwhile. */
async function begin(path = '/sign-in') {
  const reply = await server.call('GET', path)
  expect(reply.status).toBe(303)
  return {
    authorize: new URL(reply.headers.get('location') ?? ''),
    cookie: cookieOf(reply, 'footlight_sign_in'),
    reply,
  }
}

/** The way through the provider: the address that it sends the browser back to, without our host. */
async function authorize(address: URL): Promise<string> {
  const answer = await fetch(address, { redirect: 'manual' })
  const back = new URL(answer.headers.get('location') ?? '')
  expect(back.origin).toBe(server.url)
  return back.pathname + back.search
}

async function signIn(path?: string): Promise<Reply> {
  const { authorize: address, cookie } = await begin(path)
  return await server.call('GET', await authorize(address), { cookie })
}

async function handleOf(reply: Reply): Promise<string> {
  const home = await server.call('GET', '/', { cookie: cookieOf(reply, 'footlight_session') })
  return /@([a-z0-9_-]+)/.exec(home.body)?.[1] ?? ''
}

describe('signing in with a provider', () => {
  test('goes there with PKCE, state and nonce, and comes back with a session', async () => {
    const { authorize: address, cookie, reply } = await begin('/sign-in?to=/somewhere%3Fa=1')
    expect(address.origin + address.pathname).toBe(`${provider.issuer}/authorize`)
    const query = Object.fromEntries(address.searchParams)
    expect(Object.keys(query).sort()).toEqual([
      'client_id',
      'code_challenge',
      'code_challenge_method',
      'nonce',
      'redirect_uri',
      'response_type',
      'scope',
      'state',
    ])
    expect(query.redirect_uri).toBe(`${server.url}/sign-in/callback`)
    expect(query.scope).toBe('openid profile email')
    expect(reply.headers.get('cache-control')).toBe('no-store')
    expect(reply.headers.getSetCookie().length).toBe(1)
    expect(reply.headers.get('set-cookie')).toMatch(
      /^footlight_sign_in=[\w.-]+; Max-Age=600; Path=\/; HttpOnly; SameSite=Lax$/,
    )

    const done = await server.call('GET', await authorize(address), { cookie })
    expect([done.status, done.headers.get('location')]).toEqual([303, '/somewhere?a=1'])
    expect(done.headers.getSetCookie().map((line) => line.replace(/ses_[\w-]{43}/, 'ses_…'))).toEqual([
      'footlight_session=ses_…; Max-Age=2592000; Path=/; HttpOnly; SameSite=Lax',
      'footlight_sign_in=; Max-Age=0; Path=/; HttpOnly; SameSite=Lax',
    ])
    expect(await handleOf(done)).toBe('ada')
    // The provider's keys were asked for: its signature was checked.
    expect(provider.visits).toContain('/keys')
    expect(log).toBe('')
  })

  test('knows the same person again, whatever they are called by then', async () => {
    provider.manners.claims = { sub: 'subject-again', preferred_username: 'first-name' }
    const first = await handleOf(await signIn())
    provider.manners.claims = { sub: 'subject-again', preferred_username: 'second-name' }
    expect([first, await handleOf(await signIn())]).toEqual(['first-name', 'first-name'])
  })

  test('gives another person of the same name a numbered handle, and one with the name of a local person, too', async () => {
    await server.person('taken')
    const handles = []
    for (const sub of ['t1', 't2', 't3']) {
      provider.manners.claims = { sub, preferred_username: 'taken' }
      handles.push(await handleOf(await signIn()))
    }
    expect(handles).toEqual(['taken-2', 'taken-3', 'taken-4'])
  })

  test('adds one person when the same one signs in for the first time ten times at once', async () => {
    provider.manners.claims = { sub: 'many', preferred_username: 'many' }
    const replies = await Promise.all(Array.from({ length: 10 }, () => signIn()))
    expect(new Set(await Promise.all(replies.map(handleOf)))).toEqual(new Set(['many']))
    expect(await server.identity.personByHandle('many-2')).toBe(null)
  })

  test('takes names from the user info where the ID token has none', async () => {
    provider.manners.claims = { sub: 'shy' }
    provider.manners.userInfo = { email: 'Grace.Hopper+test@navy.example' }
    expect(await handleOf(await signIn())).toBe('grace-hopper-test')
    // A liar's user info is about somebody else.
    provider.manners.claims = { sub: 'shy-2' }
    provider.manners.userInfo = { sub: 'somebody else', email: 'root@navy.example' }
    expect(await handleOf(await signIn())).toBe('person')
  })

  test('sends the secret in the body where the provider says so', async () => {
    const other = await startSmallProvider()
    other.manners.clientAuth = 'client_secret_post'
    const { createOidcProvider } = await import('../../../src/http/identity/oidc-provider.ts')
    const reports: unknown[] = []
    const settings = { issuer: other.issuer, clientId, clientSecret, scope: 'openid' }
    const oidc = createOidcProvider(settings, (error) => reports.push(error))
    const { url, attempt } = await oidc.begin('http://127.0.0.1:1/sign-in/callback')
    const back = await fetch(url, { redirect: 'manual' })
    const person = await oidc.finish(new URL(back.headers.get('location') ?? ''), attempt)
    expect([person.issuer, person.subject, await person.names()]).toEqual([other.issuer, 'subject-1', ['Ada']])
    expect(reports).toEqual([])
    other.stop()
  })

  test('leads to no other site afterwards', async () => {
    const places = ['https://evil.example/', '//evil.example', '/\\evil.example', '/.//evil.example', '/%09/x', 'x']
    const locations = []
    for (const to of places) {
      const done = await signIn(`/sign-in?to=${encodeURIComponent(to)}`)
      locations.push(done.headers.get('location'))
    }
    expect(locations).toEqual(['/', '/', '/', '/', '/%09/x', '/'])
  })
})

describe('a sign-in that goes wrong', () => {
  /** Refused, no session made, the attempt forgotten. */
  function mustFail(reply: Reply, status: number, code: string) {
    expect([reply.status, reply.body.code]).toEqual([status, code])
    expect(cookieOf(reply, 'footlight_session')).toBe('')
    expect(reply.headers.getSetCookie()).toEqual(['footlight_sign_in=; Max-Age=0; Path=/; HttpOnly; SameSite=Lax'])
  }

  test('has another state than this browser’s', async () => {
    const mine = await begin()
    const theirs = await begin()
    mustFail(
      await server.call('GET', await authorize(theirs.authorize), { cookie: mine.cookie }),
      400,
      'sign_in_failed',
    )
    const path = await authorize(mine.authorize)
    for (const wrong of [path.replace(/state=[^&]+/, 'state='), path.replace(/state=[^&]+&?/, ''), `${path}&state=x`]) {
      mustFail(await server.call('GET', wrong, { cookie: mine.cookie }), 400, 'sign_in_failed')
    }
    expect(provider.visits).not.toContain('/token')
  })

  test('was begun by no browser, or by another one, or long ago', async () => {
    const { authorize: address, cookie } = await begin()
    const path = await authorize(address)
    mustFail(await server.call('GET', path), 400, 'sign_in_failed')
    const odd = [
      'footlight_sign_in=',
      'footlight_sign_in=a.b.c.d.e',
      `${cookie}.x`,
      cookie.replace(/\.\d{13}\./, '.1000000000000.'),
    ]
    for (const other of odd) {
      mustFail(await server.call('GET', path, { cookie: other }), 400, 'sign_in_failed')
    }
    expect(provider.visits).not.toContain('/token')
  })

  test('was begun with another verifier', async () => {
    const { authorize: address, cookie } = await begin()
    const [, value = ''] = cookie.split('=')
    const parts = value.split('.')
    parts[2] = 'A'.repeat(43)
    const path = await authorize(address)
    mustFail(await server.call('GET', path, { cookie: `footlight_sign_in=${parts.join('.')}` }), 400, 'sign_in_failed')
  })

  test('has another nonce, signature, audience, issuer or time than it must', async () => {
    const forger = await signingKey('provider', 'RS256')
    const wrongs: [Partial<Manners>, number, string][] = [
      [{ nonce: 'another' }, 400, 'sign_in_failed'],
      [{ claims: { sub: 'x', aud: 'another' } }, 400, 'sign_in_failed'],
      [{ claims: { sub: 'x', iss: 'https://evil.example' } }, 400, 'sign_in_failed'],
      [{ claims: { sub: 'x', exp: 1 } }, 400, 'sign_in_failed'],
      [{ key: forger }, 400, 'sign_in_failed'],
    ]
    for (const [wrong, status, code] of wrongs) {
      Object.assign(provider.manners, manners, wrong)
      mustFail(await signIn(), status, code)
    }
    // Each is told to the operator: a browser alone cannot make these.
    expect(log.match(/error: The sign-in provider/g)?.length).toBe(wrongs.length)
  })

  test('is a callback that was used already', async () => {
    const { authorize: address, cookie } = await begin()
    const path = await authorize(address)
    expect((await server.call('GET', path, { cookie })).status).toBe(303)
    // The browser has forgotten the attempt; with the cookie, the provider has.
    mustFail(await server.call('GET', path), 400, 'sign_in_failed')
    mustFail(await server.call('GET', path, { cookie }), 400, 'sign_in_failed')
  })

  test('was cancelled at the provider: the page says so', async () => {
    provider.manners.authorizationError = 'access_denied'
    const { authorize: address, cookie } = await begin()
    const path = await authorize(address)
    mustFail(await server.call('GET', path, { cookie }), 400, 'sign_in_failed')
    const page = await server.call('GET', path, { cookie, headers: { Accept: 'text/html' } })
    expect([page.status, page.headers.get('content-type')]).toEqual([400, 'text/html; charset=utf-8'])
    expect(page.body).toContain('The sign-in was cancelled at the provider')
    provider.manners.authorizationError = 'server_error'
    mustFail(await signIn(), 400, 'sign_in_failed')
  })

  test('meets a provider that is down, or that refuses this server', async () => {
    const { authorize: address, cookie } = await begin()
    const path = await authorize(address)
    provider.manners.down = true
    const down = await server.call('GET', path, { cookie })
    mustFail(down, 503, 'issuer_unavailable')
    expect(down.headers.get('retry-after')).toBe('5')
    provider.manners.down = false
    const answers: [number, string, number, string][] = [
      [401, '{"error":"invalid_client"}', 503, 'issuer_unavailable'],
      [400, '{"error":"invalid_grant"}', 400, 'sign_in_failed'],
      [500, '{"error":"server_error"}', 503, 'issuer_unavailable'],
      [200, '<html>', 503, 'issuer_unavailable'],
      [200, '{}', 400, 'sign_in_failed'],
    ]
    for (const [answered, body, status, code] of answers) {
      provider.manners.tokenError = { status: answered, body }
      mustFail(await signIn(), status, code)
    }
    expect(log).toContain('invalid_client')
  })
})

describe('a provider that is not there', () => {
  test('keeps nobody from the rest, and signs people in once it is back', async () => {
    const own = await startSmallProvider()
    own.manners.down = true
    const { createOidcProvider } = await import('../../../src/http/identity/oidc-provider.ts')
    const reports: string[] = []
    const settings = { issuer: own.issuer, clientId, clientSecret, scope: 'openid' }
    const oidc = createOidcProvider(settings, (error) => reports.push((error as Error).message))
    const code = (error: { refusal?: { code?: string } }) => error.refusal?.code
    const callback = 'http://127.0.0.1:1/sign-in/callback'
    const attempts = await Promise.all([oidc.begin(callback).catch(code), oidc.begin(callback).catch(code)])
    expect(attempts).toEqual(['issuer_unavailable', 'issuer_unavailable'])
    own.manners.down = false
    expect((await oidc.begin(callback)).url).toStartWith(`${own.issuer}/authorize?`)
    // What it said of itself is kept.
    await oidc.begin(callback)
    expect(own.visits).toEqual(['/.well-known/openid-configuration', '/.well-known/openid-configuration'])
    own.stop()
    const gone = createOidcProvider(settings, () => {})
    expect(await gone.begin(callback).catch(code)).toBe('issuer_unavailable')
    expect(reports.length).toBeGreaterThan(0)
  })
})
