import { Elysia } from 'elysia'
import { closeCodes } from '../../contracts/broadcast.ts'
import { anonymous, type Principal } from '../access/principal.ts'
import type { Dependencies } from '../dependencies.ts'
import { authenticate } from '../identity/authenticate.ts'
import { isSameOrigin } from '../identity/same-origin.ts'
import { broadcastOperations } from './broadcast-operations.ts'
import { BroadcastSession } from './broadcast-session.ts'
import type { Channels } from './channels.ts'

/** `/ws/broadcast`: our player's socket. */
export function broadcastRoutes(needs: Dependencies, channels: Channels) {
  // Elysia hands each hook another object for the same socket: `id` is what stays.
  const sessions = new Map<string, BroadcastSession>()

  return new Elysia({ name: 'broadcast' }).ws('/ws/broadcast', {
    detail: broadcastOperations.socket.detail,
    // Text as it came: the session checks it, and answers what is wrong with it.
    parse: (_ws, message) => ({ text: typeof message === 'string' ? message : JSON.stringify(message) }),
    open(ws) {
      const session = new BroadcastSession(needs, channels, principalOf(ws.data.request), {
        send: (text) => {
          // 0: dropped, for the socket is full. Whoever does not read is better off joining anew.
          if (ws.raw.send(text) === 0) ws.raw.close(closeCodes.tooSlow, 'Too slow')
        },
        close: (code, reason) => ws.raw.close(code, reason),
      })
      sessions.set(ws.id, session)
    },
    message(ws, message) {
      sessions.get(ws.id)?.receive((message as { text: string }).text)
    },
    close(ws) {
      sessions.get(ws.id)?.close()
      sessions.delete(ws.id)
    },
  })

  /** A page of another site may open a socket here, but not with this browser's session. */
  async function principalOf(request: Request): Promise<Principal> {
    const ours = isSameOrigin(request.headers, needs.origin())
    return ours || request.headers.has('authorization') ? await authenticate(needs, request) : anonymous
  }
}
