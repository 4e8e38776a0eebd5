import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { loadConfig } from '../../config.ts'
import { setCurtain } from '../../desk/agent-stream-api.ts'
import { type Desk, startDesk } from '../../desk/desk.ts'
import type { Sighting } from '../../desk/probe/probe.ts'
import { openProbedViewer, type ProbedViewer } from '../../desk/probe/viewer.ts'
import { redact } from '../../desk/redact.ts'
import { createDemoStream } from './demo-stream.ts'
import { type CheckFigures, type CheckTimes, workOut } from './figures.ts'
import { freePort } from './free-port.ts'
import { endSignals, type ServerProcess, serverReady, startServerProcess } from './server-process.ts'
import { pause, until } from './until.ts'

/** What the check prints: one JSON object. `failed` is there only when something did. */
export interface CheckReport extends CheckFigures {
  readonly ok: boolean
  /** Video packets that reached the viewer while the curtain was up, whatever its player did with them. */
  readonly packets_while_up: number | null
  readonly failed?: readonly string[]
}

type MutableTimes = { -readonly [Key in keyof CheckTimes]?: CheckTimes[Key] }

/** The server refuses to lower the desk's curtain within two seconds of its raise. */
const curtainUp = 2600
/** The second after the picture came: the player still finds its pace. */
const warmUp = 1000
/** A packet that the worker sent before it confirmed the curtain has arrived by then. */
const packetsInFlight = 200
const startLimit = 30_000
const pictureLimit = 30_000
const settleLimit = 10_000
const cleanUpLimit = 20_000
/** What the whole may take beyond the time to watch. */
const overhead = 120_000

/** What is asked of the figures: the specification's pass line and the curtain's own limit. */
const limits = { p95: 1000, curtain: 1000, framesASecond: 5 }

/**
 * `footlight demo --check <seconds>`: server, desk and a viewer for so long, with the curtain up
 * for a while; then the server is killed hard and started again. In a folder and on ports of its own.
 * Prints one {@link CheckReport} on stdout, everything else on stderr. Resolves with the exit code: 0
 * when all of it held. Leaves nothing behind, and is over in bounded time.
 */
export async function runCheck(seconds: number): Promise<number> {
  const stop = new AbortController()
  const onSignal = () => stop.abort(new Error('The check was interrupted.'))
  for (const signal of endSignals) process.on(signal, onSignal)
  const bound = seconds * 1000 + overhead
  const watchdog = setTimeout(
    () => stop.abort(new Error(`The check took longer than ${bound / 1000} s and was given up.`)),
    bound,
  )

  const check = new Check(seconds, stop.signal)
  const running = check.run()
  try {
    await Promise.race([running, rejected(stop.signal)])
  } catch (error) {
    check.failed.push(redact(error instanceof Error ? error.message : String(error)))
  }
  clearTimeout(watchdog)
  stop.abort(new Error('The check is over.'))
  // What it was just starting must be there before it can be stopped.
  await Promise.race([running.catch(() => undefined), Bun.sleep(settleLimit)])
  const cleaned = await Promise.race([check.cleanUp().then(() => true), Bun.sleep(cleanUpLimit).then(() => false)])
  if (!cleaned) check.failed.push(`Cleaning up took longer than ${cleanUpLimit / 1000} s.`)
  for (const signal of endSignals) process.off(signal, onSignal)

  const report = check.report()
  console.log(JSON.stringify(report))
  return report.ok ? 0 : 1
}

class Check {
  readonly failed: string[] = []
  readonly #times: MutableTimes = {}
  readonly #sightings: Sighting[] = []
  #packetsWhileUp: number | null = null
  #folder: string | undefined
  #server: ServerProcess | undefined
  #desk: Desk | undefined
  #viewer: ProbedViewer | undefined

  constructor(
    readonly seconds: number,
    readonly signal: AbortSignal,
  ) {}

  async run(): Promise<void> {
    const { signal } = this
    this.#folder = await mkdtemp(join(tmpdir(), 'footlight-check-'))
    const port = await freePort()
    const environment = {
      // None of the settings of this machine's own server.
      ...Object.fromEntries(Object.entries(process.env).filter(([name]) => !/^(FOOTLIGHT_|DATABASE_URL$)/.test(name))),
      FOOTLIGHT_PORT: String(port),
      FOOTLIGHT_DATA: this.#folder,
      FOOTLIGHT_MEDIA_PORT: '0',
    }
    const config = loadConfig(environment)
    const origin = `http://127.0.0.1:${port}`
    const start = async () => {
      signal.throwIfAborted()
      this.#server = startServerProcess({ environment })
      await serverReady(this.#server, origin, startLimit, signal)
    }

    say('starting the server')
    await start()
    const demo = await createDemoStream(config, origin)
    say('starting the desk and the viewer')
    this.#desk = startDesk({
      streamUrl: demo.streamUrl,
      publish: demo.publish,
      renew: demo.renew,
      onStatus: (status, sentence) => say(`desk: ${status}${sentence === null ? '' : ` (${sentence})`}`),
    })
    const deskEnded = this.#desk.done.then((outcome) => {
      if (!signal.aborted) throw new Error(`The desk stopped: ${outcome.sentence}`)
    })
    await Promise.race([this.#watch(demo.pageUrl, demo.streamUrl, demo.publish.ticket, start), deskEnded])
  }

  async #watch(pageUrl: string, streamUrl: string, ticket: string, start: () => Promise<void>): Promise<void> {
    const { signal } = this
    const times = this.#times
    this.#viewer = await openProbedViewer(pageUrl)
    say('waiting for the picture')
    const first = await this.#pictureAfter(0)
    const end = first + this.seconds * 1000

    say(`watching for ${this.seconds} s`)
    await pause(warmUp, signal)
    times.steadyFrom = first + warmUp
    // The curtain's time is within the time to watch.
    await pause(Math.max(1000, end - curtainUp - 2000 - Date.now()), signal)
    times.steadyUntil = Date.now()

    say('raising the curtain')
    // Straight to the server: the desk would cover its own picture first, and hide what the server does.
    const raiseSent = Date.now()
    await setCurtain(streamUrl, ticket, true, 'manual')
    const raiseAnswered = Date.now()
    await pause(packetsInFlight, signal)
    const before = await this.#collect()
    await pause(raiseSent + curtainUp - Date.now(), signal)
    this.#packetsWhileUp = (await this.#collect()) - before
    const lowerSent = Date.now()
    Object.assign(times, { raiseSent, raiseAnswered, lowerSent })
    say('lowering the curtain')
    await setCurtain(streamUrl, ticket, false)
    await this.#pictureAfter(lowerSent)
    await pause(Math.max(500, end - Date.now()), signal)
    await this.#collect()

    say('killing the server, and starting it again')
    await this.#server?.kill()
    const restarted = Date.now()
    times.restarted = restarted
    await start()
    times.readyAgain = Date.now()
    say('waiting for the picture to come back')
    await this.#pictureAfter(restarted)
    await pause(500, signal)
    await this.#collect()
  }

  /** Waits for a frame that was made after `since`; resolves with when it was seen. */
  #pictureAfter(since: number): Promise<number> {
    return until({ what: 'a picture at the viewer', limit: pictureLimit, signal: this.signal }, async () => {
      await this.#collect()
      return this.#sightings.find(({ shown }) => shown > since)?.at
    })
  }

  /** Fetches what the probe saw since the last time; resolves with the packets so far. */
  async #collect(): Promise<number> {
    const report = await this.#viewer?.read(this.#sightings.length)
    this.#sightings.push(...(report?.sightings ?? []))
    return report?.packets ?? 0
  }

  /** Stops what was started, and only that. Each part whether or not another fails. */
  async cleanUp(): Promise<void> {
    await Promise.allSettled([this.#viewer?.close(), this.#desk?.stop()])
    await Promise.allSettled([this.#server?.stop()])
    if (this.#folder !== undefined)
      await rm(this.#folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 })
  }

  report(): CheckReport {
    const figures = workOut(this.#sightings, this.#times)
    const packets = this.#packetsWhileUp
    const failed = [...this.failed]
    const { frames_decoded, glass_to_glass_p95_ms, curtain_ms, frames_while_up } = figures
    if (frames_decoded < this.seconds * limits.framesASecond) {
      failed.push(`Only ${frames_decoded} frames were decoded, fewer than ${limits.framesASecond} a second.`)
    }
    if (glass_to_glass_p95_ms !== null && glass_to_glass_p95_ms >= limits.p95) {
      failed.push(`The picture was ${glass_to_glass_p95_ms} ms behind at p95; ${limits.p95} ms is the most.`)
    }
    if (curtain_ms !== null && curtain_ms > limits.curtain) {
      failed.push(
        `Frames were decoded until ${curtain_ms} ms after the curtain's call; ${limits.curtain} ms is the most.`,
      )
    }
    if (frames_while_up !== null && frames_while_up > 0) {
      failed.push(`${frames_while_up} frames were decoded that lay behind the curtain.`)
    }
    if (packets !== null && packets > 0)
      failed.push(`${packets} video packets left the server while the curtain was up.`)
    const missing = Object.entries(figures).flatMap(([name, value]) => (value === null ? [name] : []))
    if (missing.length > 0 && failed.length === 0) failed.push(`Not measured: ${missing.join(', ')}.`)
    const ok = failed.length === 0
    return { ok, ...figures, packets_while_up: packets, ...(ok ? {} : { failed }) }
  }
}

function rejected(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason), { once: true }))
}

function say(doing: string): void {
  console.error(`footlight: ${doing}`)
}
