import type { World } from './world.ts'

/** What a caller shows. `k` and `viewTicket` go where the route takes them: address, body, message or header. */
export interface Shown {
  /** A session's token. */
  readonly session?: string
  /** The page that the browser is on; with a session and nothing said, ours. */
  readonly origin?: string
  readonly bearer?: string
  /** `X-OV-Subject` */
  readonly subject?: string
  /** The key of a link. */
  readonly k?: string
  readonly viewTicket?: string
}

/** Somebody who calls: a name for the table, what it means, and what they show to the world's stream. */
export interface Caller {
  readonly name: string
  readonly is: string
  readonly shows: (world: World) => Shown
}

/** Callers whose ticket was good for this very stream: what they are refused may say more. */
export const insiders: ReadonlySet<string> = new Set(['desk in grace', 'spent view ticket'])

const caller = (name: string, is: string, shows: Caller['shows']): Caller => ({ name, is, shows })

/** Who has nothing, or nothing that counts. */
const nobody = [
  caller('anonymous', 'shows nothing', () => ({})),
  caller('expired session', 'the owner’s session cookie, past its thirty days', ({ people }) => ({
    session: people.expiredSession,
  })),
  caller('rotated link key', 'came by a link that `rotate-link` closed', ({ keys }) => ({ k: keys.rotated })),
  caller('another stream’s link key', 'came by the link of another stream', ({ keys }) => ({ k: keys.foreign })),
]

/** Who is known, and has nothing to do with the stream. */
const strangers = [
  caller('stranger', 'a signed-in person', ({ people }) => ({ session: people.stranger.session })),
  caller('Live owner', 'the person of `FOOTLIGHT_LIVE_OWNER`, on a stream of somebody else', ({ people }) => ({
    session: people.liveOwner.session,
  })),
  caller('person no longer shared with', 'it was shared with them, and that was taken back', ({ people }) => ({
    session: people.unshared.session,
  })),
  caller('service for a stranger', 'a token with the capability whose `sub` is a stranger', ({ tokens }) => ({
    bearer: tokens.forStranger,
  })),
  caller(
    'service of a stranger naming the owner',
    'the same, with `X-OV-Subject`: only `svc:` and `node:` name others',
    (world) => ({
      bearer: world.tokens.forStranger,
      subject: world.people.owner.id,
    }),
  ),
  caller('svc: naming a stranger', 'capability, `X-OV-Subject`: a stranger', (world) => ({
    bearer: world.tokens.svc,
    subject: world.people.stranger.id,
  })),
]

/** A service that names nobody who is here. */
const namingNobody = [
  caller('svc: naming nobody', 'capability, no `X-OV-Subject`', ({ tokens }) => ({ bearer: tokens.svc })),
  caller('svc: naming somebody unknown', 'capability, `X-OV-Subject`: a person who is not here', ({ tokens }) => ({
    bearer: tokens.svc,
    subject: 'usr_01ARZ3NDEKTSV4RRFFQ69G5FAV',
  })),
]

/** Services that act for the owner, with the capability `live.agent_stream.publish`. */
const ownersServices = [
  caller('service for the owner', 'a token with the capability whose `sub` is the owner', ({ tokens }) => ({
    bearer: tokens.forOwner,
  })),
  caller('service for the owner signed here', 'the same, of this server’s own issuer', ({ tokens }) => ({
    bearer: tokens.localForOwner,
  })),
  caller('svc: naming the owner', 'capability, `X-OV-Subject`: the owner', (world) => ({
    bearer: world.tokens.svc,
    subject: world.people.owner.id,
  })),
  caller('node: naming the owner', 'capability, `X-OV-Subject`: the owner', (world) => ({
    bearer: world.tokens.node,
    subject: world.people.owner.id,
  })),
]

const deadTickets = [
  caller('wrong ticket', 'a `wpt_` that nobody minted', () => ({ bearer: `wpt_${'A'.repeat(43)}` })),
  caller('expired ticket', 'past its four hours; another took its place', ({ tickets }) => ({
    bearer: tickets.expired,
  })),
  caller('revoked ticket', 'the kill switch ended it', ({ tickets }) => ({ bearer: tickets.revoked })),
  caller('replaced ticket', 'renewed more than 60 s ago', ({ tickets }) => ({ bearer: tickets.replaced })),
  caller('another stream’s ticket', 'good, for another stream', ({ tickets }) => ({ bearer: tickets.foreign })),
]

const deadViewTickets = [
  caller('wrong view ticket', 'a `wvt_` that nobody minted', () => ({ viewTicket: `wvt_${'A'.repeat(43)}` })),
  caller('expired view ticket', 'past its ten minutes', ({ viewTickets }) => ({ viewTicket: viewTickets.expired })),
  caller('another stream’s view ticket', 'good, for another stream', ({ viewTickets }) => ({
    viewTicket: viewTickets.foreign,
  })),
  caller('view ticket of one no longer shared with', 'minted while it was shared', ({ viewTickets }) => ({
    viewTicket: viewTickets.unshared,
  })),
]

const badTokens = [
  caller('token for another audience', 'else good', ({ tokens }) => ({ bearer: tokens.otherAudience })),
  caller('expired token', 'else good', ({ tokens }) => ({ bearer: tokens.expired })),
  caller('token with a wrong key', 'signed with another key, under the right `kid`', ({ tokens }) => ({
    bearer: tokens.wrongKey,
  })),
  caller('token with alg: none', 'unsigned', ({ tokens }) => ({ bearer: tokens.unsigned })),
  caller('token with HS256', 'signed with the public key as the secret', ({ tokens }) => ({ bearer: tokens.hmac })),
  caller('token of an unknown issuer', 'else good', ({ tokens }) => ({ bearer: tokens.unknownIssuer })),
  caller('no token at all', '`Authorization: Bearer nonsense`', () => ({ bearer: 'nonsense' })),
]

const apps = [
  caller('developer app', '`sub` is `app:…`, with the capability', ({ tokens }) => ({ bearer: tokens.app })),
  caller('developer app for the owner', '`sub` is the owner, and an `app_id`', ({ tokens }) => ({
    bearer: tokens.appForOwner,
  })),
]

/** A name that a row of the table may use for several callers. */
export const groups: Readonly<Record<string, readonly Caller[]>> = {
  nobody,
  strangers,
  'naming nobody': namingNobody,
  'owner’s services': ownersServices,
  'dead tickets': deadTickets,
  'dead view tickets': deadViewTickets,
  'bad tokens': badTokens,
  apps,
}

/** Everybody who calls. */
export const callers: readonly Caller[] = [
  ...nobody,
  caller('link key', 'came by the stream’s link: `?k=`', ({ keys }) => ({ k: keys.right })),
  ...strangers,
  ...namingNobody,
  caller('operator', 'the command line’s token, signed here', ({ tokens }) => ({ bearer: tokens.operator })),
  caller('shared person', 'the stream is shared with them', ({ people }) => ({ session: people.shared.session })),
  caller('moderator', 'moderates the channel', ({ people }) => ({ session: people.moderator.session })),
  caller('owner', 'signed in', ({ people }) => ({ session: people.owner.session })),
  caller('owner on another site', 'the owner’s cookie, with the `Origin` of another site', ({ people }) => ({
    session: people.owner.session,
    origin: 'https://evil.example',
  })),
  caller('owner’s own token', '`sub` is the owner, without the capability', ({ tokens }) => ({ bearer: tokens.owner })),
  ...ownersServices,
  caller('svc: without capability', '`X-OV-Subject`: the owner', (world) => ({
    bearer: world.tokens.svcWithout,
    subject: world.people.owner.id,
  })),
  caller('svc: naming what is no person', '`X-OV-Subject: ada`', ({ tokens }) => ({
    bearer: tokens.svc,
    subject: 'ada',
  })),
  caller('desk', 'the current ticket', ({ tickets }) => ({ bearer: tickets.current })),
  caller('desk in grace', 'the ticket before, renewed less than 60 s ago', ({ tickets }) => ({
    bearer: tickets.inGrace,
  })),
  ...deadTickets,
  caller('view ticket', 'minted by the owner', ({ viewTickets }) => ({ viewTicket: viewTickets.owner })),
  caller('spent view ticket', 'minted four hours ago, in its last seconds', ({ viewTickets }) => ({
    viewTicket: viewTickets.spent,
  })),
  caller('shared person’s view ticket', 'minted by them', ({ viewTickets }) => ({ viewTicket: viewTickets.shared })),
  caller('moderator’s view ticket', 'minted by them', ({ viewTickets }) => ({ viewTicket: viewTickets.moderator })),
  caller('link’s view ticket', 'minted by the link', ({ viewTickets }) => ({ viewTicket: viewTickets.link })),
  caller('rotated link’s view ticket', 'minted by a link that `rotate-link` closed', ({ viewTickets }) => ({
    viewTicket: viewTickets.rotatedLink,
  })),
  caller('anybody’s view ticket', 'minted while the stream was public', ({ viewTickets }) => ({
    viewTicket: viewTickets.public,
  })),
  ...deadViewTickets,
  ...badTokens,
  ...apps,
]
