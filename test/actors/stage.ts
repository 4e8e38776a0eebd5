import { expect } from 'bun:test'
import { SimulatedClock } from 'xstate'
import type { NewStream } from '../../src/actors/ports/store.ts'
import type { Admission } from '../../src/actors/stream/stream-asks.ts'
import { type ActorSystem, startSystem } from '../../src/actors/system.ts'
import { newId } from '../../src/contracts/ids.ts'
import { type ProblemCode, RefusedError } from '../../src/contracts/problem.ts'
import { FakeMedia, FakeWorkers } from './fake-media.ts'
import { FakeStore } from './fake-store.ts'

export const hour = 60 * 60 * 1000
const asOwner: Admission = { right: { type: 'owner' }, admitted: null }

/** The actor system on fake ports and a fake clock: a whole stage, for one test. */
export class Stage {
  readonly clock = new SimulatedClock()
  readonly media = new FakeMedia()
  readonly workers = new FakeWorkers()
  readonly store: FakeStore
  readonly system: ActorSystem
  #publications = 0

  constructor(options: { workers?: string[]; store?: FakeStore } = {}) {
    this.store = options.store ?? new FakeStore()
    this.system = startSystem({
      ports: { media: this.media, workers: this.workers, store: this.store },
      clock: this.clock,
      limits: { person: 1, liveOwner: { handle: 'owner', limit: 5 } },
      workers: options.workers ?? ['w1'],
    })
  }

  /** Lets every promise that can settle do so: the fakes' promises need microtasks alone. */
  async settle(): Promise<void> {
    for (let turn = 0; turn < 40; turn++) await Promise.resolve()
  }

  /** Moves time on, a second at a time as a heart beats, letting promises settle in between. */
  async pass(ms: number): Promise<void> {
    for (let left = ms; left > 0; left -= 1000) {
      this.clock.increment(Math.min(1000, left))
      await this.settle()
    }
  }

  /** A created stream, with the hash of its ticket. */
  async stream(options: Partial<NewStream> = {}): Promise<{ id: string; ticket: string }> {
    await this.settle()
    const id = options.id ?? newId('agentStream')
    const ticket = `hash of ${id}`
    await this.system.create({
      id,
      owner: 'usr_ada',
      task: { source: 'desk', ref: 'r', title: 'Work' },
      visibility: 'private',
      ticket: { hash: ticket, expiresAt: this.clock.now() + 4 * hour },
      linkKeyHash: null,
      createdAt: this.clock.now(),
      ...options,
    })
    return { id, ticket }
  }

  /** Publishes; the session's id. */
  async publish(stream: { id: string; ticket: string }, offer = 'offer'): Promise<string> {
    const publication = `pub${++this.#publications}`
    await this.system.ask(stream.id, 'publish', { ticket: stream.ticket, publication, offer })
    return publication
  }

  /** Publishes and brings the link up. */
  async goLive(stream: { id: string; ticket: string }): Promise<string> {
    const publication = await this.publish(stream)
    this.media.fact(publication, 'connected')
    return publication
  }

  /** A viewer takes its seat by the socket: the owner's, unless it says by what other right. */
  async join(stream: { id: string }, viewer: string, options: Partial<Admission> & { readonly resume?: string } = {}) {
    return await this.system.ask(stream.id, 'viewer.join', { ...asOwner, resume: null, viewer, ...options })
  }

  /** A viewer by WHEP: the owner's, unless it says by what other right. */
  async whep(stream: { id: string }, viewer: string, options: Partial<Admission> & { readonly offer?: string } = {}) {
    return await this.system.ask(stream.id, 'viewer.whep', { ...asOwner, offer: 'offer', viewer, ...options })
  }

  /** A viewer on the socket whose link is up. */
  async watch(stream: { id: string }, viewer: string, admission: Partial<Admission> = {}): Promise<void> {
    const { facts } = await this.join(stream, viewer, admission)
    await this.system.ask(stream.id, 'viewer.consume', { viewer, media: facts.media ?? 1, rtpCapabilities: {} })
    await this.system.ask(stream.id, 'viewer.connect', { viewer, dtlsParameters: {} })
    this.media.viewerFact(viewer, 'connected')
    await this.settle()
  }

  async facts(stream: { id: string }) {
    return await this.system.ask(stream.id, 'describe', {})
  }
}

/** Expects the refusal that an ask is answered with. */
export async function refusal(ask: Promise<unknown>): Promise<ProblemCode> {
  try {
    await ask
  } catch (error) {
    if (error instanceof RefusedError) return error.refusal.code
    throw error
  }
  return expect.unreachable('the ask was answered, not refused')
}

/** Something to wait for, and what ends the wait. */
export function gate(): [Promise<void>, () => void] {
  const { promise, resolve } = Promise.withResolvers<void>()
  return [promise, resolve]
}
