import { mkdtemp, rm } from 'node:fs/promises'
import { loadavg, tmpdir } from 'node:os'
import { join } from 'node:path'
import { freePort } from '../src/cli/demo/free-port.ts'
import { serverReady, startServerProcess } from '../src/cli/demo/server-process.ts'
import { ensurePerson, mintServiceToken } from '../src/cli/operator.ts'
import { table } from '../src/cli/setup/table.ts'
import { loadConfig } from '../src/config.ts'
import type { PublishGrant } from '../src/contracts/agent-stream.ts'
import { createStream } from '../src/desk/agent-stream-api.ts'
import { findWorker } from '../src/media/worker-binary/find.ts'
import { bareMediasoup } from './signalling/bare-mediasoup.ts'
import { chromiumOffers } from './signalling/offers.ts'
import { type Percentiles, percentilesOf } from './signalling/percentiles.ts'
import type { Audience } from './signalling/sessions.ts'

/**
 * From POST to 201, for WHIP and WHEP, with sessions up; and beside it, in the same run, what
 * mediasoup alone takes for the same transports.
 *
 *     bun bench/signalling.ts [--rounds 200] [--streams 20] [--viewers 4]
 *
 * The server is a process of its own, as are the sessions that are up; what is measured goes one
 * request after the other. Prints a table, and one JSON object as the last line.
 */
export interface SignallingFigures {
  readonly sessions: number
  readonly whip: Percentiles
  readonly whep: Percentiles
  /** The first WHEP viewer of a stream with its payload types: a router for them is made. */
  readonly whepFirstOfKind: Percentiles
  readonly mediasoupWhip: Percentiles
  readonly mediasoupWhep: Percentiles
  /** Of the machine, over the last minute, before and after. */
  readonly load: readonly [number, number]
}

export interface SignallingOptions {
  readonly rounds: number
  readonly streams: number
  readonly viewersPerStream: number
  readonly onProgress?: (doing: string) => void
}

const sdp = { 'Content-Type': 'application/sdp' }

export async function measureSignalling(options: SignallingOptions): Promise<SignallingFigures> {
  const { rounds, streams, viewersPerStream, onProgress = () => {} } = options
  const workerBin = await findWorker()
  if (workerBin === undefined) throw new Error('There is no media worker yet: run ./footlight up once.')
  const folder = await mkdtemp(join(tmpdir(), 'footlight-signalling-'))
  const port = await freePort()
  const environment = {
    ...Object.fromEntries(Object.entries(process.env).filter(([name]) => !/^(FOOTLIGHT_|DATABASE_URL$)/.test(name))),
    FOOTLIGHT_PORT: String(port),
    FOOTLIGHT_DATA: folder,
    FOOTLIGHT_MEDIA_PORT: '0',
    FOOTLIGHT_LIVE_LIMIT: '1000',
    FOOTLIGHT_RATE_WHIP: 'off',
    FOOTLIGHT_RATE_WHEP: 'off',
    FOOTLIGHT_RATE_WHIP_SESSION: 'off',
    FOOTLIGHT_RATE_WHEP_SESSION: 'off',
    MEDIASOUP_WORKER_BIN: workerBin,
  }
  const config = loadConfig(environment)
  const origin = `http://127.0.0.1:${port}`
  const closing: (() => Promise<unknown>)[] = [() => rm(folder, { recursive: true, force: true })]
  try {
    onProgress('starting the server')
    const server = startServerProcess({ environment })
    closing.push(() => server.stop())
    await serverReady(server, origin, 30_000, AbortSignal.timeout(60_000))
    const person = await ensurePerson(config, 'bench')
    const token = await mintServiceToken(config, {
      person: person.id,
      capabilities: ['live.agent_stream.publish'],
      minutes: 60,
    })
    const makeStream = async () => {
      const task = { source: 'desk', ref: 'bench', title: 'Signalling' } as const
      const { stream, publish } = await createStream(origin, token, { visibility: 'public', task })
      return { publish, whep: `${origin}/whep/agent/${stream.id}` }
    }
    const live = await Promise.all(Array.from({ length: streams }, makeStream))
    const free = await makeStream()

    const sessions = streams * (1 + viewersPerStream)
    onProgress(`opening ${sessions} sessions`)
    const audience = await openAudience({
      desks: live.map(({ publish }) => ({ url: publish.whip_url, token: publish.ticket })),
      viewers: live.flatMap(({ whep }) => Array.from({ length: viewersPerStream }, () => ({ url: whep }))),
    })
    closing.push(audience.close)

    onProgress('asking Chromium for offers')
    const offers = await chromiumOffers()
    const bare = await bareMediasoup(workerBin, offers)
    closing.push(() => bare.close())

    const times = { whip: [], whep: [], first: [], bareWhip: [], bareWhep: [] } as Record<
      'whip' | 'whep' | 'first' | 'bareWhip' | 'bareWhep',
      number[]
    >
    const before = loadavg()[0] ?? 0
    // The first rounds are the runtime's to warm up, and count for nothing.
    const warmUp = Math.min(20, rounds)
    for (let round = -warmUp; round < rounds; round += 1) {
      if (round % 50 === 0) onProgress(`round ${round} of ${rounds}`)
      const keep = round >= 0
      const whep = live[(round + warmUp) % live.length]?.whep ?? ''
      const whip = await timed(() => post(free.publish.whip_url, offers.whip, free.publish))
      await leave(whip.value, free.publish)
      const first = await timed(() => post(whep, offers.whep))
      const next = await timed(() => post(whep, offers.whep))
      await Promise.all([leave(first.value), leave(next.value)])
      const bareWhip = await timed(() => bare.whip())
      bareWhip.value()
      const bareWhep = await timed(() => bare.whep())
      bareWhep.value()
      if (!keep) continue
      times.whip.push(whip.ms)
      times.first.push(first.ms)
      times.whep.push(next.ms)
      times.bareWhip.push(bareWhip.ms)
      times.bareWhep.push(bareWhep.ms)
    }
    if (!audience.isUp()) throw new Error('The sessions that were to be up ended in the meantime.')
    return {
      sessions,
      whip: percentilesOf(times.whip),
      whep: percentilesOf(times.whep),
      whepFirstOfKind: percentilesOf(times.first),
      mediasoupWhip: percentilesOf(times.bareWhip),
      mediasoupWhep: percentilesOf(times.bareWhep),
      load: [before, loadavg()[0] ?? 0],
    }
  } finally {
    for (const close of closing.reverse()) await close()
  }
}

async function openAudience(audience: Audience) {
  const child = Bun.spawn([process.execPath, join(import.meta.dir, 'signalling/sessions.ts')], {
    stdio: ['pipe', 'pipe', 'inherit'],
  })
  child.stdin.write(JSON.stringify(audience))
  child.stdin.end()
  const said = await child.stdout.getReader().read()
  if (new TextDecoder().decode(said.value).trim() !== 'up') throw new Error('The sessions did not come up.')
  return {
    isUp: () => child.exitCode === null,
    async close() {
      child.kill()
      await child.exited
    },
  }
}

/** Posts an offer and answers the session's address. The answer is read to its end. */
async function post(url: string, offer: string, grant?: PublishGrant): Promise<string> {
  const response = await fetch(url, { method: 'POST', body: offer, headers: { ...sdp, ...bearer(grant) } })
  const answer = await response.text()
  if (response.status !== 201) throw new Error(`${response.status} ${answer}`)
  return new URL(response.headers.get('Location') ?? '', url).href
}

async function leave(session: string, grant?: PublishGrant): Promise<void> {
  const { status } = await fetch(session, { method: 'DELETE', headers: bearer(grant) })
  if (status !== 200) throw new Error(`DELETE answered ${status}`)
}

function bearer(grant: PublishGrant | undefined): Record<string, string> {
  return grant === undefined ? {} : { Authorization: `Bearer ${grant.ticket}` }
}

async function timed<T>(act: () => Promise<T>): Promise<{ value: T; ms: number }> {
  const begun = performance.now()
  const value = await act()
  return { value, ms: performance.now() - begun }
}

/** The figures for a person. */
export function signallingTable(figures: SignallingFigures): string {
  const row = (name: string, { p50, p95, max, n }: Percentiles) => [
    name,
    ...[p50, p95, max].map((ms) => ms.toFixed(1)),
    String(n),
  ]
  return table([
    [`${figures.sessions} sessions up`, 'p50 ms', 'p95 ms', 'max ms', 'n'],
    row('WHIP: POST to 201', figures.whip),
    row('  mediasoup alone', figures.mediasoupWhip),
    row('WHEP: POST to 201', figures.whep),
    row('  first with its payload types', figures.whepFirstOfKind),
    row('  mediasoup alone', figures.mediasoupWhep),
  ])
}

if (import.meta.main) {
  const number = (name: string, fallback: number) => {
    const at = process.argv.indexOf(name)
    return at < 0 ? fallback : Number(process.argv[at + 1])
  }
  const figures = await measureSignalling({
    rounds: number('--rounds', 200),
    streams: number('--streams', 20),
    viewersPerStream: number('--viewers', 4),
    onProgress: (doing) => console.error(`signalling: ${doing}`),
  })
  console.log(signallingTable(figures))
  const [before, after] = figures.load
  console.log(`load of the machine (cores are not all ours): ${before.toFixed(1)} before, ${after.toFixed(1)} after`)
  console.log(JSON.stringify(figures))
  process.exit(0)
}
