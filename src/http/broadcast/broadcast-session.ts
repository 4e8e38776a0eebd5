import { TypeCompiler } from '@sinclair/typebox/compiler'
import type { PlayerView, ServerMessage } from '../../contracts/broadcast.ts'
import { type ClientMessage, ClientMessage as ClientMessageSchema, closeCodes } from '../../contracts/broadcast.ts'
import { newId } from '../../contracts/ids.ts'
import { type ProblemCode, type Refusal, RefusedError, refuse } from '../../contracts/problem.ts'
import { authorisedStream } from '../access/authorised-stream.ts'
import type { Principal } from '../access/principal.ts'
import type { Dependencies } from '../dependencies.ts'
import { hashSecret } from '../identity/secret.ts'
import type { Channels } from './channels.ts'
import { playerView, type Subscriber } from './stream-channel.ts'

const clientMessage = TypeCompiler.Compile(ClientMessageSchema)

/** The wire of a viewer: what a session needs of its socket. */
export interface Wire {
  send(text: string): void
  close(code: number, reason: string): void
}

/**
 * One socket of `/ws/broadcast`. It carries a viewer's messages to the stream's actor and the
 * stream's changes to the player; the viewer itself lives in the actor, and outlives the
 * socket by a few seconds.
 */
export class BroadcastSession implements Subscriber {
  #joined: { readonly stream: string; readonly viewer: string; readonly wire: string } | null = null
  #closed = false
  /** Messages are handled one after the other, in the order in which they came. */
  #last: Promise<void> = Promise.resolve()

  constructor(
    private readonly needs: Dependencies,
    private readonly channels: Channels,
    private readonly principal: Promise<Principal>,
    private readonly wire: Wire,
  ) {
    // Awaited at the join, which answers what is wrong with it; a socket that never joins must not end the process.
    principal.catch(() => {})
  }

  changed(_view: PlayerView, message: string): void {
    this.#send(message)
  }

  lost(): void {
    this.#part()
    this.#say({ type: 'rejoin' })
  }

  /** A viewer may not watch any more: if it is this one, its socket is closed. */
  dropped(viewer: string): void {
    if (this.#joined?.viewer !== viewer) return
    this.#part()
    this.#refuse(undefined, refuse('view_ticket_required', 'You may not watch this stream any more.'))
    this.wire.close(closeCodes.viewTicketRequired, 'View ticket required')
  }

  /** What came over the socket: text of any kind. Never throws. */
  receive(text: string): void {
    this.#last = this.#last.then(() => this.#handle(text))
  }

  /** The socket is gone. The viewer has a few seconds to come back by another. */
  close(): void {
    this.#closed = true
    this.#last = this.#last.then(() => {
      const joined = this.#joined
      this.#part()
      if (joined !== null) {
        const { stream, viewer, wire } = joined
        this.needs.system.tell(stream, { type: 'viewer.detached', viewer, wire })
      }
    })
  }

  async #handle(text: string): Promise<void> {
    if (this.#closed) return
    const message = parseMessage(text)
    if (message === null) {
      this.#refuse(undefined, refuse('invalid_request', 'Send one JSON object as docs/broadcast-protocol.md says.'))
      this.wire.close(closeCodes.badMessage, 'Bad message')
      return
    }
    try {
      await this.#obey(message)
    } catch (error) {
      if (!(error instanceof RefusedError)) this.needs.report(error)
      const refusal =
        error instanceof RefusedError ? error.refusal : refuse('internal', 'Something broke here. Try again.')
      this.#refuse('id' in message ? message.id : undefined, refusal)
      if (message.type === 'join' && unseen.has(refusal.code)) {
        this.wire.close(closeCodes.viewTicketRequired, 'View ticket required')
      }
    }
  }

  async #obey(message: ClientMessage): Promise<void> {
    const { system } = this.needs
    switch (message.type) {
      case 'join':
        return await this.#join(message)
      case 'consume': {
        const { stream, viewer } = this.#seat()
        const { id, media, rtpCapabilities } = message
        const opened = await system.ask(stream, 'viewer.consume', { viewer, media, rtpCapabilities })
        return this.#say({ type: 'consumed', id, media, ...opened })
      }
      case 'connect': {
        const { stream, viewer } = this.#seat()
        await system.ask(stream, 'viewer.connect', { viewer, dtlsParameters: message.dtlsParameters })
        return this.#say({ type: 'connected', id: message.id })
      }
      case 'leave': {
        if (this.#joined === null) return
        const { stream, viewer } = this.#joined
        this.#part()
        await system.ask(stream, 'viewer.leave', { viewer }).catch(ignoreRefusal)
      }
    }
  }

  async #join({ id, stream, vt, k, resume }: Extract<ClientMessage, { type: 'join' }>): Promise<void> {
    const { system, origin, now, rtpCapabilities } = this.needs
    if (this.#joined !== null) {
      throw new RefusedError(refuse('wrong_order', 'This socket has joined already. Leave first, or open another.'))
    }
    // A view ticket says more than the browser's session: it is what was given for this page.
    const principal = vt === undefined ? await this.principal : ticketHolder(vt)
    const { right, admitted } = await authorisedStream(this.needs, { principal, linkKey: k ?? null }, 'watch', stream)
    const wire = newId('viewer')
    const { viewer, resumed, facts } = await system.ask(stream, 'viewer.join', {
      viewer: wire,
      resume: resume ?? null,
      right,
      admitted,
    })
    this.#joined = { stream, viewer, wire }
    this.#say({ type: 'joined', id, viewer, resumed, rtpCapabilities, ...playerView(facts, origin(), now()) })
    this.channels.subscribe(stream, this)
    // What changed between the answer and now is not lost: ask once more, and say it if it differs.
    const after = await system.ask(stream, 'describe', {})
    if (JSON.stringify(after) !== JSON.stringify(facts)) {
      this.#say({ type: 'stream', ...playerView(after, origin(), now()) })
    }
  }

  #seat(): { readonly stream: string; readonly viewer: string } {
    if (this.#joined === null) throw new RefusedError(refuse('wrong_order', 'Join a stream first.'))
    return this.#joined
  }

  #part(): void {
    if (this.#joined !== null) this.channels.unsubscribe(this.#joined.stream, this)
    this.#joined = null
  }

  #say(message: ServerMessage): void {
    this.#send(JSON.stringify(message))
  }

  #send(text: string): void {
    if (!this.#closed) this.wire.send(text)
  }

  #refuse(id: number | undefined, { code, detail }: Refusal): void {
    this.#say({ type: 'problem', ...(id === undefined ? {} : { id }), code, detail })
  }
}

/** Who may not watch is closed out, and a stream that is not there looks the same. */
const unseen: ReadonlySet<ProblemCode> = new Set([
  'not_found',
  'view_ticket_required',
  'invalid_view_ticket',
  'invalid_ticket',
  'invalid_token',
  'forbidden',
  'capability.denied',
])

function ticketHolder(ticket: string): Principal {
  return { kind: 'viewer_ticket', hash: hashSecret(ticket) }
}

function parseMessage(text: string): ClientMessage | null {
  try {
    const message: unknown = JSON.parse(text)
    return clientMessage.Check(message) ? message : null
  } catch {
    return null
  }
}

function ignoreRefusal(error: unknown): void {
  if (!(error instanceof RefusedError)) throw error
}
