import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { newId } from '../../../src/contracts/ids.ts'
import { RefusedError } from '../../../src/contracts/problem.ts'
import { publishCapability } from '../../../src/http/access/access.ts'
import { authenticate } from '../../../src/http/identity/authenticate.ts'
import { type LocalIssuer, openLocalIssuer } from '../../../src/http/identity/local-issuer.ts'
import { hashSecret, mintSecret } from '../../../src/http/identity/secret.ts'
import { createServiceTokens } from '../../../src/http/identity/service-tokens.ts'
import type { Store } from '../../../src/store/open-store.ts'
import { openMemoryStore } from '../../store/stores.ts'

const audience = 'openvibe.live'
const origin = 'https://live.example'
const person = newId('person')

let folder: string
let issuer: LocalIssuer
let store: Store
let now = Date.parse('2026-11-30T12:00:00Z')

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'footlight-authenticate-'))
  issuer = await openLocalIssuer(folder)
  store = await openMemoryStore()
}, 30_000)
afterAll(async () => {
  await store.close()
  await rm(folder, { recursive: true, force: true })
})

/** The principal, or the code of the refusal. */
async function who(headers: Record<string, string>, method = 'GET'): Promise<unknown> {
  const tokens = createServiceTokens({ local: issuer, audience, issuers: [], report: () => {} })
  const needs = { identity: store.identity, tokens, origin: () => origin, now: () => now }
  try {
    return await authenticate(needs, new Request(`${origin}/x`, { method, headers }))
  } catch (error) {
    if (!(error instanceof RefusedError)) throw error
    return error.refusal.code
  }
}

async function withToken(subject: string, headers: Record<string, string> = {}, capabilities = ['a']) {
  const token = await issuer.sign({ subject, capabilities, audience, minutes: 1 })
  return await who({ Authorization: `Bearer ${token}`, ...headers })
}

describe('a bearer token', () => {
  test('is told by its prefix: publish ticket, view ticket, service token', async () => {
    const publish = mintSecret('publishTicket')
    const view = mintSecret('viewTicket')
    expect(await who({ Authorization: `Bearer ${publish.secret}` })).toEqual({ kind: 'desk', ticket: publish.hash })
    expect(await who({ Authorization: `bearer  ${view.secret}` })).toEqual({ kind: 'viewer_ticket', hash: view.hash })
    expect(await who({ Authorization: 'Bearer wvt_' })).toEqual({ kind: 'viewer_ticket', hash: hashSecret('wvt_') })
    expect(await withToken(person)).toEqual({ kind: 'service', person, capabilities: ['a'] })
  })

  test('that is none is refused, also beside a good cookie', async () => {
    for (const header of ['', 'Bearer', 'Bearer a b', 'Basic YTpi', 'Bearer ses_x']) {
      expect([header, await who({ Authorization: header })]).toEqual([header, 'invalid_token'])
    }
  })

  test('of a developer app is refused', async () => {
    expect(await withToken('app:weather')).toBe('forbidden')
    expect(await withToken('app:weather', { 'X-OV-Subject': person })).toBe('forbidden')
  })
})

describe('X-OV-Subject', () => {
  const capabilities = [publishCapability]

  test('counts for services and nodes alone', async () => {
    const named = { kind: 'service', person, capabilities }
    const nobody = { kind: 'service', person: null, capabilities }
    const header = { 'X-OV-Subject': person }
    expect(await withToken('svc:codes', header, capabilities)).toEqual(named)
    expect(await withToken('node:eu-1', header, capabilities)).toEqual(named)
    expect(await withToken('svc:codes', {}, capabilities)).toEqual(nobody)
    expect(await withToken('service:codes', header, capabilities)).toEqual(nobody)
    expect(await withToken(person, { 'X-OV-Subject': newId('person') }, capabilities)).toEqual(named)
    expect(await withToken(person, { 'X-OV-Subject': 'nonsense' }, capabilities)).toEqual(named)
  })

  test('is the word of services that may put people on air, and of no others', async () => {
    for (const held of [[], ['a'], [`${publishCapability}.x`], ['live']]) {
      expect(await withToken('svc:chat', { 'X-OV-Subject': person }, held)).toBe('capability.denied')
      expect(await withToken('svc:chat', {}, held)).toEqual({ kind: 'service', person: null, capabilities: held })
    }
  })

  test('must name a person', async () => {
    for (const subject of ['', 'nonsense', newId('channel'), `${person} `.repeat(2), `${person},${person}`]) {
      const answer = await withToken('svc:codes', { 'X-OV-Subject': subject }, capabilities)
      expect([subject, answer]).toEqual([subject, 'forbidden'])
    }
  })

  test('without a token says nothing', async () => {
    expect(await who({ 'X-OV-Subject': person })).toEqual({ kind: 'anonymous' })
  })
})

describe('a session cookie', () => {
  const signedIn = async (handle: string) => {
    const added = await store.identity.addPerson({ handle }, now)
    if (added === null) throw new Error(`${handle} is taken`)
    const { secret, hash } = mintSecret('session')
    await store.identity.createSession({ hash, person: added.id, createdAt: now, expiresAt: now + 1000 })
    const principal = { kind: 'person', person: added.id, handle, channel: added.channel }
    return { cookie: `footlight_session=${secret}`, secret, principal }
  }

  test('counts until it expires, to the millisecond', async () => {
    const { cookie, principal } = await signedIn('expiring')
    const start = now
    now = start + 999
    const before = await who({ Cookie: cookie })
    now = start + 1000
    const after = await who({ Cookie: cookie })
    now = start
    expect([before, after]).toEqual([principal, { kind: 'anonymous' }])
  })

  test('that was changed, cut or is another kind of secret is nobody’s', async () => {
    const { secret } = await signedIn('tampered')
    const last = secret.endsWith('A') ? 'B' : 'A'
    const values = [
      secret.slice(0, -1) + last,
      secret.slice(0, -1),
      `${secret}A`,
      secret.slice(4),
      `wvt_${secret.slice(4)}`,
    ]
    for (const value of [...values, '', '%', `"${secret}x"`]) {
      expect([value, await who({ Cookie: `footlight_session=${value}` })]).toEqual([value, { kind: 'anonymous' }])
    }
  })

  test('of two the first counts: browsers send the more specific one first', async () => {
    const one = await signedIn('one')
    const two = await signedIn('two')
    expect(await who({ Cookie: `${one.cookie}; ${two.cookie}` })).toEqual(one.principal)
    expect(await who({ Cookie: `other=1; ${two.cookie}; ${one.cookie}` })).toEqual(two.principal)
    expect(await who({ Cookie: `footlight_session=x; ${one.cookie}` })).toEqual({ kind: 'anonymous' })
  })

  test('writes only from our own pages', async () => {
    const { cookie, principal } = await signedIn('writer')
    const writes = ['POST', 'PUT', 'PATCH', 'DELETE']
    for (const method of writes) {
      const outcomes = []
      for (const from of [origin, 'https://evil.example', 'null', 'https://live.example.evil.example', null]) {
        outcomes.push(await who({ Cookie: cookie, ...(from === null ? {} : { Origin: from }) }, method))
      }
      const foreign = 'foreign_origin'
      expect([method, ...outcomes]).toEqual([method, principal, foreign, foreign, foreign, foreign])
    }
    for (const method of ['GET', 'HEAD', 'OPTIONS']) {
      expect(await who({ Cookie: cookie, Origin: 'https://evil.example' }, method)).toEqual(principal)
    }
  })
})
