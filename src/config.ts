import { readFileSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { dirname, resolve } from 'node:path'
import { isSafeWebAddress, readIssuerSettings, type TrustedIssuer } from './http/identity/issuer-settings.ts'
import type { OidcSettings } from './http/identity/oidc-provider.ts'
import { type IceServerSettings, readIceServerSettings } from './http/protocol/ice-server-settings.ts'
import { type RateRules, readRateSettings } from './http/rate-limits/rate-settings.ts'

/** The environment, parsed once. Read docs/configuration.md for what each setting means. */
export interface Config {
  readonly host: string
  readonly port: number
  /** The address that people reach the server by; `null`: what it listens on. */
  readonly publicUrl: string | null
  /** Keys, PGlite's files and the server's address. Made when it is not there. */
  readonly dataFolder: string
  /** `postgres://…`; absent: PGlite in the data folder. */
  readonly databaseUrl: string | null
  readonly workerBin: string | null
  /** How many media workers: one a core. */
  readonly workers: number
  readonly media: {
    readonly listenIp: string
    readonly announcedAddress: string | null
    /** The first worker's UDP and TCP port; each further worker takes the next. 0: any free port. */
    readonly basePort: number
    /** Consumers that viewers may have on one worker: two for each who sees and hears. */
    readonly consumersPerWorker: number
  }
  /** STUN and TURN servers that WHIP and WHEP clients are told of. */
  readonly iceServers: IceServerSettings
  readonly limits: {
    readonly livePerPerson: number
    readonly liveOwner: string | null
    readonly livePerLiveOwner: number
  }
  /** What tokens for this service name as their audience. */
  readonly audience: string
  /** Whose service tokens count, beside this server's own. */
  readonly issuers: readonly TrustedIssuer[]
  /** Who signs people in; `null`: one-time links alone. */
  readonly oidc: OidcSettings | null
  /** How often a caller may do what costs something. */
  readonly rates: RateRules
  /** How many proxies before the server write `X-Forwarded-For`. */
  readonly trustedProxies: number
  /** Origins that may frame the embed, beside the server's own. */
  readonly frameAncestors: readonly string[]
}

/** Every fault of the environment at once, a sentence each. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError'
  constructor(readonly faults: readonly string[]) {
    super(faults.join('\n'))
  }
}

type Environment = Readonly<Record<string, string | undefined>>

/**
 * Reads the settings from the environment. An empty variable counts as unset.
 * @throws ConfigError with all that is wrong
 */
export function loadConfig(env: Environment): Config {
  const faults: string[] = []
  const text = (name: string) => env[name]?.trim() || null
  const number = (name: string, fallback: number, min: number, max: number) => {
    const value = text(name)
    if (value === null) return fallback
    if (/^\d+$/.test(value) && Number(value) >= min && Number(value) <= max) return Number(value)
    faults.push(`${name} must be a whole number from ${min} to ${max}; it is ${JSON.stringify(value)}.`)
    return fallback
  }
  const url = (name: string, protocols: readonly string[], example: string) => {
    const value = text(name)
    // The value may hold a password: it is not repeated.
    if (value === null || (URL.canParse(value) && protocols.includes(new URL(value).protocol))) return value
    faults.push(`${name} must be an address such as ${example}.`)
    return null
  }

  const publicUrl = url('FOOTLIGHT_PUBLIC_URL', ['http:', 'https:'], 'https://live.example')
  const origins = (text('FOOTLIGHT_FRAME_ANCESTORS') ?? '').split(/[\s,]+/).filter(Boolean)
  for (const origin of origins) {
    if (URL.canParse(origin) && new URL(origin).origin === origin) continue
    faults.push(
      `FOOTLIGHT_FRAME_ANCESTORS must list origins such as https://codes.example; ${JSON.stringify(origin)} is none.`,
    )
  }
  const audience = text('FOOTLIGHT_AUDIENCE') ?? 'openvibe.live'
  const config: Config = {
    host: text('FOOTLIGHT_HOST') ?? '127.0.0.1',
    port: number('FOOTLIGHT_PORT', 7400, 0, 65_535),
    publicUrl: publicUrl === null ? null : new URL(publicUrl).origin,
    dataFolder: resolve(text('FOOTLIGHT_DATA') ?? 'data'),
    databaseUrl: url('DATABASE_URL', ['postgres:', 'postgresql:'], 'postgres://user@127.0.0.1:5432/footlight'),
    workerBin: text('MEDIASOUP_WORKER_BIN'),
    workers: number('FOOTLIGHT_WORKERS', availableParallelism(), 1, 256),
    media: {
      listenIp: text('FOOTLIGHT_MEDIA_HOST') ?? '127.0.0.1',
      announcedAddress: text('FOOTLIGHT_MEDIA_ADDRESS'),
      basePort: number('FOOTLIGHT_MEDIA_PORT', 44_400, 0, 65_000),
      consumersPerWorker: number('FOOTLIGHT_WORKER_CONSUMERS', 500, 1, 100_000),
    },
    iceServers: readIceServerSettings(text, number('FOOTLIGHT_TURN_LIFETIME', 86_400, 60, 604_800), faults),
    limits: {
      livePerPerson: number('FOOTLIGHT_LIVE_LIMIT', 1, 1, 1000),
      liveOwner: text('FOOTLIGHT_LIVE_OWNER')?.toLowerCase() ?? null,
      livePerLiveOwner: number('FOOTLIGHT_LIVE_OWNER_LIMIT', 5, 1, 1000),
    },
    audience,
    issuers: issuers(text, audience, faults),
    oidc: oidc(text, faults),
    rates: readRateSettings(text, faults),
    trustedProxies: number('FOOTLIGHT_TRUSTED_PROXIES', 0, 0, 16),
    frameAncestors: origins,
  }
  if (faults.length > 0) throw new ConfigError(faults)
  return config
}

type Text = (name: string) => string | null

/** The trusted issuers: from the setting itself, or from the file that the other one names. */
function issuers(text: Text, audience: string, faults: string[]): TrustedIssuer[] {
  const inline = text('FOOTLIGHT_ISSUERS')
  const file = text('FOOTLIGHT_ISSUERS_FILE')
  if (inline !== null && file !== null) {
    faults.push('FOOTLIGHT_ISSUERS and FOOTLIGHT_ISSUERS_FILE are both set. Keep one of them.')
  }
  if (inline !== null) {
    return readIssuerSettings({ setting: 'FOOTLIGHT_ISSUERS', json: inline, folder: process.cwd(), audience }, faults)
  }
  if (file === null) return []
  const path = resolve(file)
  try {
    const json = readFileSync(path, 'utf8')
    return readIssuerSettings({ setting: 'FOOTLIGHT_ISSUERS_FILE', json, folder: dirname(path), audience }, faults)
  } catch (error) {
    const why = (error as NodeJS.ErrnoException).code ?? 'unknown'
    faults.push(`FOOTLIGHT_ISSUERS_FILE names ${JSON.stringify(file)}, which cannot be read (${why}).`)
    return []
  }
}

/** The sign-in provider: all of it or nothing. */
function oidc(text: Text, faults: string[]): OidcSettings | null {
  const names = ['FOOTLIGHT_OIDC_ISSUER', 'FOOTLIGHT_OIDC_CLIENT_ID', 'FOOTLIGHT_OIDC_CLIENT_SECRET'] as const
  const [issuer, clientId, clientSecret] = names.map(text)
  const scope = text('FOOTLIGHT_OIDC_SCOPE') ?? 'openid profile email'
  if (!scope.split(/\s+/).includes('openid')) faults.push('FOOTLIGHT_OIDC_SCOPE must have openid among its words.')
  const missing = names.filter((name) => text(name) === null)
  if (missing.length === names.length) return null
  for (const name of missing) faults.push(`${name} is missing: a sign-in provider needs ${names.join(', ')}.`)
  if (issuer && !(URL.canParse(issuer) && isSafeWebAddress(new URL(issuer)))) {
    faults.push('FOOTLIGHT_OIDC_ISSUER must be an https: address (http: on this machine alone), without a password.')
  }
  return issuer && clientId && clientSecret ? { issuer, clientId, clientSecret, scope } : null
}
