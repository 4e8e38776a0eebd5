import { availableParallelism } from 'node:os'
import { resolve } from 'node:path'

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
  }
  readonly limits: {
    readonly livePerPerson: number
    readonly liveOwner: string | null
    readonly livePerLiveOwner: number
  }
  /** What tokens for this service name as their audience. */
  readonly audience: string
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
    },
    limits: {
      livePerPerson: number('FOOTLIGHT_LIVE_LIMIT', 1, 1, 1000),
      liveOwner: text('FOOTLIGHT_LIVE_OWNER')?.toLowerCase() ?? null,
      livePerLiveOwner: number('FOOTLIGHT_LIVE_OWNER_LIMIT', 5, 1, 1000),
    },
    audience: text('FOOTLIGHT_AUDIENCE') ?? 'openvibe.live',
    frameAncestors: origins,
  }
  if (faults.length > 0) throw new ConfigError(faults)
  return config
}
