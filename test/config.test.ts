import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { ConfigError, loadConfig } from '../src/config.ts'
import { rateDefaults, rateKinds, rateSetting } from '../src/http/rate-limits/rate-settings.ts'

let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'footlight-config-'))
})
afterAll(() => rm(folder, { recursive: true, force: true }))

/** The faults of these settings; empty when there are none. */
function faults(env: Record<string, string>): readonly string[] {
  try {
    loadConfig(env)
    return []
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error
    return error.faults
  }
}

const issuers = (list: unknown) => ({ FOOTLIGHT_ISSUERS: JSON.stringify(list) })
const id = 'https://id.example'
const oidc = {
  FOOTLIGHT_OIDC_ISSUER: id,
  FOOTLIGHT_OIDC_CLIENT_ID: 'footlight',
  FOOTLIGHT_OIDC_CLIENT_SECRET: 'top-secret',
}

describe('the settings', () => {
  test('have defaults for a machine of one’s own; empty is unset', () => {
    const config = loadConfig({})
    expect([config.host, config.port, config.audience, config.trustedProxies]).toEqual([
      '127.0.0.1',
      7400,
      'openvibe.live',
      0,
    ])
    expect([config.issuers, config.oidc]).toEqual([[], null])
    expect(config.rates).toEqual(rateDefaults)
    const names = ['PORT', 'ISSUERS', 'ISSUERS_FILE', 'OIDC_ISSUER', 'OIDC_CLIENT_SECRET', 'RATE_WHIP', 'AUDIENCE']
    expect(loadConfig(Object.fromEntries(names.map((name) => [`FOOTLIGHT_${name}`, '  '])))).toEqual(config)
  })

  test('that are wrong are told all at once', () => {
    const found = faults({
      FOOTLIGHT_PORT: '70000',
      FOOTLIGHT_PUBLIC_URL: 'live.example',
      DATABASE_URL: 'mysql://user:hunter2@db/x',
      FOOTLIGHT_FRAME_ANCESTORS: 'https://a.example/path',
      FOOTLIGHT_TRUSTED_PROXIES: '-1',
      FOOTLIGHT_RATE_WHIP: 'often',
      FOOTLIGHT_OIDC_CLIENT_SECRET: 'hunter3',
      ...issuers([{ issuer: id }]),
    })
    expect(found.map((fault) => /^\w+/.exec(fault)?.[0]).sort()).toEqual([
      'DATABASE_URL',
      'FOOTLIGHT_FRAME_ANCESTORS',
      'FOOTLIGHT_ISSUERS',
      'FOOTLIGHT_OIDC_CLIENT_ID',
      'FOOTLIGHT_OIDC_ISSUER',
      'FOOTLIGHT_PORT',
      'FOOTLIGHT_PUBLIC_URL',
      'FOOTLIGHT_RATE_WHIP',
      'FOOTLIGHT_TRUSTED_PROXIES',
    ])
    expect(found.join()).not.toMatch(/hunter/)
  })

  test('are all described, each with its name', async () => {
    const page = await Bun.file(resolve(import.meta.dir, '../docs/configuration.md')).text()
    const source = await Bun.file(resolve(import.meta.dir, '../src/config.ts')).text()
    const names = new Set(source.match(/'(?:FOOTLIGHT_\w+|DATABASE_URL|MEDIASOUP_WORKER_BIN)'/g))
    expect(names.size).toBeGreaterThan(20)
    for (const name of [...names, ...rateKinds.map((kind) => `'${rateSetting(kind)}'`)]) {
      expect(page).toContain(`\`${name.slice(1, -1)}\``)
    }
    for (const kind of rateKinds) {
      const { calls, seconds } = rateDefaults[kind]
      expect(page).toMatch(new RegExp(`\`${rateSetting(kind)}\` +\\| \`${calls}/${seconds}\``))
    }
  })
})

describe('trusted issuers', () => {
  test('have keys at an address or in a file, and our audience or their own', () => {
    const file = join(folder, 'a file.json')
    const config = loadConfig(
      issuers([
        { issuer: id, jwks: 'https://id.example/keys' },
        { issuer: 'two', jwks: 'http://127.0.0.1:9/keys', audience: 'ours' },
        { issuer: 'three', jwks: file },
        { issuer: 'four', jwks: pathToFileURL(file).href },
        { issuer: 'five', jwks: 'keys/five.json' },
      ]),
    )
    expect(config.issuers).toEqual([
      { issuer: id, keys: { url: 'https://id.example/keys' }, audience: 'openvibe.live' },
      { issuer: 'two', keys: { url: 'http://127.0.0.1:9/keys' }, audience: 'ours' },
      { issuer: 'three', keys: { file }, audience: 'openvibe.live' },
      { issuer: 'four', keys: { file }, audience: 'openvibe.live' },
      { issuer: 'five', keys: { file: resolve('keys/five.json') }, audience: 'openvibe.live' },
    ])
  })

  test('may stand in a file; paths start from there', async () => {
    const file = join(folder, 'issuers.json')
    await Bun.write(file, JSON.stringify([{ issuer: id, jwks: 'keys.json' }]))
    expect(loadConfig({ FOOTLIGHT_ISSUERS_FILE: file, FOOTLIGHT_AUDIENCE: 'mine' }).issuers).toEqual([
      { issuer: id, keys: { file: join(folder, 'keys.json') }, audience: 'mine' },
    ])
    expect(faults({ FOOTLIGHT_ISSUERS_FILE: file, ...issuers([]) })).toEqual([
      'FOOTLIGHT_ISSUERS and FOOTLIGHT_ISSUERS_FILE are both set. Keep one of them.',
    ])
    expect(faults({ FOOTLIGHT_ISSUERS_FILE: join(folder, 'none.json') })).toEqual([
      `FOOTLIGHT_ISSUERS_FILE names ${JSON.stringify(join(folder, 'none.json'))}, which cannot be read (ENOENT).`,
    ])
  })

  test('that are wrong are told by number', () => {
    const jwks = 'https://id.example/keys'
    const keyFault = 'jwks must be an https: address (http: on this machine alone), a file: address or a path.'
    const cases: [unknown, string][] = [
      [7, 'it must be an object with issuer and jwks.'],
      [{ jwks }, 'issuer must be the text that its tokens carry as iss.'],
      [{ issuer: id, jwks: 'http://id.example/keys' }, keyFault],
      [{ issuer: id, jwks: 'https://user:hunter2@id.example/keys' }, keyFault],
      [{ issuer: id, jwks: 'ftp://id.example/keys' }, keyFault],
      [{ issuer: id, jwks: 'file://host/keys' }, keyFault],
      [{ issuer: id, jwks: 'https://' }, keyFault],
      [{ issuer: id }, keyFault],
      [{ issuer: id, jwks, audience: '' }, 'audience must be a text, or be left out.'],
      [
        { issuer: id, jwks, audiences: ['x'] },
        'there is no field "audiences"; the fields are issuer, jwks and audience.',
      ],
      [{ issuer: 'footlight:local', jwks }, 'the issuer "footlight:local" is there already.'],
    ]
    for (const [entry, sentence] of cases) {
      expect(faults(issuers([{ issuer: 'first', jwks }, entry]))).toEqual([`FOOTLIGHT_ISSUERS, entry 2: ${sentence}`])
    }
    expect(
      faults(
        issuers([
          { issuer: id, jwks },
          { issuer: id, jwks },
        ]),
      ),
    ).toEqual(['FOOTLIGHT_ISSUERS, entry 2: the issuer "https://id.example" is there already.'])
    for (const text of ['no JSON', '{}', '"x"', 'null']) expect(faults({ FOOTLIGHT_ISSUERS: text }).length).toBe(1)
  })
})

describe('the sign-in provider', () => {
  test('is there whole or not at all', () => {
    expect(loadConfig(oidc).oidc).toEqual({
      issuer: id,
      clientId: 'footlight',
      clientSecret: 'top-secret',
      scope: 'openid profile email',
    })
    expect(loadConfig({ ...oidc, FOOTLIGHT_OIDC_SCOPE: 'openid' }).oidc?.scope).toBe('openid')
    for (const name of Object.keys(oidc)) {
      expect(faults({ ...oidc, [name]: '' })).toEqual([
        `${name} is missing: a sign-in provider needs ${Object.keys(oidc).join(', ')}.`,
      ])
    }
    expect(faults({ ...oidc, FOOTLIGHT_OIDC_SCOPE: 'email' }).length).toBe(1)
  })

  test('is reached where nobody on the way can listen', () => {
    const at = (issuer: string) => faults({ ...oidc, FOOTLIGHT_OIDC_ISSUER: issuer }).length
    expect(['https://a.example/x', 'http://localhost:1', 'http://[::1]:1', 'http://127.0.0.1'].map(at)).toEqual([
      0, 0, 0, 0,
    ])
    expect(
      ['http://a.example', 'http://127.0.0.1.a.example', 'https://u:p@a.example', 'a', 'file:///x'].map(at),
    ).toEqual([1, 1, 1, 1, 1])
  })
})

describe('rate limits', () => {
  test('are so many calls in so many seconds, or off', () => {
    const { rates } = loadConfig({ FOOTLIGHT_RATE_WHIP: '5/10', FOOTLIGHT_RATE_SIGN_IN: 'off' })
    expect(rates).toEqual({ ...rateDefaults, whip: { calls: 5, seconds: 10 }, sign_in: null })
    for (const wrong of ['0/10', '10/0', '10', '10/90000', '-1/10', '1.5/10', '10 / 10', 'OFF', '99999999/1']) {
      expect([wrong, faults({ FOOTLIGHT_RATE_WHIP: wrong }).length]).toEqual([wrong, 1])
    }
  })
})
