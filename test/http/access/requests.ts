import { sdpFragmentType, writeSdpFragment } from '../../../src/contracts/sdp-fragment.ts'
import { hashSecret, mintSecret } from '../../../src/http/identity/secret.ts'
import { clients } from '../../media/sdp-bridge/clients.ts'
import type { OfferDescription } from '../../media/sdp-bridge/offer-builder.ts'
import { writeOffer } from '../../media/sdp-bridge/offer-builder.ts'
import type { Shown } from './principals.ts'
import type { Stage, World } from './world.ts'

/** What goes over the wire, but for who sends it. */
export interface Sent {
  readonly path: string
  readonly json?: unknown
  readonly text?: string
  readonly bytes?: Uint8Array<ArrayBuffer>
  readonly type?: string
  readonly headers?: Readonly<Record<string, string>>
  /** Shown in another way than by header: for a view ticket in the address of a page. */
  readonly shown?: Shown
}

export interface Request {
  /** What is sent for a caller who shows this, to this world. `session`: of the WHIP session that is up. */
  send(input: { world: World; shown: Shown; stage: Stage; session: string; column: string }): Sent | Promise<Sent>
  /** Allowed, it writes: refused, it must not. */
  readonly writes?: boolean
  /** Allowed, it changes what the next caller is told: the world is made anew after it. */
  readonly spoils?: boolean
  /** What came back, when the status alone does not say it. */
  outcome?(world: World, body: unknown): string
}

const publisher = writeOffer(clients.chromium as OfferDescription)
const player = writeOffer({
  sections: [
    { kind: 'video', mid: '0', direction: 'recvonly' },
    { kind: 'audio', mid: '1', direction: 'recvonly' },
  ],
})
const sdp = (text: string) => ({ text, type: 'application/sdp' })
export const whipOffer = sdp(publisher)
/** Candidates, under the credentials of the offers. */
const candidates = {
  text: writeSdpFragment({ ufrag: 'ufr1', pwd: '0123456789abcdef01234567', endOfCandidates: true }),
  type: sdpFragmentType,
  headers: { 'If-Match': '*' },
}

const api = (world: World) => `/api/streams/agent/${world.stream}`
const task = { source: 'desk', ref: 'access', title: 'Test the checkout' }
/** As it is: who may change it is the question. */
const visibilityOf = ({ situation }: World) =>
  situation === 'private' || situation === 'unlisted' ? situation : 'public'
const key = ({ k }: Shown) => (k === undefined ? '' : `?k=${k}`)

/** A request without a body to a path of the stream. */
const to = (tail: string, effect: Pick<Request, 'writes' | 'spoils'> = {}): Request => ({
  send: ({ world, shown }) => ({ path: api(world) + tail + key(shown) }),
  ...effect,
})
const plain = (path: string): Request => ({ send: ({ shown }) => ({ path: path + key(shown) }) })

/** The page that shows a stream; a view ticket stands in its address. */
const page = (path: (world: World) => string): Request => ({
  send({ world, shown }) {
    const { viewTicket, ...rest } = shown
    const query = viewTicket === undefined ? key(shown) : `?vt=${viewTicket}`
    return { path: path(world) + query, shown: rest }
  },
})

/** A player's session on the world's stream; one that is none where nothing is live. */
async function playing({ world, stage, session }: { world: World; stage: Stage; session: string }): Promise<string> {
  const { headers } = await stage.server.call('POST', `/whep/agent/${world.stream}`, {
    bearer: world.viewTickets.owner,
    body: player,
    headers: { 'Content-Type': 'application/sdp' },
  })
  return headers.get('location') ?? `/whep/agent/${world.stream}/${session}`
}
/** Asks for something of a player's session. */
const ofPlaying = (sent: Omit<Sent, 'path'> = {}, tail = ''): Request => ({
  send: async (input) => ({ path: (await playing(input)) + tail, ...sent }),
})
/** Asks for something of the events of a player's session. */
const ofEvents = (): Request => ({
  async send(input) {
    const session = await playing(input)
    const { headers } = await input.stage.server.call('POST', `${session}/events`)
    return { path: headers.get('location') ?? `${session}/events/${input.session}` }
  },
})
const ofPublishing = (sent: Omit<Sent, 'path'> = {}): Request => ({
  send: ({ world, session }) => ({ path: `/whip/agent/${world.stream}/${session}`, ...sent }),
})
const endpoint = (kind: 'whip' | 'whep', tail = ''): Request => ({
  send: ({ world }) => ({ path: `/${kind}/agent/${world.stream}${tail}` }),
})

const moderators = (json: unknown, query = ''): Request => ({
  async send({ world, column, stage }) {
    const { channel } = world.people.owner
    await stage.server.store.moderators.add(channel, world.people.moderator.id, stage.clock.now())
    const at = column === 'no such channel' ? 'chn_01ARZ3NDEKTSV4RRFFQ69G5FAV' : channel
    return { path: `/api/channels/${at}/moderators${query}`, ...(json !== undefined && { json }) }
  },
  writes: json !== undefined || query !== '',
})

export const requests: Readonly<Record<string, Request>> = {
  'POST /api/streams/agent': { send: () => ({ path: '/api/streams/agent', json: { task } }), writes: true },
  'GET /api/streams/agent': {
    send: ({ world }) => ({
      path: `/api/streams/agent?channel=${world.people.owner.channel}&after=${world.earlier}`,
    }),
    outcome: (world, body) => {
      const { streams } = body as { streams: { id: string }[] }
      return streams.some(({ id }) => id === world.stream) ? 'listed' : 'not listed'
    },
  },
  'GET /api/streams/agent/:id': to(''),
  'PATCH /api/streams/agent/:id': {
    send: ({ world, shown }) => ({ path: api(world) + key(shown), json: { visibility: visibilityOf(world) } }),
    writes: true,
  },
  'POST /api/streams/agent/:id/ticket': to('/ticket', { writes: true, spoils: true }),
  'DELETE /api/streams/agent/:id/ticket': to('/ticket', { writes: true }),
  'GET /api/streams/agent/:id/state': to('/state'),
  'PUT /api/streams/agent/:id/frame': {
    send: ({ world, shown }) => ({
      path: `${api(world)}/frame${key(shown)}`,
      bytes: new Uint8Array([0xff, 0xd8, 0xff, 0xe0, 9, 9, 9, 9]),
      type: 'image/jpeg',
    }),
    writes: true,
  },
  'GET /api/streams/agent/:id/frame': to('/frame'),
  'POST /api/streams/agent/:id/curtain': {
    send: ({ world, shown }) => ({ path: `${api(world)}/curtain${key(shown)}`, json: { up: true, reason: 'site' } }),
    writes: true,
  },
  'GET /api/streams/agent/:id/curtain': to('/curtain'),
  'POST /api/streams/agent/:id/end': to('/end', { writes: true, spoils: true }),
  'POST /api/streams/agent/:id/view-ticket': {
    send: ({ world, shown: { k } }) => ({ path: `${api(world)}/view-ticket`, json: k === undefined ? {} : { k } }),
  },
  renew: {
    send: ({ world, shown: { viewTicket } }) => ({
      path: `${api(world)}/view-ticket`,
      json: { renew: viewTicket },
      shown: {},
    }),
  },
  'POST /api/streams/agent/:id/rotate-link': to('/rotate-link', { writes: true }),
  'GET /api/streams/agent/:id/share': to('/share'),
  'PUT /api/streams/agent/:id/share': {
    send: ({ world, shown }) => ({ path: `${api(world)}/share${key(shown)}`, json: { handle: '@pia' } }),
    writes: true,
  },
  'DELETE /api/streams/agent/:id/share': {
    async send({ world, stage }) {
      const { sharing } = stage.server.store
      if (world.situation !== 'no such stream')
        await sharing.share(world.stream, world.people.shared.id, stage.clock.now())
      return { path: `${api(world)}/share?handle=sam` }
    },
    writes: true,
  },
  'POST /whep/agent/:id': {
    send: ({ world, shown }) => ({ path: `/whep/agent/${world.stream}${key(shown)}`, ...sdp(player) }),
  },
  'GET /whep/agent/:id': endpoint('whep'),
  'HEAD /whep/agent/:id': endpoint('whep'),
  'PATCH /whep/agent/:id/:session': ofPlaying(candidates),
  'DELETE /whep/agent/:id/:session': ofPlaying(),
  'GET /whep/agent/:id/:session': ofPlaying(),
  'HEAD /whep/agent/:id/:session': ofPlaying(),
  'POST /whep/agent/:id/:session/events': ofPlaying({ json: ['active', 'inactive'] }, '/events'),
  'GET /whep/agent/:id/:session/events/:events': ofEvents(),
  'DELETE /whep/agent/:id/:session/events/:events': ofEvents(),
  'OPTIONS /whep/agent/:id': endpoint('whep'),
  'OPTIONS /whep/agent/:id/:session': endpoint('whep', '/x'),
  'OPTIONS /whep/agent/:id/:session/events': endpoint('whep', '/x/events'),
  'OPTIONS /whep/agent/:id/:session/events/:events': endpoint('whep', '/x/events/x'),
  'POST /whip/agent/:id': {
    send: ({ world, shown }) => ({ path: `/whip/agent/${world.stream}${key(shown)}`, ...sdp(publisher) }),
    writes: true,
    spoils: true,
  },
  'PATCH /whip/agent/:id/:session': ofPublishing(candidates),
  'DELETE /whip/agent/:id/:session': { ...ofPublishing(), writes: true, spoils: true },
  'GET /whip/agent/:id/:session': ofPublishing(),
  'HEAD /whip/agent/:id/:session': ofPublishing(),
  'GET /whip/agent/:id': endpoint('whip'),
  'HEAD /whip/agent/:id': endpoint('whip'),
  'OPTIONS /whip/agent/:id': endpoint('whip'),
  'OPTIONS /whip/agent/:id/:session': endpoint('whip', '/x'),
  'GET /api/channels/:channel/moderators': moderators(undefined),
  'PUT /api/channels/:channel/moderators': moderators({ handle: 'mona' }),
  'DELETE /api/channels/:channel/moderators': moderators(undefined, '?handle=mona'),
  'GET /:at/agents/:id': page(({ people, stream }) => `/@${people.owner.handle}/agents/${stream}`),
  'GET /embed/agent/:id': page(({ stream }) => `/embed/agent/${stream}`),
  'GET /': plain('/'),
  'GET /favicon.ico': plain('/favicon.ico'),
  'GET /assets/:file': {
    async send({ stage }) {
      const icon = await fetch(`${stage.server.url}/favicon.ico`, { redirect: 'manual' })
      return { path: icon.headers.get('location') ?? '/assets/none' }
    },
  },
  'GET /sign-in': plain('/sign-in'),
  'GET /sign-in/callback': plain('/sign-in/callback'),
  'GET /sign-in/:link': plain(`/sign-in/sil_${'A'.repeat(43)}`),
  'POST /sign-in/:link': {
    async send({ stage, world }) {
      const { secret, hash } = mintSecret('signInLink')
      const expiresAt = stage.clock.now() + 60_000
      await stage.server.identity.createSignInLink({ hash, person: world.people.stranger.id, expiresAt })
      return { path: `/sign-in/${secret}` }
    },
  },
  'POST /sign-out': {
    /** Whoever signs out does it with a session that nobody else needs. */
    async send({ stage, world, shown }) {
      if (shown.session === undefined || shown.session === world.people.expiredSession) return { path: '/sign-out' }
      const { secret } = mintSecret('session')
      const now = stage.clock.now()
      await stage.server.identity.createSession({
        hash: hashSecret(secret),
        person: world.people.stranger.id,
        createdAt: now,
        expiresAt: now + 60_000,
      })
      return { path: '/sign-out', shown: { ...shown, session: secret } }
    },
  },
  'POST /api/operator/people': {
    send: () => ({ path: '/api/operator/people', json: { handle: `new-${crypto.randomUUID().slice(0, 12)}` } }),
  },
  'GET /api/operator/people/:handle': plain('/api/operator/people/steve'),
  'POST /api/operator/people/:handle/sign-in-link': plain('/api/operator/people/steve/sign-in-link'),
  'GET /.well-known/jwks.json': plain('/.well-known/jwks.json'),
  'GET /openapi.json': plain('/openapi.json'),
  'GET /docs': plain('/docs'),
  'GET /problems': plain('/problems'),
  'GET /problems/:code': plain('/problems/not_live'),
  'GET /contracts': plain('/contracts'),
  'GET /contracts/:name': plain('/contracts/live.agent-stream@1'),
  'GET /healthz': plain('/healthz'),
  'GET /readyz': plain('/readyz'),
}
