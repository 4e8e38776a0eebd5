import type { ServerTransport } from '../../../src/media/sdp-bridge/answer.ts'

const candidate = { ip: '127.0.0.1', address: '127.0.0.1', port: 4000, type: 'host' } as const

/** The server's half as mediasoup would make it. */
export const transport: ServerTransport = {
  iceParameters: { usernameFragment: 'serverufrag', password: 'serverpassword', iceLite: true },
  iceCandidates: [
    { ...candidate, foundation: 'udpcandidate', priority: 2, protocol: 'udp' },
    { ...candidate, foundation: 'tcpcandidate', priority: 1, protocol: 'tcp', tcpType: 'passive' },
  ],
  dtlsParameters: {
    fingerprints: [
      { algorithm: 'sha-1', value: 'AA' },
      { algorithm: 'sha-256', value: 'BB:CC' },
      { algorithm: 'sha-512', value: 'DD' },
    ],
  },
}
