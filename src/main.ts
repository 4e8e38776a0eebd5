import { access, constants, mkdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type Clock, systemClock } from './actors/clock.ts'
import { startSystem } from './actors/system.ts'
import type { Config } from './config.ts'
import { createApp } from './http/app.ts'
import { openLocalIssuer } from './http/identity/local-issuer.ts'
import { createOidcProvider } from './http/identity/oidc-provider.ts'
import { createServiceTokens } from './http/identity/service-tokens.ts'
import { createRateLimits } from './http/rate-limits/rate-limits.ts'
import { createMediaLayer } from './media/media-layer.ts'
import { findWorker } from './media/worker-binary/find.ts'
import { StartupError } from './startup-error.ts'
import { openStore, type Store } from './store/open-store.ts'
import { buildAssets } from './web/assets.ts'

export interface RunningServer {
  /** How people reach it, without a slash at the end. */
  readonly url: string
  /** Stops listening, closes media and store, in this order. Idempotent. */
  stop(): Promise<void>
}

/** The file in the data folder that says where the server of this folder listens. */
export const serverFile = 'server.json'

/** How long the server waits for players to take the news that it stops, in ms. */
const farewellTime = 500

/** How often expired sessions, links and view tickets are forgotten, in ms. */
const sweepInterval = 60 * 60 * 1000

/** How long one request to a media worker may take. */
const mediaRequestTimeout = 5000

/** The store that the settings name: PostgreSQL, or PGlite in the data folder. */
export function openConfiguredStore({ dataFolder, databaseUrl }: Config): Promise<Store> {
  return openStore(databaseUrl === null ? { dataFolder } : { databaseUrl })
}

/**
 * Starts the whole server: the one place that knows every layer.
 * @param open what it keeps its memory in
 * @param clock what it takes its time from
 * @throws StartupError or StoreStartError: one sentence that says what to do
 */
export async function startServer(
  config: Config,
  open = openConfiguredStore,
  clock: Clock = systemClock,
): Promise<RunningServer> {
  await mustWrite(config.dataFolder)
  const workerBin = config.workerBin ?? (await findWorker())
  if (workerBin === undefined) {
    throw new StartupError('There is no media worker yet. Run ./footlight up, which finds or builds one.')
  }
  const closing: (() => Promise<void> | void)[] = []
  const stop = async () => {
    for (const close of closing.splice(0).reverse()) await close()
  }
  try {
    const [store, issuer, assets] = await Promise.all([
      open(config).then((opened) => {
        closing.push(() => opened.close())
        return opened
      }),
      openLocalIssuer(config.dataFolder),
      buildAssets(),
    ])
    const media = createMediaLayer({
      workerBin,
      listenIp: config.media.listenIp,
      ...(config.media.announcedAddress === null ? {} : { announcedAddress: config.media.announcedAddress }),
      basePort: config.media.basePort,
      requestTimeoutMs: mediaRequestTimeout,
      consumersPerWorker: config.media.consumersPerWorker,
    })
    closing.push(() => media.close())
    const { livePerPerson, liveOwner, livePerLiveOwner } = config.limits
    const system = startSystem({
      ports: { media: media.media, workers: media.workers, store: store.streams },
      clock,
      limits: {
        person: livePerPerson,
        liveOwner: liveOwner === null ? null : { handle: liveOwner, limit: livePerLiveOwner },
      },
      workers: Array.from({ length: config.workers }, (_, at) => `worker-${at + 1}`),
      // Nothing can be served without it: whoever supervises the process starts it anew.
      onFailure: (error) => {
        console.error('footlight: the actor system failed', error)
        process.exit(1)
      },
    })
    closing.push(() => system.stop())

    const sweeping = setInterval(() => {
      // What a database that is away for a moment does not forget now, it forgets in an hour.
      Promise.all([store.identity.sweep(clock.now()), store.viewTickets.sweep(clock.now())]).catch(() => {})
    }, sweepInterval)
    closing.push(() => clearInterval(sweeping))

    const farewells: (() => Promise<void>)[] = []
    let url = config.publicUrl ?? ''
    const report = (error: unknown) => console.error('footlight: unexpected', error)
    const app = createApp({
      system,
      identity: store.identity,
      viewTickets: store.viewTickets,
      sharing: store.sharing,
      moderators: store.moderators,
      stills: store.stills,
      listing: store.listing,
      issuer,
      tokens: createServiceTokens({ local: issuer, audience: config.audience, issuers: config.issuers, report }),
      oidc: config.oidc === null ? null : createOidcProvider(config.oidc, report),
      rateLimits: createRateLimits({ rules: config.rates, trustedProxies: config.trustedProxies }),
      assets,
      rtpCapabilities: media.media.rtpCapabilities,
      audience: config.audience,
      iceServers: config.iceServers,
      frameAncestors: config.frameAncestors,
      origin: () => url,
      now: () => clock.now(),
      pingStore: () => store.ping(),
      report,
      onStopping: (before) => farewells.push(before),
    })
    const port = listen(app, config)
    closing.push(async () => {
      await app.stop(true)
    })
    closing.push(() => atMost(farewellTime, Promise.all(farewells.map((before) => before()))))
    const local = `http://${nameOf(config.host)}:${port}`
    url ||= local
    const file = join(config.dataFolder, serverFile)
    await writeFile(file, JSON.stringify({ pid: process.pid, url: local }))
    closing.push(() => rm(file, { force: true }))
    return { url, stop }
  } catch (error) {
    await stop()
    throw error
  }
}

/** Waits for those who are told that the server stops; whoever does not listen is not waited for. */
async function atMost(ms: number, work: Promise<unknown>): Promise<void> {
  let timer: ReturnType<typeof setTimeout> | undefined
  const late = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, ms)
  })
  await Promise.race([work, late]).finally(() => clearTimeout(timer))
  // What was written goes out when the event loop comes round, and the connections are cut next.
  await new Promise<void>((resolve) => setImmediate(resolve))
}

/** Listens, and answers the port: the one that was asked for, or a free one for 0. */
function listen(app: ReturnType<typeof createApp>, { host, port }: Config): number {
  try {
    app.listen({ hostname: host, port, reusePort: false })
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code
    if (code === 'EADDRINUSE') {
      throw new StartupError(
        `Port ${port} on ${host} is in use. Stop what uses it, or set FOOTLIGHT_PORT to another port.`,
      )
    }
    if (code === 'EACCES') {
      throw new StartupError(`Port ${port} needs more rights than this user has. Set FOOTLIGHT_PORT above 1023.`)
    }
    throw new StartupError(`The server cannot listen on ${host} port ${port}: ${(error as Error).message}.`)
  }
  const listening = app.server?.port
  if (listening === undefined) throw new StartupError(`The server cannot listen on ${host} port ${port}.`)
  return listening
}

/** An address that a browser on this machine can open. */
function nameOf(host: string): string {
  if (host === '0.0.0.0' || host === '::') return '127.0.0.1'
  return host.includes(':') ? `[${host}]` : host
}

async function mustWrite(folder: string): Promise<void> {
  try {
    await mkdir(folder, { recursive: true })
    await access(folder, constants.W_OK | constants.X_OK)
  } catch {
    throw new StartupError(
      `The data folder ${folder} cannot be written. Give this user the right, or set FOOTLIGHT_DATA to another folder.`,
    )
  }
}
