import type { Check, CheckResult } from './check.ts'
import { endpointChecks } from './checks/endpoint-checks.ts'
import { iceChecks } from './checks/ice-checks.ts'
import { offerChecks, whipOfferChecks } from './checks/offer-checks.ts'
import { sessionChecks } from './checks/session-checks.ts'
import { notLiveCheck, oneStreamCheck, whepEventChecks } from './checks/whep-checks.ts'
import { whep, whip } from './protocol.ts'
import { Target } from './target.ts'

/** RFC 9725, in its order. */
export const whipSuite: readonly Check[] = [
  ...endpointChecks(whip),
  ...offerChecks(whip),
  ...whipOfferChecks(),
  ...sessionChecks(whip),
  ...iceChecks(whip),
]

/** draft-ietf-wish-whep-03, in its order, and the events of version 01. {@link notLiveCheck} goes before. */
export const whepSuite: readonly Check[] = [
  ...endpointChecks(whep),
  ...offerChecks(whep),
  oneStreamCheck,
  ...sessionChecks(whep),
  ...iceChecks(whep),
  ...whepEventChecks(),
]

export interface EndpointUnderTest {
  readonly url: string
  readonly token: string | null
}

export interface SuiteResult {
  readonly suite: 'WHIP' | 'WHEP'
  readonly document: string
  readonly url: string
  readonly results: readonly CheckResult[]
}

export interface RunOptions {
  readonly whip: EndpointUnderTest | null
  /** With `whip`, the same stream's: the suite publishes to it by itself. Else the stream must be live. */
  readonly whep: EndpointUnderTest | null
  /** Called after each check. */
  readonly onResult?: (suite: SuiteResult['suite'], result: CheckResult) => void
}

/** Runs the suites of the endpoints that are given, one check after the other. */
export async function runSuites({ whip: desk, whep: player, onResult }: RunOptions): Promise<SuiteResult[]> {
  const suites: SuiteResult[] = []
  if (desk !== null) {
    const target = new Target(whip, new URL(desk.url), desk.token)
    const results = []
    for (const check of whipSuite) {
      const result = await runCheck(check, target)
      onResult?.('WHIP', result)
      results.push(result)
    }
    suites.push({ suite: 'WHIP', document: whip.document, url: desk.url, results })
  }
  if (player !== null) {
    const target = new Target(whep, new URL(player.url), player.token)
    const publisher = desk === null ? null : new Publisher(new Target(whip, new URL(desk.url), desk.token))
    const results = []
    for (const check of [notLiveCheck, ...whepSuite]) {
      const result = await runWhepCheck(check, target, publisher)
      onResult?.('WHEP', result)
      results.push(result)
    }
    await publisher?.end()
    suites.push({ suite: 'WHEP', document: whep.document, url: player.url, results })
  }
  return suites
}

async function runWhepCheck(check: Check, target: Target, publisher: Publisher | null): Promise<CheckResult> {
  const { run: _, ...named } = check
  if (check === notLiveCheck) {
    if (publisher !== null) return await runCheck(check, target)
    return { ...named, outcome: 'skipped', why: 'Whether anybody publishes is known with --whip only.' }
  }
  try {
    await publisher?.publish()
  } catch (error) {
    return { ...named, outcome: 'failed', why: `Nothing could be published to it. ${messageOf(error)}` }
  }
  return await runCheck(check, target)
}

async function runCheck({ run, ...named }: Check, target: Target): Promise<CheckResult> {
  try {
    await run(target)
    return { ...named, outcome: 'passed', why: null }
  } catch (error) {
    const skipped = error instanceof Error && error.name === 'Skipped'
    return { ...named, outcome: skipped ? 'skipped' : 'failed', why: messageOf(error) }
  } finally {
    await target.tidy()
  }
}

/** How long a session that sends nothing is relied upon, in ms: servers end what does not connect. */
const reliable = 5000

/** Publishes by WHIP without media, that there is something to ask a WHEP endpoint for. */
class Publisher {
  #since: number | null = null

  constructor(private readonly target: Target) {}

  /** Publishes, unless it does already and has not done so for long. */
  async publish(): Promise<void> {
    if (this.#since !== null && performance.now() - this.#since < reliable) return
    await this.end()
    await this.target.open()
    this.#since = performance.now()
  }

  async end(): Promise<void> {
    this.#since = null
    await this.target.tidy()
  }
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}
