import type { ClientMessage, ServerMessage } from '../../contracts/broadcast.ts'

/** What the socket tells its owner. `closed` comes exactly once, also when it never opened. */
export interface SocketListener {
  opened(): void
  message(text: string): void
  closed(code: number): void
}

/** An open (or opening) socket. After `close` nothing is told any more. */
export interface Socket {
  send(text: string): void
  close(): void
}

/** Opens a socket; tests give their own. */
export type OpenSocket = (url: string, listener: SocketListener) => Socket

/** {@link OpenSocket} with the browser's WebSocket. */
export const openWebSocket: OpenSocket = (url, listener) => {
  const socket = new WebSocket(url)
  socket.onopen = () => listener.opened()
  socket.onmessage = (event) => {
    if (typeof event.data === 'string') listener.message(event.data)
  }
  socket.onclose = (event) => listener.closed(event.code)
  return {
    send(text) {
      // A socket that is closing tells `closed` in a moment; what is sent meanwhile has no reader.
      if (socket.readyState === WebSocket.OPEN) socket.send(text)
    },
    close() {
      socket.onopen = null
      socket.onmessage = null
      socket.onclose = null
      socket.close()
    },
  }
}

const serverMessageTypes: Record<ServerMessage['type'], true> = {
  joined: true,
  stream: true,
  consumed: true,
  connected: true,
  rejoin: true,
  problem: true,
}

/**
 * Reads one message of docs/broadcast-protocol.md. `null` for what this player does not know:
 * a newer server may say more, and that must not break an older page.
 */
export function readServerMessage(text: string): ServerMessage | null {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    return null
  }
  if (typeof value !== 'object' || value === null || !('type' in value)) return null
  const { type } = value
  return typeof type === 'string' && Object.hasOwn(serverMessageTypes, type) ? (value as ServerMessage) : null
}

/** Writes one message for the server. */
export function writeClientMessage(message: ClientMessage): string {
  return JSON.stringify(message)
}
