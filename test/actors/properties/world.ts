import type { IcePatch, IcePatched } from '../../../src/actors/ice-session/ice-patch.ts'
import type { CurtainHolder, StreamRecord } from '../../../src/actors/ports/store.ts'
import type { ViewRight } from '../../../src/actors/ports/view-right.ts'
import type { Admission, StreamAsks, StreamAskType } from '../../../src/actors/stream/stream-asks.ts'
import { rightHolds } from '../../../src/actors/stream/view-right.ts'
import { type ActorSystem, startSystem } from '../../../src/actors/system.ts'
import type { Visibility } from '../../../src/contracts/agent-stream.ts'
import { type ProblemCode, RefusedError } from '../../../src/contracts/problem.ts'
import { LastingStore, storeSays } from './lasting-store.ts'
import { PacedClock } from './paced-clock.ts'
import { PacedMedia } from './paced-media.ts'
import {
  type Match,
  type Moment,
  type RightChoice,
  type Step,
  streamCount,
  type TicketChoice,
  type Ufrag,
  workerNames,
} from './steps.ts'

/** How an ask stands. `unknown`: the process was killed, or the deadline passed, before the answer. */
type Standing = 'waiting' | 'answered' | 'refused' | 'unknown'

/** One ask, as whoever asked knows it. `n` orders all of them. */
interface Asked {
  readonly n: number
  readonly type: StreamAskType
  standing: Standing
  code: ProblemCode | null
  /** Why it was refused, when the store was the reason. */
  says: 'unread' | 'unwritten' | 'cutOff' | null
}

interface CurtainAsk extends Asked {
  readonly by: CurtainHolder
  readonly up: boolean
}

interface KnownTicket {
  readonly hash: string
  readonly expiresAt: number
  /** The ask that minted it; 0: it came with the stream. */
  readonly n: number
  /** From when it is good no more because a newer one came. */
  goodUntil: number
}

interface KnownViewer {
  readonly id: string
  /** By what it may watch: more than one while it is not known which counts. */
  admissions: { readonly n: number; readonly right: ViewRight; readonly ticket: string | null }[]
  media: number
  /** What its socket named itself when it joined. */
  wire: string
}

interface KnownStream {
  readonly id: string
  readonly owner: string
  readonly tickets: KnownTicket[]
  readonly curtain: CurtainAsk[]
  readonly visibility: (Asked & { readonly visibility: Visibility })[]
  readonly keys: (Asked & { readonly key: string })[]
  readonly ends: Asked[]
  readonly stills: (Asked & { readonly hash: string })[]
  readonly mints: Asked[]
  /** Revocations and ends: what was there before them is dead. */
  readonly killers: Asked[]
  /** Asks that came when the stream had ended. */
  readonly late: Asked[]
  readonly unshared: { readonly n: number; readonly person: string }[]
  readonly viewers: Map<number, KnownViewer>
  readonly everyViewer: Map<string, KnownViewer>
  /** WHIP sessions by when they were asked for. */
  readonly publications: Map<string, number>
  lastPublication: string | null
  firstEnd: StreamRecord['ended']
}

/** Something was seen that must never be. */
export class BrokenPromise extends Error {
  override readonly name = 'BrokenPromise'
}

const limit = 1
const hour = 3_600_000

/**
 * The whole actor system on a media layer and a store that the steps make slow, stubborn or
 * dead, and beside it what those who asked were told. After every turn of the promise queue it
 * is held against what is really so.
 */
export class World {
  readonly clock = new PacedClock()
  readonly store = new LastingStore()
  media = new PacedMedia()
  readonly streams: KnownStream[] = []
  /** View tickets by hash: until when they let somebody watch. */
  readonly #viewTickets = new Map<string, number>()
  #system: ActorSystem
  #generation = 0
  #asked = 0
  #waiting = 0
  /** The newest tag that each session was told, once it restarted ICE. */
  readonly #tags = new Map<string, string>()
  #answers = new Map<string, number>()
  #broken: BrokenPromise | null = null

  private constructor() {
    this.#system = this.#start(false)
    this.store.onChange = () => this.#look()
  }

  /** Lets all of it happen. @throws BrokenPromise */
  static async live(moments: readonly Moment[]): Promise<void> {
    const world = new World()
    await world.#begin()
    for (const { step, turns } of moments) {
      await world.#take(step)
      await world.#breathe(turns)
    }
    await world.#finish()
  }

  #start(done: boolean): ActorSystem {
    this.media = new PacedMedia()
    this.media.onChange = () => this.#look()
    this.#answers = new Map()
    const answers = this.#answers
    return startSystem({
      ports: { media: this.media, workers: this.media.workers, store: this.store.connect(done) },
      clock: this.clock,
      limits: { person: limit, liveOwner: null },
      workers: workerNames,
      inspect: (event) => {
        if (event.type !== '@xstate.event' || event.event.type !== 'answer') return
        const ask = String((event.event as unknown as { ask: string }).ask)
        answers.set(ask, (answers.get(ask) ?? 0) + 1)
        if (answers.get(ask) !== 1) this.#break(`an ask was answered twice: ${JSON.stringify(event.event)}`)
      },
      onFailure: (error) => this.#break(`the actor system failed: ${error}`),
    })
  }

  async #begin(): Promise<void> {
    await this.#breathe(60)
    for (let at = 0; at < streamCount; at++) {
      const id = `ags_${at}`
      const ticket = { hash: `ticket 0 of ${id}`, expiresAt: at === 2 ? 90_000 : 4 * hour }
      const owner = at === 2 ? 'usr_bob' : 'usr_ada'
      const visibility = (['public', 'unlisted', 'private'] as const)[at] ?? 'public'
      await this.#system.create({
        id,
        owner,
        task: { source: 'desk', ref: 'r', title: 'Work' },
        visibility,
        ticket,
        linkKeyHash: `key 0 of ${id}`,
        createdAt: 0,
      })
      const first: KnownTicket = { ...ticket, n: 0, goodUntil: Number.POSITIVE_INFINITY }
      this.streams.push({
        id,
        owner,
        tickets: [first],
        curtain: [],
        visibility: [],
        keys: [],
        ends: [],
        stills: [],
        mints: [],
        killers: [],
        late: [],
        unshared: [],
        viewers: new Map(),
        everyViewer: new Map(),
        publications: new Map(),
        lastPublication: null,
        firstEnd: null,
      })
      this.#watch(this.#stream(at))
    }
  }

  // What happens.

  async #take(step: Step): Promise<void> {
    switch (step.do) {
      case 'media':
        this.media.slow = step.slow
        return
      case 'media answers':
        return this.media.answer(step.count)
      case 'media refuses':
        return this.media.refuseOne()
      case 'store':
        this.store.mood = step.mood
        return
      case 'store answers':
        return this.store.answer(step.count)
      case 'worker dies':
        return this.media.die(step.worker)
      case 'pass':
        return await this.#pass(step.ms, step.sending)
      case 'restart':
        return await this.#restart(step.done)
      default:
        return await this.#takeOf(this.#stream(step.s), step)
    }
  }

  async #takeOf(stream: KnownStream, step: Extract<Step, { s: number }>): Promise<void> {
    switch (step.do) {
      case 'publish':
        this.#publish(stream, this.#ticket(stream, step.ticket), step.offer)
        return
      case 'go live': {
        const publication = this.#publish(stream, this.#ticket(stream, 'newest'), 'good')
        await this.#breathe(60)
        this.media.fact(publication, 'connected')
        return
      }
      case 'desk fact':
        if (stream.lastPublication !== null) this.media.fact(stream.lastPublication, step.fact)
        return
      case 'desk hangs up':
        if (stream.lastPublication !== null) this.media.hangUp(stream.id, stream.lastPublication)
        return
      case 'unpublish': {
        const ticket = this.#ticket(stream, step.ticket)
        const publication = stream.lastPublication ?? 'none'
        const good = this.#goodness(stream, ticket)
        const asked = this.#ask(stream, 'unpublish', { ticket: ticket.hash, publication }, () => {
          if (!good()) this.#break('a session was ended with a ticket that is not good')
          if (this.media.publications(stream.id).includes(publication)) this.#break('a session that was ended is there')
        })
        this.#acceptsNothing(stream, asked)
        return
      }
      case 'desk patches': {
        const ticket = this.#ticket(stream, step.ticket)
        const publication = stream.lastPublication ?? 'none'
        const good = this.#goodness(stream, ticket)
        const patch = { ticket: ticket.hash, publication, ...this.#patch(publication, step) }
        const asked = this.#ask(stream, 'publication.patch', patch, (patched) => {
          if (!good()) this.#break('a session was patched with a ticket that is not good')
          this.#patched(publication, step, patched)
        })
        this.#acceptsNothing(stream, asked)
        return
      }
      case 'mint':
        return this.#mint(stream)
      case 'revoke': {
        const ended = this.#hasEnded(stream)
        const asked = this.#ask(stream, 'ticket.revoke', {}, () => {
          const { ticket } = this.#record(stream)
          const known = stream.tickets.find(({ hash }) => hash === ticket?.hash)
          if (!ended && known !== undefined && known.n < asked.n)
            this.#break('a ticket that was revoked is kept as good')
        })
        stream.killers.push(asked)
        return
      }
      case 'end': {
        const ticket = this.#ticket(stream, 'newest')
        const by = step.by === 'desk' ? { ticket: ticket.hash } : {}
        const asked = this.#ask(stream, 'end', { why: step.by, ...by }, (facts) => {
          if (facts.state !== 'ended') this.#break('a stream was ended and is not')
        })
        stream.ends.push(asked)
        stream.killers.push(asked)
        return
      }
      case 'curtain':
        return this.#curtain(stream, step.by, step.up)
      case 'desk state': {
        const ticket = this.#ticket(stream, step.ticket)
        const good = this.#goodness(stream, ticket)
        const up = this.#mustBeUp(stream)
        const asked = this.#ask(stream, 'desk.state', { ticket: ticket.hash }, ({ curtain }) => {
          if (!good()) this.#break('the state was told for a ticket that is not good')
          if (up && !curtain.up) this.#break('the desk was told that the curtain is down')
        })
        this.#acceptsNothing(stream, asked)
        return
      }
      case 'describe': {
        const ended = this.#hasEnded(stream)
        const up = this.#mustBeUp(stream)
        this.#ask(stream, 'describe', {}, (facts) => {
          if (ended && facts.state !== 'ended') this.#break('an ended stream says that it has not')
          if (up && (!facts.curtain.up || facts.still)) this.#break('a raised curtain is said to be down')
        })
        return
      }
      case 'visibility': {
        const { visibility } = step
        const asked = this.#ask(stream, 'visibility.set', { visibility })
        stream.visibility.push(Object.assign(asked, { visibility }))
        return
      }
      case 'rotate': {
        const key = `key ${stream.keys.length + 1} of ${stream.id}`
        stream.keys.push(Object.assign(this.#ask(stream, 'link.rotate', { key }), { key }))
        return
      }
      case 'unshare': {
        const { person } = step
        const { n } = this.#ask(stream, 'share.removed', { person })
        stream.unshared.push({ n, person })
        return
      }
      case 'still': {
        const ticket = this.#ticket(stream, step.ticket)
        const good = this.#goodness(stream, ticket)
        const up = this.#mustBeUp(stream)
        const hash = `still ${stream.stills.length + 1}`
        const still = { hash, type: 'image/webp', size: 1, at: this.clock.now() } as const
        const asked = this.#ask(stream, 'still.set', { ticket: ticket.hash, still }, () => {
          if (!good()) this.#break('a still was taken for a ticket that is not good')
          if (up) this.#break('a still was taken behind the curtain')
        })
        stream.stills.push(Object.assign(asked, { hash }))
        this.#acceptsNothing(stream, asked)
        return
      }
      case 'still?': {
        const up = this.#mustBeUp(stream)
        this.#ask(stream, 'still.get', {}, () => {
          if (up) this.#break('a still was given out from behind the curtain')
        })
        return
      }
      case 'join':
        return this.#join(stream, step)
      case 'resume': {
        const viewer = stream.viewers.get(step.v)
        if (viewer === undefined) return this.#join(stream, step)
        const admission = this.#admission(stream, step)
        const spare = `${stream.id} wire ${this.#asked + 1}`
        const entry = { n: this.#asked + 1, right: admission.right, ticket: admission.admitted?.ticket ?? null }
        const before = viewer.admissions
        viewer.admissions = [...before, entry]
        const other: KnownViewer = { id: spare, admissions: [entry], media: viewer.media, wire: spare }
        stream.everyViewer.set(spare, other)
        this.#ask(
          stream,
          'viewer.join',
          { viewer: spare, resume: viewer.id, ...admission },
          ({ viewer: seated, resumed }) => {
            if (resumed !== (seated === viewer.id)) this.#break('a viewer resumed what it had not')
            viewer.admissions = resumed ? viewer.admissions.filter(({ n }) => n >= entry.n) : before
            if (resumed) viewer.wire = spare
            else stream.viewers.set(step.v, other)
          },
          () => {
            viewer.admissions = viewer.admissions.filter((each) => each !== entry)
          },
        )
        return
      }
      case 'consume':
        return this.#consume(stream, step.v)
      case 'connect': {
        const viewer = stream.viewers.get(step.v)
        if (viewer === undefined) return
        this.#acceptsNothing(stream, this.#ask(stream, 'viewer.connect', { viewer: viewer.id, dtlsParameters: {} }))
        return
      }
      case 'viewer fact': {
        const viewer = stream.viewers.get(step.v)
        if (viewer !== undefined) this.media.viewerFact(viewer.id, step.fact)
        return
      }
      case 'leave': {
        const viewer = stream.viewers.get(step.v)
        if (viewer === undefined) return
        this.#ask(stream, 'viewer.leave', { viewer: viewer.id }, () => {
          if (this.media.flowing(stream.id).includes(viewer.id)) this.#break('a viewer that left still watches')
        })
        return
      }
      case 'player patches': {
        const viewer = stream.viewers.get(step.v)
        if (viewer === undefined) return
        const patch = { viewer: viewer.id, ...this.#patch(viewer.id, step) }
        this.#ask(stream, 'viewer.patch', patch, (patched) => this.#patched(viewer.id, step, patched))
        return
      }
      case 'detach': {
        const viewer = stream.viewers.get(step.v)
        if (viewer !== undefined) {
          this.#system.tell(stream.id, { type: 'viewer.detached', viewer: viewer.id, wire: viewer.wire })
        }
        return
      }
      case 'watch': {
        this.#join(stream, step)
        await this.#breathe(60)
        this.#consume(stream, step.v)
        await this.#breathe(60)
        const viewer = stream.viewers.get(step.v)
        if (viewer === undefined) return
        this.#ask(stream, 'viewer.connect', { viewer: viewer.id, dtlsParameters: {} })
        await this.#breathe(60)
        this.media.viewerFact(viewer.id, 'connected')
        return
      }
      case 'whep': {
        const viewer = this.#newViewer(stream, step.v)
        const admission = this.#admission(stream, step)
        viewer.admissions = [{ n: this.#asked + 1, right: admission.right, ticket: admission.admitted?.ticket ?? null }]
        const asked = this.#ask(stream, 'viewer.whep', { viewer: viewer.id, offer: step.offer, ...admission })
        this.#acceptsNothing(stream, asked)
        return
      }
      case 'renew': {
        const ticket = stream.viewers.get(step.v)?.admissions.at(-1)?.ticket
        if (ticket === undefined || ticket === null) return
        const until = this.clock.now() + step.seconds * 1000
        // As the store does: a ticket that is over is not renewed, and none is made shorter.
        const now = this.#viewTickets.get(ticket) ?? 0
        if (now < this.clock.now() || until < now) return
        this.#viewTickets.set(ticket, until)
        this.#system.tell(stream.id, { type: 'view_ticket.renewed', ticket, until })
        return
      }
    }
  }

  #publish(stream: KnownStream, ticket: KnownTicket, offer: 'good' | 'bad'): string {
    const publication = `${stream.id} session ${this.#asked + 1}`
    const good = this.#goodness(stream, ticket)
    stream.publications.set(publication, this.#asked + 1)
    stream.lastPublication = publication
    const asked = this.#ask(stream, 'publish', { ticket: ticket.hash, publication, offer }, () => {
      if (!good()) this.#break('a session was accepted with a ticket that is not good')
    })
    this.#acceptsNothing(stream, asked)
    return publication
  }

  #mint(stream: KnownStream): void {
    const hash = `ticket ${stream.mints.length + 1} of ${stream.id}`
    const asked = this.#ask(stream, 'ticket.mint', { hash }, ({ expiresAt }) => {
      const goodUntil = this.clock.now() + 60_000
      for (const known of stream.tickets) known.goodUntil = Math.min(known.goodUntil, goodUntil)
      stream.tickets.push({ hash, expiresAt, n: asked.n, goodUntil: Number.POSITIVE_INFINITY })
    })
    stream.mints.push(asked)
    this.#acceptsNothing(stream, asked)
  }

  #curtain(stream: KnownStream, by: CurtainHolder, up: boolean): void {
    // The desk needs a ticket; a service holds the curtain as the desk and needs none.
    const asked: CurtainAsk = Object.assign(
      this.#ask(stream, 'curtain.set', { by, up, reason: up ? 'password_field' : 'manual' }, (curtain) => {
        if (!curtain.up && this.#mustBeUp(stream)) this.#break(`${by} was told that the curtain is down`)
        if (curtain.up && up && curtain.since === null) this.#break('a curtain is up since no time')
      }),
      { by, up },
    )
    stream.curtain.push(asked)
    this.#acceptsNothing(stream, asked)
  }

  #join(
    stream: KnownStream,
    step: { readonly v: number; readonly right: RightChoice; readonly seconds: number },
  ): void {
    const viewer = this.#newViewer(stream, step.v)
    const admission = this.#admission(stream, step)
    viewer.admissions = [{ n: this.#asked + 1, right: admission.right, ticket: admission.admitted?.ticket ?? null }]
    const ended = this.#hasEnded(stream)
    this.#ask(stream, 'viewer.join', { viewer: viewer.id, resume: null, ...admission }, ({ facts }) => {
      viewer.media = facts.media ?? 0
      if (ended && facts.viewers > 0) this.#break('an ended stream seated a viewer')
    })
  }

  #consume(stream: KnownStream, v: number): void {
    const viewer = stream.viewers.get(v)
    if (viewer === undefined) return
    // What a player does: it consumes the publication that it heard of last.
    const media = this.#onAir.get(stream.id) ?? viewer.media
    const ask = { viewer: viewer.id, media, rtpCapabilities: {} }
    this.#acceptsNothing(stream, this.#ask(stream, 'viewer.consume', ask))
  }

  #newViewer(stream: KnownStream, v: number): KnownViewer {
    const id = `${stream.id} viewer ${stream.everyViewer.size + 1}`
    const viewer: KnownViewer = { id, admissions: [], media: 0, wire: id }
    stream.viewers.set(v, viewer)
    stream.everyViewer.set(viewer.id, viewer)
    return viewer
  }

  async #pass(ms: number, sending: boolean): Promise<void> {
    const packets = () => {
      if (!sending || ms > 120_000) return
      for (const stream of this.streams) {
        if (stream.lastPublication !== null) this.media.fact(stream.lastPublication, 'packets')
      }
    }
    const turns = ms > 120_000 ? 12 : 40
    for (let left = ms; left > 0; left -= 1000) {
      if (ms > 120_000) return await this.clock.pass(ms, () => this.#breathe(turns))
      packets()
      await this.clock.pass(Math.min(1000, left), () => this.#breathe(turns))
    }
  }

  async #restart(done: boolean): Promise<void> {
    this.#generation++
    this.#waiting = 0
    this.#system.stop()
    this.#system = this.#start(done)
    this.#onAir.clear()
    for (const stream of this.streams) {
      const { curtain, visibility, keys, ends, stills, mints, killers } = stream
      for (const asked of [curtain, visibility, keys, ends, stills, mints, killers].flat()) {
        if (asked.standing === 'waiting') asked.standing = 'unknown'
        // What held in the actor alone is gone with it; what was done unsaid is there.
        if (asked.standing === 'refused' && asked.code === 'store_unavailable') asked.standing = 'unknown'
      }
      stream.viewers.clear()
      stream.everyViewer.clear()
      stream.lastPublication = null
      stream.publications.clear()
      this.#watch(stream)
    }
    await this.#breathe(60)
    this.#look()
  }

  /** What players are told of each stream: the number of the publication. */
  readonly #onAir = new Map<string, number>()

  #watch(stream: KnownStream): void {
    this.#system.watch(stream.id, (news) => {
      if (news.type === 'facts' && news.facts.media !== null) this.#onAir.set(stream.id, news.facts.media)
    })
  }

  // What those who ask know.

  #ask<K extends StreamAskType>(
    stream: KnownStream,
    type: K,
    input: StreamAsks[K]['in'],
    answered: (value: StreamAsks[K]['out']) => void = () => {},
    refused: () => void = () => {},
  ): Asked {
    const asked: Asked = { n: ++this.#asked, type, standing: 'waiting', code: null, says: null }
    const generation = this.#generation
    this.#waiting++
    this.#system.ask(stream.id, type, input).then(
      (value) => {
        if (generation !== this.#generation) return
        this.#waiting--
        asked.standing = 'answered'
        answered(value)
        this.#look()
      },
      (error: unknown) => {
        if (generation !== this.#generation) return
        this.#waiting--
        if (!(error instanceof RefusedError)) return this.#break(`an ask failed: ${error}`)
        const { code, detail } = error.refusal
        asked.code = code
        asked.standing = code === 'ask_timeout' || code === 'stream_restarting' ? 'unknown' : 'refused'
        if (code === 'stream_restarting') this.#break(`the stream’s actor failed at ${type}`)
        asked.says = (['unread', 'unwritten', 'cutOff'] as const).find((key) => detail.includes(storeSays[key])) ?? null
        refused()
        this.#look()
      },
    )
    this.#look()
    return asked
  }

  #stream(s: number): KnownStream {
    const stream = this.streams[s % this.streams.length]
    if (stream === undefined) throw new Error('no streams')
    return stream
  }

  #record(stream: KnownStream): StreamRecord {
    return this.store.record(stream.id)
  }

  #ticket(stream: KnownStream, which: TicketChoice): KnownTicket {
    const nobody: KnownTicket = { hash: 'foreign', expiresAt: 0, n: 0, goodUntil: 0 }
    if (which === 'foreign') return nobody
    return stream.tickets.at(which === 'newest' ? -1 : -2) ?? nobody
  }

  /** Whether the ticket may have been good when the next ask is made; called when it is answered. */
  #goodness(stream: KnownStream, { n, expiresAt, goodUntil }: KnownTicket): () => boolean {
    const next = this.#asked + 1
    const inTime = this.clock.now() < Math.min(expiresAt, goodUntil)
    return () => inTime && !stream.killers.some((killer) => killer.n > n && killer.n < next && this.#kills(killer))
  }

  /** A revocation or an end that holds, though it may not be kept yet. */
  #kills(asked: Asked): boolean {
    if (asked.standing === 'answered') return true
    return asked.standing === 'waiting' ? asked.type === 'ticket.revoke' : this.#heldAllTheSame(asked)
  }

  /** Refused because it is not kept yet: it holds while the process lives. */
  #heldAllTheSame({ standing, says }: Asked): boolean {
    return standing === 'refused' && (says === 'unwritten' || says === 'cutOff')
  }

  #admission(
    stream: KnownStream,
    { right, seconds }: { readonly right: RightChoice; readonly seconds: number },
  ): Admission {
    const known = stream.keys.filter(({ standing }) => standing === 'answered').at(-1)?.key ?? `key 0 of ${stream.id}`
    const rights: Record<RightChoice, ViewRight> = {
      owner: { type: 'owner' },
      shared: { type: 'shared', person: stream.everyViewer.size % 2 === 0 ? 'usr_bob' : 'usr_cy' },
      moderator: { type: 'moderator', person: 'usr_mod' },
      link: { type: 'link', key: known },
      'old link': { type: 'link', key: `key 0 of ${stream.id}` },
      public: { type: 'public' },
    }
    if (seconds === 0) return { right: rights[right], admitted: null }
    const ticket = `view ticket ${this.#viewTickets.size + 1}`
    const until = this.clock.now() + seconds * 1000
    this.#viewTickets.set(ticket, until)
    return { right: rights[right], admitted: { ticket, until } }
  }

  #hasEnded(stream: KnownStream): boolean {
    return stream.ends.some(({ standing }) => standing === 'answered')
  }

  /** An ask that an ended stream must refuse, if it had ended when it was asked. */
  /** What a session is patched with. */
  #patch(session: string, { ufrag, match }: { readonly ufrag: Ufrag; readonly match: Match }): IcePatch {
    const tags = { newest: this.#tags.get(session) ?? `${session}-ice`, foreign: 'foreign' }
    const condition: IcePatch['condition'] =
      match === 'none' ? { type: 'none' } : match === 'star' ? { type: 'any' } : { type: 'tags', tags: [tags[match]] }
    return { condition, fragment: { ufrag, pwd: 'a password' } }
  }

  /** A patch was answered and not refused. */
  #patched(
    session: string,
    { ufrag, match }: { readonly ufrag: Ufrag; readonly match: Match },
    patched: IcePatched,
  ): void {
    if (match === 'none' || match === 'foreign') this.#break(`a patch was taken under ${match} as its tag`)
    if (patched === null) return
    if (ufrag === 'client' && !this.#tags.has(session)) this.#break('candidates alone restarted ICE')
    if (this.#tags.get(session) === patched.tag) this.#break('a restart kept the tag from before')
    this.#tags.set(session, patched.tag)
  }

  #acceptsNothing(stream: KnownStream, asked: Asked): void {
    if (this.#hasEnded(stream)) stream.late.push(asked)
  }

  /** Whoever raised the curtain was told so, and nobody has asked since to take their hold back. */
  #holders(stream: KnownStream): CurtainAsk[] {
    const holds = (asked: CurtainAsk) => asked.up && (asked.standing === 'answered' || this.#heldAllTheSame(asked))
    const lowers = (asked: CurtainAsk, raised: CurtainAsk) =>
      !asked.up &&
      asked.n > raised.n &&
      (asked.by === raised.by || asked.by === 'owner') &&
      asked.standing !== 'refused'
    return stream.curtain.filter((raised) => holds(raised) && !stream.curtain.some((asked) => lowers(asked, raised)))
  }

  #mustBeUp(stream: KnownStream): boolean {
    return this.#holders(stream).length > 0
  }

  // What must be so.

  #break(what: string): void {
    this.#broken ??= new BrokenPromise(what)
  }

  async #breathe(turns: number): Promise<void> {
    for (let turn = 0; turn < turns; turn++) await Promise.resolve()
    this.#look()
    if (this.#broken !== null) throw this.#broken
  }

  /** Holds what is so against what was promised. */
  #look(): void {
    if (this.#broken !== null) return
    const live = new Map<string, number>()
    for (const stream of this.streams) {
      const sessions = this.media.publications(stream.id)
      if (sessions.length > 1) this.#break(`${stream.id} has two sessions: ${sessions.join(', ')}`)
      if (sessions.length > 0) live.set(stream.owner, (live.get(stream.owner) ?? 0) + 1)
      this.#lookAt(stream, sessions)
    }
    for (const [owner, count] of live) if (count > limit) this.#break(`${owner} has ${count} streams live`)
  }

  #lookAt(stream: KnownStream, sessions: readonly string[]): void {
    const record = this.#record(stream)
    for (const session of sessions) {
      const n = stream.publications.get(session) ?? 0
      if (stream.killers.some((killer) => killer.n > n && this.#kills(killer)))
        this.#break(`${session} is there after its ticket was revoked, or its stream ended`)
    }
    const flowing = this.media.flowing(stream.id)
    if (flowing.length > 0) {
      if (Object.keys(record.curtain.holds).length > 0)
        this.#break(`${stream.id} flows and the curtain that is kept is up`)
      const [holder] = this.#holders(stream)
      if (holder !== undefined) this.#break(`${stream.id} flows and ${holder.by} has raised the curtain`)
      for (const viewer of flowing) this.#lookAtViewer(stream, viewer, record)
    }
    this.#lookAtKept(stream, record)
    if (record.ended !== null) {
      stream.firstEnd ??= record.ended
      if (record.ended.at !== stream.firstEnd.at || record.ended.why !== stream.firstEnd.why) {
        this.#break(`${stream.id} ended twice`)
      }
      if (sessions.length > 0) this.#break(`${stream.id} has ended and is live`)
    } else if (stream.firstEnd !== null || this.#hasEnded(stream)) this.#break(`${stream.id} had ended and has not`)
    for (const asked of stream.late) {
      if (asked.standing === 'answered') this.#break(`${stream.id} has ended and did ${asked.type}`)
    }
  }

  #lookAtViewer(stream: KnownStream, id: string, record: StreamRecord): void {
    const viewer = stream.everyViewer.get(id)
    if (viewer === undefined) {
      this.#break(`${id} flows and nobody knows it`)
      return
    }
    const visible = [record.visibility, ...this.#narrowed(stream, record)]
    const keys = [
      record.linkKeyHash,
      ...stream.keys.filter(({ standing }) => standing === 'waiting').map(({ key }) => key),
    ]
    const may = viewer.admissions.some(({ n, right, ticket }) => {
      if (ticket !== null && this.clock.now() > (this.#viewTickets.get(ticket) ?? 0)) return false
      if (right.type === 'shared' && stream.unshared.some((gone) => gone.n > n && gone.person === right.person))
        return false
      return visible.every((visibility) => keys.every((linkKeyHash) => rightHolds(right, { visibility, linkKeyHash })))
    })
    if (!may) this.#break(`${id} flows by a right that is gone: ${JSON.stringify(viewer.admissions)}`)
  }

  /** Visibilities that were asked for and hold at once if they are narrower. */
  #narrowed(stream: KnownStream, record: StreamRecord): Visibility[] {
    const asks = stream.visibility
    const last = asks.at(-1)
    const held = asks.filter(({ standing }) => standing === 'waiting')
    // Refused because it is not kept yet: it holds all the same.
    if (last?.standing === 'refused' && last.says === 'unwritten') {
      const order: Visibility[] = ['private', 'unlisted', 'public']
      if (order.indexOf(last.visibility) < order.indexOf(record.visibility)) held.push(last)
    }
    return held.map(({ visibility }) => visibility)
  }

  /** What was acknowledged is in the store, unless something later may have changed it. */
  #lookAtKept(stream: KnownStream, record: StreamRecord): void {
    const newest = <T extends Asked>(asks: readonly T[]): T | undefined => {
      const last = asks.findLast(({ standing }) => standing === 'answered')
      const later = asks.some(
        ({ n, standing, code }) =>
          last !== undefined && n > last.n && (standing !== 'refused' || code === 'store_unavailable'),
      )
      return later ? undefined : last
    }
    const visibility = newest(stream.visibility)
    if (visibility !== undefined && record.visibility !== visibility.visibility) {
      this.#break(`${stream.id} is kept as ${record.visibility} and was made ${visibility.visibility}`)
    }
    const key = newest(stream.keys)
    if (key !== undefined && record.linkKeyHash !== key.key)
      this.#break(`${stream.id} keeps a link that was rotated away`)
    const still = newest(stream.stills)
    if (still !== undefined && record.still?.hash !== still.hash) this.#break(`${stream.id} lost its last still`)
    for (const holder of this.#holders(stream)) {
      if (holder.standing !== 'answered') continue
      // A lowering that was refused may be undone a moment later.
      const doubtful = stream.curtain.some(({ up, n, says }) => !up && n > holder.n && says === 'cutOff')
      if (!doubtful && record.curtain.holds[holder.by] === undefined) {
        this.#break(`${holder.by} raised the curtain of ${stream.id} and that is not kept`)
      }
    }
    for (const lowered of stream.curtain.filter(({ up, standing }) => !up && standing === 'answered')) {
      const holders = lowered.by === 'owner' ? (['desk', 'moderator', 'owner'] as const) : [lowered.by]
      for (const by of holders) {
        const raised = stream.curtain.some((asked) => asked.up && asked.by === by && asked.n > lowered.n)
        if (!raised && record.curtain.holds[by] !== undefined) {
          this.#break(`${lowered.by} lowered the curtain of ${stream.id} and ${by} is kept as holding it`)
        }
      }
    }
    const ticket = stream.tickets.at(-1)
    if (ticket === undefined || record.ended !== null) return
    const later = [...stream.mints, ...stream.killers].some(
      ({ n, standing, says }) => n > ticket.n && (standing !== 'refused' || says === 'unwritten' || says === 'cutOff'),
    )
    if (!later && record.ticket?.hash !== ticket.hash) this.#break(`${stream.id} lost its ticket`)
  }

  /** Everything that can settle does. Then all is answered, kept, and true after a restart. */
  async #finish(): Promise<void> {
    this.store.mood = 'prompt'
    this.media.slow = false
    await this.#breathe(60)
    await this.#pass(2500, true)
    await this.#breathe(60)
    if (this.#waiting > 0) throw new BrokenPromise(`${this.#waiting} asks are unanswered after all has settled`)
    const before = await Promise.all(this.streams.map((stream) => this.#compare(stream)))
    this.#lookAtFlow(before)
    await this.#restart(false)
    const after = await Promise.all(this.streams.map((stream) => this.#compare(stream)))
    for (const [at, { facts }] of after.entries()) {
      const was = before[at]?.facts
      if (was === undefined) continue
      const same = (['visibility', 'startedAt'] as const).every(
        (field) => JSON.stringify(facts[field]) === JSON.stringify(was[field]),
      )
      if (!same || facts.curtain.up !== was.curtain.up || (facts.state === 'ended') !== (was.state === 'ended')) {
        throw new BrokenPromise(`a restart changed ${JSON.stringify(was)} to ${JSON.stringify(facts)}`)
      }
    }
    await this.#publishAgain()
    if (this.#broken !== null) throw this.#broken
  }

  /** What the actor says and what is kept are the same. */
  async #compare(stream: KnownStream) {
    const ask = <K extends StreamAskType>(type: K, input: StreamAsks[K]['in']) =>
      this.#system.ask(stream.id, type, input)
    const [facts, holds] = await Promise.all([ask('describe', {}), ask('curtain.holds', {})])
    const record = this.#record(stream)
    // A ticket that nobody was given: the one before it is good here, and not after a restart.
    const lostMint = stream.mints.some(({ says, standing }) => says === 'cutOff' || standing === 'unknown')
    const said = {
      visibility: facts.visibility,
      ended: facts.ended,
      endsAt: lostMint ? null : facts.endsAt,
      startedAt: facts.startedAt,
      workedMs: facts.state === 'live' ? null : facts.workedMs,
      up: facts.curtain.up,
      holds,
    }
    const kept = {
      visibility: record.visibility,
      ended: record.ended,
      endsAt: lostMint ? null : (record.ticket?.expiresAt ?? null),
      startedAt: record.startedAt,
      workedMs: facts.state === 'live' ? null : record.workedMs,
      up: Object.keys(record.curtain.holds).length > 0,
      holds: record.curtain.holds,
    }
    if (!Bun.deepEquals(said, kept)) {
      throw new BrokenPromise(`${stream.id} says ${JSON.stringify(said)} and keeps ${JSON.stringify(kept)}`)
    }
    return { stream, facts }
  }

  /** Who may watch, and whose link is up, does: nothing is held for ever. */
  #lookAtFlow(all: readonly { readonly stream: KnownStream; readonly facts: StreamAsks['describe']['out'] }[]): void {
    for (const { stream, facts } of all) {
      const room = this.media.rooms.get(stream.id)
      if (facts.curtain.up || facts.link === null || room === undefined) continue
      const flowing = this.media.flowing(stream.id)
      for (const [viewer, { connected, publication }] of room.viewers) {
        if (connected && room.publications.has(publication) && !flowing.includes(viewer)) {
          throw new BrokenPromise(`${viewer} is linked, the curtain is down, and nothing flows`)
        }
        if (flowing.includes(viewer) && room.held) throw new BrokenPromise(`${viewer} flows in a held room`)
      }
    }
  }

  /** No slot, worker or session was left behind: whoever may publish can. */
  async #publishAgain(): Promise<void> {
    for (const stream of this.streams) {
      if (this.#record(stream).ended !== null) continue
      this.#mint(stream)
      await this.#breathe(60)
      const publication = this.#publish(stream, this.#ticket(stream, 'newest'), 'good')
      await this.#breathe(60)
      if (!this.media.publications(stream.id).includes(publication)) {
        throw new BrokenPromise(`nobody is live, and ${stream.id} cannot be`)
      }
      await this.#system.ask(stream.id, 'end', { why: 'owner' })
    }
  }
}
