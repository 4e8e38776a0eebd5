import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { startTestServer, type TestServer } from './test-server.ts'

let server: TestServer
let operator: string

beforeAll(async () => {
  server = await startTestServer()
  operator = await server.issuer.sign({
    subject: 'svc:footlight-cli',
    capabilities: ['footlight.operator'],
    audience: 'openvibe.live',
    minutes: 5,
  })
}, 60_000)
afterAll(() => server.stop())

async function invite(handle: string) {
  const { status, body } = await server.call('POST', '/api/operator/people', { bearer: operator, body: { handle } })
  expect(status).toBe(201)
  return new URL(body.sign_in_url).pathname
}

describe('signing in', () => {
  test('looking at the link spends nothing; the button spends it once', async () => {
    const link = await invite('ada')
    for (let look = 0; look < 2; look++) {
      const page = await server.call('GET', link, { headers: { Accept: 'text/html' } })
      expect(page.status).toBe(200)
      expect(page.headers.get('referrer-policy')).toBe('no-referrer')
    }
    const attempts = await Promise.all(
      Array.from({ length: 10 }, () => server.call('POST', link, { headers: { Origin: server.url } })),
    )
    const won = attempts.filter(({ status }) => status === 303)
    expect(won.length).toBe(1)
    expect(attempts.filter(({ status, body }) => status === 410 && body.code === 'link_used').length).toBe(9)
    const cookie = won[0]?.headers.get('set-cookie') ?? ''
    expect(cookie).toMatch(
      /^footlight_session=ses_[A-Za-z0-9_-]{43}; Max-Age=2592000; Path=\/; HttpOnly; SameSite=Lax$/,
    )

    const session = cookie.split(';', 1)[0] ?? ''
    const home = await server.call('GET', '/', { cookie: session })
    expect(home.body).toContain('@ada')
    const task = { source: 'desk', ref: 'r', title: 'T' }
    const created = await server.call('POST', '/api/streams/agent', { cookie: session, body: { task } })
    expect(created.status).toBe(201)

    const out = await server.call('POST', '/sign-out', { cookie: session })
    expect([out.status, out.headers.get('set-cookie')]).toEqual([
      303,
      'footlight_session=; Max-Age=0; Path=/; HttpOnly; SameSite=Lax',
    ])
    expect((await server.call('GET', '/', { cookie: session })).body).not.toContain('@ada')
    const refused = await server.call('POST', '/api/streams/agent', { cookie: session, body: { task } })
    expect(refused.body.code).toBe('sign_in_required')
  })

  test('is not done by a page of another site, nor with a link that never was', async () => {
    const link = await invite('bob')
    const foreign = await server.call('POST', link, { headers: { Origin: 'https://evil.example' } })
    expect([foreign.status, foreign.body.code]).toEqual([403, 'foreign_origin'])
    const unknown = await server.call('POST', '/sign-in/sil_nothing', { headers: { Accept: 'text/html' } })
    expect([unknown.status, unknown.headers.get('content-type')]).toEqual([410, 'text/html; charset=utf-8'])
    expect((await server.call('POST', link, { headers: { Origin: server.url } })).status).toBe(303)
  })

  test('serves the public keys, and no private half', async () => {
    const { body } = await server.call('GET', '/.well-known/jwks.json')
    expect(body.keys.length).toBe(1)
    expect(Object.keys(body.keys[0]).sort()).toEqual(['alg', 'crv', 'kid', 'kty', 'use', 'x', 'y'])
  })
})

describe('the operator’s routes', () => {
  test('are for tokens with the capability alone', async () => {
    const weak = await server.issuer.sign({
      subject: 'svc:other',
      capabilities: ['live.agent_stream.publish'],
      audience: 'openvibe.live',
      minutes: 1,
    })
    const outcomes = []
    for (const caller of [{}, { bearer: weak }, { bearer: 'x' }]) {
      const { status, body } = await server.call('POST', '/api/operator/people', { ...caller, body: { handle: 'eve' } })
      outcomes.push([status, body.code])
    }
    expect(outcomes).toEqual([
      [401, 'invalid_token'],
      [403, 'capability.denied'],
      [401, 'invalid_token'],
    ])
  })

  test('add people once, and find them', async () => {
    await invite('carol')
    const again = await server.call('POST', '/api/operator/people', { bearer: operator, body: { handle: 'carol' } })
    expect([again.status, again.body.code]).toEqual([409, 'handle_taken'])
    const odd = await server.call('POST', '/api/operator/people', { bearer: operator, body: { handle: '../x' } })
    expect([odd.status, odd.body.errors[0].path]).toEqual([422, '/handle'])
    const found = await server.call('GET', '/api/operator/people/carol', { bearer: operator })
    expect(found.body.handle).toBe('carol')
    const missing = await server.call('GET', '/api/operator/people/nobody', { bearer: operator })
    expect(missing.status).toBe(404)
    const link = await server.call('POST', '/api/operator/people/carol/sign-in-link', { bearer: operator })
    expect(link.body.sign_in_url).toStartWith(`${server.url}/sign-in/sil_`)
  })
})
