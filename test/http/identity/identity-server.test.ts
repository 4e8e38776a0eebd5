import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { newId } from '../../../src/contracts/ids.ts'
import { publishCapability } from '../../../src/http/access/access.ts'
import { startTestServer, type TestServer } from '../test-server.ts'
import { type SigningKey, serveKeys, signingKey } from './small-issuer.ts'

const issuer = 'https://id.example'
const task = { source: 'desk', ref: 'r', title: 'T' }
let server: TestServer
let key: SigningKey
let keys: ReturnType<typeof serveKeys>

beforeAll(async () => {
  key = await signingKey('one')
  keys = serveKeys([key.publicJwk])
  server = await startTestServer({
    FOOTLIGHT_ISSUERS: JSON.stringify([
      { issuer, jwks: keys.url },
      { issuer: 'https://gone.example', jwks: 'http://127.0.0.1:1/keys' },
    ]),
    FOOTLIGHT_TRUSTED_PROXIES: '1',
    FOOTLIGHT_RATE_SIGN_IN: '5/60',
  })
}, 60_000)
afterAll(async () => {
  await server?.stop()
  keys?.stop()
})

describe('a service token of a trusted issuer', () => {
  const create = async (claims: Record<string, unknown>, headers: Record<string, string> = {}) => {
    const bearer = await key.sign({ iss: issuer, aud: 'openvibe.live', scope: publishCapability, ...claims })
    const { status, body } = await server.call('POST', '/api/streams/agent', { bearer, headers, body: { task } })
    return [status, status === 201 ? body.stream.owner : body.code]
  }

  test('creates streams for the person that it names', async () => {
    const ada = await server.person('ada')
    const named = { 'X-OV-Subject': ada.id }
    expect(await create({ sub: ada.id })).toEqual([201, ada.id])
    expect(await create({ sub: 'svc:codes' }, named)).toEqual([201, ada.id])
    expect(await create({ sub: 'node:eu-1' }, named)).toEqual([201, ada.id])
    expect(await create({ sub: 'svc:codes' })).toEqual([403, 'forbidden'])
    expect(await create({ sub: 'svc:codes' }, { 'X-OV-Subject': 'ada' })).toEqual([403, 'forbidden'])
    expect(await create({ sub: 'svc:codes', scope: 'other' }, named)).toEqual([403, 'capability.denied'])
    expect(await create({ sub: 'app:weather' }, named)).toEqual([403, 'forbidden'])
    expect(await create({ sub: ada.id, app_id: 'weather' })).toEqual([403, 'forbidden'])
    expect(await create({ sub: ada.id, aud: 'openvibe.codes' })).toEqual([401, 'invalid_token'])
    const stranger = await create({ sub: newId('person') })
    expect(stranger[0]).toBeGreaterThanOrEqual(400)
    expect(stranger[0]).toBeLessThan(500)
  })

  test('is no operator’s, whatever it holds', async () => {
    const bearer = await key.sign({
      iss: issuer,
      aud: 'openvibe.live',
      sub: 'svc:footlight-cli',
      capabilities: ['footlight.operator'],
    })
    const { status, body } = await server.call('POST', '/api/operator/people', { bearer, body: { handle: 'eve' } })
    expect([status, body.code]).toEqual([401, 'invalid_token'])
  })

  test('of an issuer that is away waits', async () => {
    const bearer = await key.sign({ iss: 'https://gone.example', aud: 'openvibe.live', sub: 'svc:codes' })
    const { status, body, headers } = await server.call('POST', '/api/streams/agent', { bearer, body: { task } })
    expect([status, body.code, headers.get('retry-after')]).toEqual([503, 'issuer_unavailable', '5'])
  })
})

describe('without a provider', () => {
  test('the sign-in page says how to get in, and nothing comes back', async () => {
    const page = await server.call('GET', '/sign-in')
    expect([page.status, page.headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8'])
    expect(page.body).toContain('a link that works once')
    expect(page.headers.getSetCookie()).toEqual([])
    const callback = await server.call('GET', '/sign-in/callback?code=x&state=y')
    expect([callback.status, callback.body.code]).toEqual([404, 'not_found'])
  })
})

describe('sign-in links', () => {
  test('are tried so often from one address, and as often from the next', async () => {
    const attempt = async (address: string) => {
      const { status, body, headers } = await server.call('POST', '/sign-in/sil_nothing', {
        headers: { 'X-Forwarded-For': `192.0.2.66, ${address}` },
      })
      return { code: `${status} ${body.code}`, wait: Number(headers.get('retry-after')) }
    }
    const outcomes = await Promise.all(Array.from({ length: 50 }, () => attempt('198.51.100.1')))
    expect(outcomes.filter(({ code }) => code === '410 link_used').length).toBe(5)
    const refused = outcomes.filter(({ code }) => code === '429 too_many_requests')
    expect(refused.length).toBe(45)
    for (const { wait } of refused) expect([wait >= 1, wait <= 60, Number.isInteger(wait)]).toEqual([true, true, true])
    expect((await attempt('198.51.100.2')).code).toBe('410 link_used')
  })
})
