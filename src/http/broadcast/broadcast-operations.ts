import { described } from '../description/described.ts'

/** What the socket says of itself. */
export const broadcastOperations = {
  socket: described({
    area: 'Watching',
    name: 'openBroadcastSocket',
    summary: 'Open our player’s socket',
    about:
      'A WebSocket (RFC 6455). A player sends live.broadcast-client-message@1 and is sent live.broadcast-server-message@1; it joins a stream with its view ticket (vt) or its link’s key (k) in the message. Close code 4003: a view ticket is required. The whole protocol: docs/broadcast-protocol.md.',
    who: 'Anybody; the join says who may watch.',
    accepts: ['session', 'service_token', 'view_ticket'],
    open: true,
    answers: { 101: { says: 'The socket is open.' } },
    refuses: [],
  }),
} as const
