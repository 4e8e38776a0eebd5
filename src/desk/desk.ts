import { createActor, type SnapshotFrom } from 'xstate'
import type { PublishGrant } from '../contracts/agent-stream.ts'
import type { CurtainReason } from '../contracts/curtain.ts'
import { endStream, mintTicket, putStill, readState, setCurtain } from './agent-stream-api.ts'
import { createChromiumSurface, type Surface } from './chromium-surface.ts'
import { createDeskMachine, renewAfter } from './desk-machine.ts'
import type { DeskPorts } from './desk-ports.ts'
import type { DeskOutcome } from './patience.ts'
import { redact } from './redact.ts'
import { withStartBitrate } from './start-bitrate.ts'
import { checkSession, deleteSession, postOffer } from './whip-client.ts'

/** A desk's own lifetime of a ticket: what the server says is four hours. */
const ticketLife = renewAfter + 60 * 60 * 1000

export type DeskStatus =
  /** The browser is being opened. */
  | 'opening'
  | 'connecting'
  | 'on_air'
  /** Connected; nobody watches, so nothing is encoded. */
  | 'not_encoding'
  /** The server is away or refuses for now; the desk tries again by itself. */
  | 'waiting'
  | 'stopping'
  | 'stopped'

export interface DeskOptions {
  /** `…/api/streams/agent/<ags_id>` */
  readonly streamUrl: string
  readonly publish: PublishGrant
  /** Gets a new ticket. Without it the desk asks with the ticket that it holds. */
  readonly renew?: () => Promise<PublishGrant>
  /** `sentence`: why it waits or has stopped. */
  readonly onStatus?: (status: DeskStatus, sentence: string | null) => void
  /** Path of Chromium. */
  readonly chromium?: string
  readonly surface?: Surface
}

export interface Desk {
  readonly status: () => DeskStatus
  /** Covers the desk's own picture first, then has the server hold everything back. */
  raiseCurtain(reason?: CurtainReason): Promise<void>
  /** Has the server let go first, then uncovers. Rejects with 409 within two seconds of the raise. */
  lowerCurtain(): Promise<void>
  /** Ends the stream for good, and stops. */
  end(): Promise<DeskOutcome>
  /** Leaves the stream waiting, and stops. Idempotent. */
  stop(): Promise<DeskOutcome>
  /** Resolves when the desk has stopped, whoever stopped it, and its browser is gone. Never rejects. */
  readonly done: Promise<DeskOutcome>
}

/**
 * Starts a desk for a stream that exists. Returns at once; `onStatus` and `done` say how it goes.
 * The ticket stays in here: no status, outcome or error holds it.
 */
export function startDesk(options: DeskOptions): Desk {
  const surface =
    options.surface ?? createChromiumSurface(options.chromium === undefined ? {} : { executable: options.chromium })
  const { streamUrl } = options
  let grant = options.publish

  const ports: DeskPorts = {
    now: () => Date.now(),
    openSurface: () => surface.open(),
    closeSurface: () => surface.close(),
    observeSurface: (gone) => surface.observeGone(gone),
    async publish({ session, replaces, encode }) {
      const [offer] = await Promise.all([
        surface.offer(session, encode),
        replaces === null ? undefined : deleteSession(replaces, grant.ticket).catch(() => undefined),
      ])
      const { answer, location } = await postOffer(new URL(grant.whip_url, streamUrl).href, grant.ticket, offer)
      await surface.accept(session, withStartBitrate(answer))
      return { location }
    },
    observeLink: (tell) => surface.observeLink(tell),
    checkSession: (location) => checkSession(location, grant.ticket),
    leaveSession: (location) => deleteSession(location, grant.ticket).catch(() => undefined),
    setEncoding: (on) => surface.encode(on),
    readState: () => readState(streamUrl, grant.ticket),
    sendStill: async () => putStill(streamUrl, grant.ticket, await surface.still()),
    async renewTicket() {
      grant = await (options.renew?.() ?? mintTicket(streamUrl, grant.ticket))
      return { expiresAt: Date.parse(grant.expires_at) }
    },
  }

  const machine = createDeskMachine(ports)
  const expiresAt = Date.parse(grant.expires_at)
  const actor = createActor(machine, { input: { mintedAt: expiresAt - ticketLife, expiresAt } })

  let told: DeskStatus | undefined
  const tell = (snapshot: SnapshotFrom<typeof machine>) => {
    const status = statusOf(snapshot)
    if (status === told) return
    told = status
    const setback = status === 'waiting' ? snapshot.context.setback : null
    const sentence = status === 'stopped' ? snapshot.output?.sentence : setback?.sentence
    options.onStatus?.(status, sentence === undefined ? null : redact(sentence))
  }
  const done = new Promise<DeskOutcome>((resolve) => {
    actor.subscribe({
      next: tell,
      complete: () => {
        const outcome = actor.getSnapshot().output ?? { why: 'asked' as const, sentence: 'The desk was stopped.' }
        resolve({ ...outcome, sentence: redact(outcome.sentence) })
      },
      error: (error) => {
        void surface.close()
        resolve({ why: 'browser', sentence: redact(String(error)) })
      },
    })
  })
  actor.start()

  const stop = (outcome: DeskOutcome) => {
    actor.send({ type: 'STOP', outcome })
    return done
  }
  return {
    status: () => statusOf(actor.getSnapshot()),
    async raiseCurtain(reason = 'manual') {
      await surface.blank(true)
      await setCurtain(streamUrl, grant.ticket, true, reason)
    },
    async lowerCurtain() {
      await setCurtain(streamUrl, grant.ticket, false)
      await surface.blank(false)
    },
    async end() {
      await endStream(streamUrl, grant.ticket)
      return stop({ why: 'ended', sentence: 'The stream has ended.' })
    },
    stop: () => stop({ why: 'asked', sentence: 'The desk was stopped.' }),
    done,
  }
}

function statusOf(snapshot: SnapshotFrom<ReturnType<typeof createDeskMachine>>): DeskStatus {
  if (snapshot.matches('stopped')) return 'stopped'
  if (snapshot.matches('stopping')) return 'stopping'
  if (snapshot.matches('opening')) return 'opening'
  if (snapshot.matches({ airing: { session: 'publishing' } })) return 'connecting'
  if (snapshot.matches({ airing: { session: 'waiting' } })) return 'waiting'
  if (snapshot.matches({ airing: { session: { up: 'doubtful' } } })) return 'waiting'
  // A server that was away a moment ago is being looked at again.
  const isLookingAgain = snapshot.matches({ airing: { session: { up: 'checking' } } })
  if (isLookingAgain && snapshot.context.setback?.kind === 'unreachable') return 'waiting'
  if (!snapshot.context.linked) return 'connecting'
  return snapshot.context.encoding ? 'on_air' : 'not_encoding'
}
