import { afterAll, afterEach, beforeAll, describe, expect, test } from 'bun:test'
import { mkdtemp, rename, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { exportSPKI, generateKeyPair, importJWK, SignJWT, UnsecuredJWT } from 'jose'
import { RefusedError } from '../../../src/contracts/problem.ts'
import type { TrustedIssuer } from '../../../src/http/identity/issuer-settings.ts'
import { type LocalIssuer, openLocalIssuer } from '../../../src/http/identity/local-issuer.ts'
import { createServiceTokens, type ServiceTokens } from '../../../src/http/identity/service-tokens.ts'
import { type SigningKey, serveKeys, signingKey } from './small-issuer.ts'

const audience = 'openvibe.live'
const issuer = 'https://id.example'
const good = { iss: issuer, aud: audience, sub: 'svc:codes', capabilities: ['live.agent_stream.publish'] }

let folder: string
let local: LocalIssuer
let first: SigningKey
let second: SigningKey
const stops: (() => unknown)[] = []

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'footlight-issuers-'))
  local = await openLocalIssuer(folder)
  first = await signingKey('first')
  second = await signingKey('second')
})
afterEach(async () => {
  for (const stop of stops.splice(0)) await stop()
})
afterAll(() => rm(folder, { recursive: true, force: true }))

function trusting(keys: TrustedIssuer['keys'], options: { cooldownMs?: number; timeoutMs?: number } = {}) {
  const reports: string[] = []
  const report = (error: unknown) => reports.push((error as Error).message)
  const issuers = [{ issuer, keys, audience }]
  return { tokens: createServiceTokens({ local, audience, issuers, report, ...options }), reports }
}

function published(keys: Parameters<typeof serveKeys>[0]) {
  const server = serveKeys(keys)
  stops.push(server.stop)
  return server
}

/** `ok`, or the code of the refusal. Anything else that is thrown fails the test. */
async function outcome(tokens: ServiceTokens, token: string): Promise<string> {
  try {
    await tokens.verify(token)
    return 'ok'
  } catch (error) {
    if (!(error instanceof RefusedError)) throw error
    return error.refusal.code
  }
}

const seconds = (offset: number) => Math.floor(Date.now() / 1000) + offset

describe('a token', () => {
  test('counts with each of the asymmetric algorithms', async () => {
    const algorithms = ['ES256', 'ES384', 'ES512', 'PS256', 'PS384', 'PS512', 'RS256', 'RS384', 'RS512', 'EdDSA']
    const keys = await Promise.all(algorithms.map((alg) => signingKey(`key-${alg}`, alg)))
    const { tokens } = trusting({ url: published(keys.map(({ publicJwk }) => publicJwk)).url })
    const outcomes = await Promise.all(keys.map(async (key) => await outcome(tokens, await key.sign(good))))
    expect(outcomes).toEqual(algorithms.map(() => 'ok'))
  })

  test('does not count without a signature, or with one that the public key makes', async () => {
    const rsa = await signingKey('rsa', 'RS256')
    const { tokens } = trusting({ url: published([rsa.publicJwk, first.publicJwk]).url })
    const unsigned = new UnsecuredJWT(good).setIssuedAt().setExpirationTime('5m').encode()
    expect(await outcome(tokens, unsigned)).toBe('invalid_token')
    const publicKey = await exportSPKI((await importJWK(rsa.publicJwk, 'RS256', { extractable: true })) as CryptoKey)
    const confused = await new SignJWT({ ...good, iat: seconds(0), exp: seconds(300) })
      .setProtectedHeader({ alg: 'HS256', kid: 'rsa' })
      .sign(new TextEncoder().encode(publicKey))
    expect(await outcome(tokens, confused)).toBe('invalid_token')
  })

  test('does not count with a shared secret, even where the key set has one', async () => {
    const secret = new TextEncoder().encode('a shared secret of thirty-two bytes!')
    const jwk = { kty: 'oct', kid: 'shared', alg: 'HS256', k: Buffer.from(secret).toString('base64url') }
    const { tokens } = trusting({ url: published([jwk]).url })
    const signed = await new SignJWT({ ...good, iat: seconds(0), exp: seconds(300) })
      .setProtectedHeader({ alg: 'HS256', kid: 'shared' })
      .sign(secret)
    expect(await outcome(tokens, signed)).toBe('invalid_token')
  })

  test('must be in time, for us, from who signed it, and complete', async () => {
    const { tokens } = trusting({ url: published([first.publicJwk]).url })
    const forged = await signingKey('first')
    const without = (name: string) => first.sign({ ...good, [name]: undefined })
    const cases: [string, Promise<string>, string][] = [
      ['good', first.sign(good), 'ok'],
      ['one of several audiences', first.sign({ ...good, aud: ['other', audience] }), 'ok'],
      ['expired within the tolerance', first.sign({ ...good, exp: seconds(-2) }), 'ok'],
      ['expired', first.sign({ ...good, exp: seconds(-30) }), 'invalid_token'],
      ['not yet', first.sign({ ...good, nbf: seconds(60) }), 'invalid_token'],
      ['another audience', first.sign({ ...good, aud: 'openvibe.codes' }), 'invalid_token'],
      ['an issuer nobody trusts', first.sign({ ...good, iss: 'https://evil.example' }), 'invalid_token'],
      ['the local issuer’s name', first.sign({ ...good, iss: 'footlight:local' }), 'invalid_token'],
      ['a name that is a method of objects', first.sign({ ...good, iss: 'constructor' }), 'invalid_token'],
      ['another key under the same id', forged.sign(good), 'invalid_token'],
      ['no subject', without('sub'), 'invalid_token'],
      ['an empty subject', first.sign({ ...good, sub: '' }), 'invalid_token'],
      ['no audience', without('aud'), 'invalid_token'],
      ['no issuer', without('iss'), 'invalid_token'],
      ['no time of issue', without('iat'), 'invalid_token'],
      ['no expiry', without('exp'), 'invalid_token'],
      ['changed', first.sign(good).then((token) => token.replace(/\.(.)/, '.X')), 'invalid_token'],
      ['nothing', Promise.resolve(''), 'invalid_token'],
      ['dots', Promise.resolve('..'), 'invalid_token'],
    ]
    const outcomes = []
    for (const [name, token] of cases) outcomes.push([name, await outcome(tokens, await token)])
    expect(outcomes).toEqual(cases.map(([name, , code]) => [name, code]))
  })

  test('of the server itself counts beside them, and only with the server’s own key', async () => {
    const { tokens } = trusting({ url: published([first.publicJwk]).url })
    const claims = { subject: 'svc:footlight-cli', capabilities: ['a'], minutes: 1 }
    expect(await tokens.verify(await local.sign({ ...claims, audience }))).toEqual({
      subject: 'svc:footlight-cli',
      capabilities: ['a'],
      app: false,
    })
    expect(await outcome(tokens, await local.sign({ ...claims, audience: 'other' }))).toBe('invalid_token')
  })

  test('of two issuers each counts with the keys and the audience of its own', async () => {
    const one = published([first.publicJwk])
    const two = published([second.publicJwk])
    const other = { issuer: 'https://two.example', keys: { url: two.url }, audience: 'two' }
    const issuers = [{ issuer, keys: { url: one.url }, audience }, other]
    const tokens = createServiceTokens({ local, audience, issuers, report: () => {} })
    const outcomes = []
    for (const key of [first, second]) {
      for (const [iss, aud] of [
        [issuer, audience],
        [other.issuer, 'two'],
        [other.issuer, audience],
      ]) {
        outcomes.push(await outcome(tokens, await key.sign({ ...good, iss, aud })))
      }
    }
    expect(outcomes).toEqual(['ok', 'invalid_token', 'invalid_token', 'invalid_token', 'ok', 'invalid_token'])
  })

  test('of any text is refused as such', async () => {
    const { tokens } = trusting({ url: published([first.publicJwk]).url })
    const part = fc.oneof(
      fc.base64String(),
      fc.json().map((json) => Buffer.from(json).toString('base64url')),
      fc.string(),
    )
    const anything = fc.oneof(
      fc.string(),
      fc.array(part, { maxLength: 5 }).map((parts) => parts.join('.')),
    )
    await fc.assert(
      fc.asyncProperty(anything, async (token) => {
        expect(await outcome(tokens, token)).toBe('invalid_token')
      }),
      { numRuns: 300 },
    )
  })
})

describe('what a token says', () => {
  test('is read from capabilities or scope; apps are told apart', async () => {
    const { tokens } = trusting({ url: published([first.publicJwk]).url })
    const read = async (claims: Record<string, unknown>) => {
      const { capabilities: _none, ...rest } = good
      return await tokens.verify(await first.sign({ ...rest, ...claims }))
    }
    const subject = 'svc:codes'
    expect(await read({ capabilities: ['a', 7, 'b'] })).toEqual({ subject, capabilities: ['a', 'b'], app: false })
    expect(await read({ scope: ' a  b ' })).toEqual({ subject, capabilities: ['a', 'b'], app: false })
    expect(await read({ capabilities: [], scope: 'a' })).toEqual({ subject, capabilities: [], app: false })
    expect(await read({ capabilities: 'a' })).toEqual({ subject, capabilities: [], app: false })
    expect(await read({})).toEqual({ subject, capabilities: [], app: false })
    expect((await read({ sub: 'app:weather' })).app).toBe(true)
    expect((await read({ app_id: 'weather' })).app).toBe(true)
    expect((await read({ client_type: 'app' })).app).toBe(true)
    expect((await read({ client_type: 'service', app_id: null })).app).toBe(false)
  })
})

describe('keys at an address', () => {
  test('are kept, and fetched again for a new one', async () => {
    const server = published([first.publicJwk])
    const { tokens } = trusting({ url: server.url }, { cooldownMs: 0 })
    const token = await first.sign(good)
    await Promise.all(Array.from({ length: 20 }, () => outcome(tokens, token)))
    expect(server.fetches()).toBe(1)
    server.publish([second.publicJwk])
    expect(await outcome(tokens, await second.sign(good))).toBe('ok')
    expect(server.fetches()).toBe(2)
    // The old key went with the old set.
    expect(await outcome(tokens, token)).toBe('invalid_token')
  })

  test('are not fetched for every unknown key of an attacker', async () => {
    const server = published([first.publicJwk])
    const { tokens } = trusting({ url: server.url }, { cooldownMs: 60_000 })
    expect(await outcome(tokens, await first.sign(good))).toBe('ok')
    const forged = await second.sign(good)
    const outcomes = await Promise.all(Array.from({ length: 50 }, () => outcome(tokens, forged)))
    expect(new Set(outcomes)).toEqual(new Set(['invalid_token']))
    expect(server.fetches()).toBe(1)
  })

  test('that cannot be had are no fault of the caller, and come back', async () => {
    const server = published([])
    const { tokens, reports } = trusting({ url: server.url }, { timeoutMs: 300, cooldownMs: 0 })
    const token = await first.sign(good)
    const answers: (() => Response | Promise<Response>)[] = [
      () => new Response('no', { status: 500 }),
      () => new Response('<html>', { status: 200 }),
      () => Response.json({ keys: 'none' }),
      () => Response.json({ keys: [{ kty: 'EC', kid: 'first', crv: 'P-256', x: '!', y: '!' }] }),
      () => Response.redirect('http://127.0.0.1:1/keys'),
      () => new Promise<Response>(() => {}),
    ]
    const outcomes = []
    for (const answer of answers) {
      server.answer(answer)
      outcomes.push(await outcome(tokens, token))
    }
    expect(outcomes).toEqual(answers.map(() => 'issuer_unavailable'))
    // Once more for the set with the unusable key: it may have been corrected.
    expect(server.fetches()).toBe(answers.length + 1)
    expect(reports).toEqual([`The keys of the issuer ${issuer} cannot be had`])
    server.publish([first.publicJwk])
    expect(await outcome(tokens, token)).toBe('ok')
  })

  test('of an issuer that is not there answer 503 with the time to wait; other issuers go on', async () => {
    const gone = serveKeys([])
    gone.stop()
    const { tokens } = trusting({ url: gone.url })
    const error = await tokens.verify(await first.sign(good)).catch((thrown) => thrown)
    expect(error).toBeInstanceOf(RefusedError)
    expect(error.refusal).toEqual({
      code: 'issuer_unavailable',
      detail: 'The issuer of the token does not send its keys right now. Try again in a moment.',
      retryAfter: 5,
    })
    const own = await local.sign({ subject: 'svc:a', capabilities: [], audience, minutes: 1 })
    expect(await outcome(tokens, own)).toBe('ok')
  })
})

describe('keys in a file', () => {
  const write = async (file: string, keys: unknown) => {
    await Bun.write(`${file}.new`, JSON.stringify(keys))
    await rename(`${file}.new`, file)
  }

  test('are read again when the file changes: a new key counts, one that was taken out does not', async () => {
    const file = join(folder, 'keys.json')
    await write(file, { keys: [first.publicJwk] })
    const { tokens } = trusting({ file })
    const [old, young] = [await first.sign(good), await second.sign(good)]
    expect([await outcome(tokens, old), await outcome(tokens, young)]).toEqual(['ok', 'invalid_token'])
    await write(file, { keys: [first.publicJwk, second.publicJwk] })
    expect([await outcome(tokens, old), await outcome(tokens, young)]).toEqual(['ok', 'ok'])
    await write(file, { keys: [second.publicJwk] })
    expect([await outcome(tokens, old), await outcome(tokens, young)]).toEqual(['invalid_token', 'ok'])
  })

  test('that are missing, no JSON or private are the operator’s fault', async () => {
    const file = join(folder, 'late.json')
    const { tokens, reports } = trusting({ file })
    const token = await first.sign(good)
    expect(await outcome(tokens, token)).toBe('issuer_unavailable')
    await Bun.write(file, 'no JSON')
    expect(await outcome(tokens, token)).toBe('issuer_unavailable')
    const { privateKey } = await generateKeyPair('ES256', { extractable: true })
    const secret = { ...(await crypto.subtle.exportKey('jwk', privateKey)), kid: 'first', key_ops: ['verify'] }
    await write(file, { keys: [secret] })
    expect(await outcome(tokens, token)).toBe('issuer_unavailable')
    await write(file, { keys: [first.publicJwk] })
    expect(await outcome(tokens, token)).toBe('ok')
    expect(reports.length).toBe(1)
  })
})
