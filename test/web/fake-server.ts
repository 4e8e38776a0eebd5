import type { Server, ServerWebSocket } from 'bun'
import type { AgentStream } from '../../src/contracts/agent-stream.ts'
import type { ClientMessage, PlayerView, ServerMessage } from '../../src/contracts/broadcast.ts'
import type { ViewTicketGrant, ViewTicketRequest } from '../../src/contracts/viewing.ts'
import { type Assets, buildAssets } from '../../src/web/assets.ts'
import { renderHomePage } from '../../src/web/pages/home-page.tsx'
import { renderNotFoundPage } from '../../src/web/pages/message-page.tsx'
import { pageHeaders } from '../../src/web/pages/page-headers.ts'
import { renderSignInPage } from '../../src/web/pages/sign-in-page.tsx'
import { renderEmbedPage, renderWatchPage } from '../../src/web/pages/watch-page.tsx'
import type { FakeRoom } from './fake-room.ts'
import { sampleStream } from './sample-stream.ts'

/** The pages on a real port, and a `/ws/broadcast` that a test leads by hand. */
export interface FakeServer {
  readonly origin: string
  readonly watchUrl: string
  readonly embedUrl: string
  /** What players are shown; a change reaches every socket. */
  show(view: Partial<PlayerView>): void
  /** Answers every join with this close code instead. */
  refuseWith(code: number | null): void
  /**
   * Makes the stream private: pages need `?vt=` or `?k=` and get `vt` as the player's ticket,
   * joins need one that stands, and `view-ticket` answers as these say.
   */
  guard(guard: Guard | null): void
  /** Ends what stands, and drops who watches by it. */
  revokeTickets(): void
  /** Every body that came to `view-ticket`, in order. */
  readonly ticketRequests: readonly ViewTicketRequest[]
  /** Ends every socket. */
  dropSockets(): void
  /** Forgets every viewer: what a restart does. */
  forgetViewers(): void
  say(message: ServerMessage): void
  /** Every message that came, in order. */
  readonly heard: readonly ClientMessage[]
  stop(): Promise<void>
}

/** How a private stream's tickets fare. */
export interface Guard {
  /** The ticket that pages are given. */
  readonly vt: string
  /** The link's key that opens the page and mints. */
  readonly k?: string
  /** What a mint is answered; none: 404. */
  readonly mint?: string
  /** How long a ticket stands after each grant, in milliseconds. */
  readonly standsFor: number
}

interface SocketData {
  viewer: string
}

export async function startFakeServer({
  room,
  port = 0,
}: {
  room?: FakeRoom
  port?: number
} = {}): Promise<FakeServer> {
  const assets: Assets = await buildAssets()
  let view: PlayerView = { stream: sampleStream({ state: 'idle', viewers: 0 }), media: null }
  let refusal: number | null = null
  let viewers = new Set<string>()
  const sockets = new Set<ServerWebSocket<SocketData>>()
  const heard: ClientMessage[] = []
  let guard: Guard | null = null
  let good = new Set<string>()
  const ticketRequests: ViewTicketRequest[] = []

  async function answerTicket(request: Request): Promise<Response> {
    const asked = (await request.json()) as ViewTicketRequest
    ticketRequests.push(asked)
    const refused = (status: number, code: string) => Response.json({ code }, { status })
    if (guard === null) return refused(404, 'not_found')
    if (asked.renew !== undefined && !good.has(asked.renew)) return refused(401, 'invalid_view_ticket')
    const ticket = asked.renew ?? (asked.k === guard.k ? guard.mint : undefined)
    if (ticket === undefined) return refused(404, 'not_found')
    good.add(ticket)
    const grant: ViewTicketGrant = {
      ticket,
      expires_at: new Date(Date.now() + guard.standsFor).toISOString(),
      renewable_until: new Date(Date.now() + 4 * 60 * 60 * 1000).toISOString(),
    }
    return Response.json(grant, { status: asked.renew === undefined ? 201 : 200 })
  }

  function drop(socket: ServerWebSocket<SocketData>): void {
    send(socket, { type: 'problem', code: 'view_ticket_required', detail: 'You may not watch this stream any more.' })
    socket.close(4003, 'View ticket required')
  }
  const send = (socket: ServerWebSocket<SocketData>, message: ServerMessage) => socket.send(JSON.stringify(message))

  async function answer(socket: ServerWebSocket<SocketData>, message: ClientMessage): Promise<void> {
    if (message.type === 'join') {
      if (refusal !== null) {
        socket.close(refusal, 'refused')
        return
      }
      if (guard !== null && !good.has(message.vt ?? '')) {
        send(socket, { type: 'problem', id: message.id, code: 'invalid_view_ticket', detail: 'It does not stand.' })
        socket.close(4003, 'View ticket required')
        return
      }
      const resumed = message.resume !== undefined && viewers.has(message.resume)
      socket.data.viewer = resumed ? (message.resume as string) : `vwr_${crypto.randomUUID()}`
      viewers.add(socket.data.viewer)
      const rtpCapabilities = room?.rtpCapabilities ?? { codecs: [], headerExtensions: [] }
      send(socket, { type: 'joined', id: message.id, viewer: socket.data.viewer, resumed, rtpCapabilities, ...view })
    }
    if (message.type === 'consume') {
      if (room === undefined) {
        send(socket, { type: 'problem', id: message.id, code: 'not_live', detail: 'There is no media here.' })
        return
      }
      const made = await room.consume(socket.data.viewer, message.rtpCapabilities)
      send(socket, { type: 'consumed', id: message.id, media: message.media, ...made })
    }
    if (message.type === 'connect') {
      await room?.connect(socket.data.viewer, message.dtlsParameters)
      send(socket, { type: 'connected', id: message.id })
    }
  }

  const html = (text: string, status = 200): Response =>
    new Response(text, { status, headers: pageHeaders({ origin: server.url.origin, frameAncestors: ["'self'"] }) })
  const server: Server<SocketData> = Bun.serve<SocketData>({
    hostname: '127.0.0.1',
    port,
    fetch(request, self) {
      const { pathname, searchParams } = new URL(request.url)
      if (pathname === '/ws/broadcast') {
        return self.upgrade(request, { data: { viewer: '' } }) ? undefined : new Response(null, { status: 426 })
      }
      const asset = assets.files.get(pathname)
      if (asset !== undefined) {
        return new Response(asset.gzip, { headers: { 'Content-Type': asset.type, 'Content-Encoding': 'gzip' } })
      }
      if (pathname === `/api/streams/agent/${view.stream.id}/view-ticket`) return answerTicket(request)
      const opened = guard === null || searchParams.get('vt') === guard.vt || searchParams.get('k') === guard.k
      if (!opened) return html(renderNotFoundPage({ assets }), 404)
      const input = { stream: view.stream, handle: 'ada', assets, ...(guard !== null && { vt: guard.vt }) }
      if (pathname.startsWith('/@ada/agents/')) return html(renderWatchPage(input))
      if (pathname.startsWith('/embed/agent/')) return html(renderEmbedPage(input))
      if (pathname === '/sign-in') return html(renderSignInPage({ handle: 'ada', action: '/sign-in', assets }))
      if (pathname === '/') return html(renderHomePage({ assets }))
      return html(renderNotFoundPage({ assets }), 404)
    },
    websocket: {
      open(socket) {
        sockets.add(socket)
      },
      close(socket) {
        sockets.delete(socket)
      },
      message(socket, text) {
        const message = JSON.parse(String(text)) as ClientMessage
        heard.push(message)
        return answer(socket, message)
      },
    },
  })
  const { origin } = server.url
  const say = (message: ServerMessage) => {
    for (const socket of sockets) send(socket, message)
  }
  return {
    origin,
    watchUrl: `${origin}/@ada/agents/${view.stream.id}`,
    embedUrl: `${origin}/embed/agent/${view.stream.id}`,
    heard,
    say,
    show(next) {
      view = { ...view, ...next }
      say({ type: 'stream', ...view })
    },
    ticketRequests,
    guard(next) {
      guard = next
      good = new Set(next === null ? [] : [next.vt])
      if (next === null) return
      view = { ...view, stream: { ...view.stream, visibility: 'private' } }
      for (const socket of sockets) drop(socket)
    },
    revokeTickets() {
      good.clear()
      for (const socket of sockets) drop(socket)
    },
    refuseWith(code) {
      refusal = code
    },
    dropSockets() {
      for (const socket of sockets) socket.terminate()
    },
    forgetViewers() {
      viewers = new Set()
    },
    async stop() {
      await server.stop(true)
    },
  }
}

/** What the desk's arrival looks like to players. */
export function onAir(media: number, over: Partial<AgentStream> = {}): PlayerView {
  return { stream: sampleStream({ state: 'live', ...over }), media }
}
