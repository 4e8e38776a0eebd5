/**
 * The access matrix: every route and every socket message × everybody who calls, on each kind
 * of stream. Written from the specification and the design, not from what the code answers.
 *
 * A row: who (callers and groups of principals.ts), then one cell for each column. A cell is a status
 * for what is allowed, a code of contracts/problem.ts for what is refused.
 */
export interface Route {
  /** Begins a part of the table. */
  readonly heading?: string
  /** As the server declares it; `WS` for a message of the socket. */
  readonly route: string
  /** What the call does, for the table's reader. */
  readonly does: string
  readonly columns: readonly string[]
  /** `live`: the desk publishes. */
  readonly live?: boolean
  /** Which request of requests.ts it is, when it is not the route's own. */
  readonly send?: string
  /** This case is about some callers alone; the route's own entry has them all. */
  readonly some?: boolean
  readonly rows: string
}

export const streamColumns = ['no such stream', 'private', 'unlisted', 'public', 'ended'] as const
const one = [''] as const

/** Whose identity is not looked at. */
const everybody = (cell: string) => `everybody | ${cell}`

/** No token that does not verify gets anywhere, not even where anybody may go. */
const refusedTokens = (columns: 1 | 2 | 5) => {
  const all = (code: string) => Array(columns).fill(code).join(' | ')
  return `
    bad tokens                      | ${all('invalid_token')}
    apps                            | ${all('forbidden')}
    svc: without capability         | ${all('capability.denied')}
    svc: naming what is no person   | ${all('forbidden')}`
}

/** Who may see the stream may see this: the answer, on an open stream and on an ended one. */
const view = (yes: string) => `
    nobody                                    | not_found           | not_found           | not_found           | ${yes} | ${yes}
    strangers, naming nobody, operator        | not_found           | not_found           | not_found           | ${yes} | ${yes}
    link key                                  | not_found           | not_found           | ${yes}              | ${yes} | ${yes}
    moderator                                 | not_found           | not_found           | ${yes}              | ${yes} | ${yes}
    shared person                             | not_found           | ${yes}              | ${yes}              | ${yes} | ${yes}
    owner, owner on another site, owner’s own token, owner’s services | not_found | ${yes}  | ${yes}              | ${yes} | ${yes}
    desk, desk in grace                       | invalid_ticket      | ${yes}              | ${yes}              | ${yes} | invalid_ticket
    dead tickets                              | invalid_ticket      | invalid_ticket      | invalid_ticket      | invalid_ticket | invalid_ticket
    view ticket, spent view ticket, shared person’s view ticket  | invalid_view_ticket | ${yes}              | ${yes}              | ${yes} | ${yes}
    moderator’s view ticket, link’s view ticket | invalid_view_ticket | invalid_view_ticket | ${yes}            | ${yes} | ${yes}
    rotated link’s view ticket, anybody’s view ticket | invalid_view_ticket | invalid_view_ticket | invalid_view_ticket | ${yes} | ${yes}
    dead view tickets                         | invalid_view_ticket | invalid_view_ticket | invalid_view_ticket | invalid_view_ticket | invalid_view_ticket
    ${refusedTokens(5)}`

/** As `view`, on a page: what is not to be seen is not there. A ticket in the address that does not stand counts as none. */
const pages = `
    nobody, strangers, naming nobody, operator | not_found | not_found | not_found | 200 | 200
    link key, moderator                        | not_found | not_found | 200       | 200 | 200
    shared person                              | not_found | 200       | 200       | 200 | 200
    owner, owner on another site, owner’s own token, owner’s services | not_found | 200 | 200 | 200 | 200
    desk, desk in grace                        | not_found | 200       | 200       | 200 | not_found
    dead tickets                               | not_found | not_found | not_found | not_found | not_found
    view ticket, spent view ticket, shared person’s view ticket   | not_found | 200       | 200       | 200 | 200
    moderator’s view ticket, link’s view ticket | not_found | not_found | 200      | 200 | 200
    rotated link’s view ticket, anybody’s view ticket | not_found | not_found | not_found | 200 | 200
    dead view tickets                          | not_found | not_found | not_found | 200 | 200
    bad tokens                                 | not_found | not_found | not_found | not_found | not_found
    apps, svc: naming what is no person        | forbidden | forbidden | forbidden | forbidden | forbidden
    svc: without capability                    | capability.denied | capability.denied | capability.denied | capability.denied | capability.denied`

/** Media: a view ticket where one is needed, and no other way in. `yes` while it is live, `ended` after. */
const watch = (yes: string, ended: string, crossSite = 'foreign_origin') => `
    nobody                                    | not_found           | not_found            | not_found            | ${yes} | ${ended}
    strangers, naming nobody, operator        | not_found           | not_found            | not_found            | ${yes} | ${ended}
    link key                                  | not_found           | not_found            | view_ticket_required | ${yes} | ${ended}
    moderator                                 | not_found           | not_found            | view_ticket_required | ${yes} | ${ended}
    shared person                             | not_found           | view_ticket_required | view_ticket_required | ${yes} | ${ended}
    owner, owner’s own token, owner’s services | not_found          | view_ticket_required | view_ticket_required | ${yes} | ${ended}
    ${crossSite === 'foreign_origin' ? 'owner on another site | foreign_origin | foreign_origin | foreign_origin | foreign_origin | foreign_origin' : crossSite}
    desk, desk in grace                       | invalid_ticket      | view_ticket_required | view_ticket_required | ${yes} | invalid_ticket
    dead tickets                              | invalid_ticket      | invalid_ticket       | invalid_ticket       | invalid_ticket | invalid_ticket
    view ticket, spent view ticket, shared person’s view ticket  | invalid_view_ticket | ${yes}               | ${yes}               | ${yes} | ${ended}
    moderator’s view ticket, link’s view ticket | invalid_view_ticket | invalid_view_ticket | ${yes}              | ${yes} | ${ended}
    rotated link’s view ticket, anybody’s view ticket | invalid_view_ticket | invalid_view_ticket | invalid_view_ticket | ${yes} | ${ended}
    dead view tickets                         | invalid_view_ticket | invalid_view_ticket  | invalid_view_ticket  | invalid_view_ticket | invalid_view_ticket
    ${refusedTokens(5)}`

/** What only the stream's desk does. Others who may see the stream are told to bring the ticket. */
const desk = (yes: string, crossSite = 'foreign_origin') => `
    nobody, strangers, naming nobody, operator | not_found     | not_found      | not_found      | invalid_ticket | invalid_ticket
    link key, moderator                       | not_found      | not_found      | invalid_ticket | invalid_ticket | invalid_ticket
    shared person                             | not_found      | invalid_ticket | invalid_ticket | invalid_ticket | invalid_ticket
    owner, owner’s own token, owner’s services | not_found     | invalid_ticket | invalid_ticket | invalid_ticket | invalid_ticket
    ${crossSite === 'foreign_origin' ? 'owner on another site | foreign_origin | foreign_origin | foreign_origin | foreign_origin | foreign_origin' : crossSite}
    desk, desk in grace                       | invalid_ticket | ${yes}         | ${yes}         | ${yes}         | invalid_ticket
    dead tickets                              | invalid_ticket | invalid_ticket | invalid_ticket | invalid_ticket | invalid_ticket
    ${viewTickets('invalid_ticket', 'invalid_ticket')}
    ${refusedTokens(5)}`

/** WHIP knows the publish ticket and nothing else: without it 401, whoever asks, stream or no stream. */
const whip = (yes: string) => `
    desk, desk in grace | invalid_ticket | ${yes}         | ${yes}         | ${yes}         | invalid_ticket
    everybody else      | invalid_ticket | invalid_ticket | invalid_ticket | invalid_ticket | invalid_ticket`

/** A WHEP session's address has 128 random bits that its viewer alone was told: whoever knows it may. */
const byAddress = (yes: string, no = 'session_not_found') => `everybody | ${no} | ${yes} | ${yes} | ${yes} | ${no}`

/** What a view ticket is told where it opens nothing: `other` where it stands, `dead` where it does not. */
function viewTickets(other: string, dead = 'invalid_view_ticket', spent = other) {
  return `
    view ticket, shared person’s view ticket  | ${dead} | ${other} | ${other} | ${other} | ${other}
    spent view ticket                         | ${dead} | ${spent} | ${spent} | ${spent} | ${spent}
    moderator’s view ticket, link’s view ticket | ${dead} | ${dead} | ${other} | ${other} | ${other}
    rotated link’s view ticket, anybody’s view ticket | ${dead} | ${dead} | ${dead} | ${other} | ${other}
    dead view tickets                         | ${dead} | ${dead}  | ${dead}  | ${dead}  | ${dead}`
}

interface Owners {
  /** For the owner, on an open stream and on an ended one. */
  readonly yes: string
  readonly ended: string
  readonly moderator?: string
  readonly moderatorEnded?: string
  readonly deskRows?: string
  /** The address takes no `k`: who came by a link is nobody here. */
  readonly keyless?: boolean
  /** A read: a cookie may come from any site. */
  readonly read?: boolean
}

/** What the owner does, and who acts for them. */
function owners({ yes, ended, read, keyless, ...more }: Owners): string {
  const { moderator = 'forbidden', moderatorEnded = 'forbidden' } = more
  const crossSite = read
    ? `not_found | ${yes} | ${yes} | ${yes} | ${ended}`
    : Array(5).fill('foreign_origin').join(' | ')
  const { deskRows = 'desk, desk in grace | invalid_ticket | forbidden | forbidden | forbidden | invalid_ticket' } =
    more
  return `
    nobody                               | not_found      | not_found      | not_found        | sign_in_required | sign_in_required
    strangers, naming nobody, operator   | not_found      | not_found      | not_found        | forbidden        | forbidden
    link key                             | not_found      | not_found      | ${keyless ? 'not_found' : 'sign_in_required'} | sign_in_required | sign_in_required
    moderator                            | not_found      | not_found      | ${moderator}     | ${moderator}     | ${moderatorEnded}
    shared person                        | not_found      | forbidden      | forbidden        | forbidden        | forbidden
    owner, owner’s services              | not_found      | ${yes}         | ${yes}           | ${yes}           | ${ended}
    owner’s own token                    | not_found      | capability.denied | capability.denied | capability.denied | capability.denied
    owner on another site                | ${crossSite}
    ${deskRows}
    dead tickets                         | invalid_ticket | invalid_ticket | invalid_ticket   | invalid_ticket   | invalid_ticket
    ${viewTickets('forbidden')}
    ${refusedTokens(5)}`
}

const deskToo = (yes: string) => `desk, desk in grace | invalid_ticket | ${yes} | ${yes} | ${yes} | invalid_ticket`

/** Not of one stream: who may come in at all. */
const signedInOnly = (yes: string, rest: string) => `
    nobody, link key      | sign_in_required
    owner on another site | foreign_origin
    strangers, shared person, moderator, owner, owner’s services | ${yes}
    ${rest}
    desk, desk in grace, dead tickets | forbidden
    view ticket, spent view ticket, shared person’s view ticket, moderator’s view ticket, link’s view ticket | forbidden
    rotated link’s view ticket, anybody’s view ticket, dead view tickets | forbidden
    ${refusedTokens(1)}`

const operators = (yes: string) => `
    operator                      | ${yes}
    service for the owner signed here | capability.denied
    everybody else                | invalid_token`

const channelColumns = ['no such channel', 'the owner’s channel'] as const
const channelOwner = (read: boolean) => `
    nobody, link key                        | sign_in_required | sign_in_required
    strangers, naming nobody, operator, shared person, moderator | not_found | not_found
    owner, owner’s services                 | not_found        | 200
    owner’s own token                       | not_found        | capability.denied
    owner on another site                   | ${read ? 'not_found | 200' : 'foreign_origin | foreign_origin'}
    desk, desk in grace, dead tickets       | not_found        | not_found
    view ticket, spent view ticket, shared person’s view ticket, moderator’s view ticket, link’s view ticket | not_found | not_found
    rotated link’s view ticket, anybody’s view ticket, dead view tickets | not_found | not_found
    ${refusedTokens(2)}`

const columns = streamColumns

export const matrix: readonly Route[] = [
  {
    heading: 'The stream',
    route: 'POST /api/streams/agent',
    does: 'create a stream',
    columns: one,
    rows: signedInOnly(
      '201',
      `
      owner’s own token, operator  | capability.denied
      svc: naming nobody           | forbidden
      svc: naming somebody unknown | not_found`,
    ),
  },
  {
    route: 'GET /api/streams/agent',
    does: 'list a channel’s streams: is it in the list?',
    columns,
    rows: `
      nobody, link key, strangers, naming nobody, operator | not listed | not listed | not listed | listed | listed
      moderator      | not listed | not listed | listed | listed | listed
      shared person  | not listed | listed   | listed | listed | listed
      owner, owner on another site, owner’s own token, owner’s services | not listed | listed | listed | listed | listed
      desk, desk in grace, dead tickets | forbidden | forbidden | forbidden | forbidden | forbidden
      view ticket, spent view ticket, shared person’s view ticket, moderator’s view ticket | forbidden | forbidden | forbidden | forbidden | forbidden
      link’s view ticket, rotated link’s view ticket, anybody’s view ticket | forbidden | forbidden | forbidden | forbidden | forbidden
      dead view tickets | forbidden | forbidden | forbidden | forbidden | forbidden
      ${refusedTokens(5)}`,
  },
  { route: 'GET /api/streams/agent/:id', does: 'read the stream', columns, rows: view('200') },
  {
    route: 'PATCH /api/streams/agent/:id',
    does: 'change the visibility',
    columns,
    rows: owners({ yes: '200', ended: '200' }),
  },
  {
    route: 'POST /api/streams/agent/:id/ticket',
    does: 'mint or renew the publish ticket',
    columns,
    rows: owners({
      yes: '201',
      ended: 'stream_ended',
      deskRows: `
    desk          | invalid_ticket | 201            | 201            | 201            | invalid_ticket
    desk in grace | invalid_ticket | invalid_ticket | invalid_ticket | invalid_ticket | invalid_ticket`,
    }),
  },
  {
    route: 'DELETE /api/streams/agent/:id/ticket',
    does: 'the kill switch',
    columns,
    rows: owners({ yes: '200', ended: '200' }),
  },
  {
    route: 'GET /api/streams/agent/:id/state',
    does: 'what the desk polls',
    columns,
    rows: desk(
      '200',
      'owner on another site | not_found | invalid_ticket | invalid_ticket | invalid_ticket | invalid_ticket',
    ),
  },
  { route: 'PUT /api/streams/agent/:id/frame', does: 'the desk’s still', columns, rows: desk('204') },
  { route: 'GET /api/streams/agent/:id/frame', does: 'see the last still', columns, rows: view('200') },
  {
    route: 'POST /api/streams/agent/:id/curtain',
    does: 'raise the curtain',
    columns,
    rows: owners({
      yes: '200',
      ended: 'stream_ended',
      moderator: '200',
      moderatorEnded: 'stream_ended',
      deskRows: deskToo('200'),
    }),
  },
  {
    route: 'GET /api/streams/agent/:id/curtain',
    does: 'who holds the curtain, and why',
    columns,
    rows: owners({ yes: '200', ended: '200', read: true }),
  },
  {
    route: 'POST /api/streams/agent/:id/end',
    does: 'end the stream',
    columns,
    rows: owners({ yes: '200', ended: '200', deskRows: deskToo('200') }),
  },

  {
    heading: 'Watching',
    route: 'POST /api/streams/agent/:id/view-ticket',
    does: 'a view ticket, by one’s own right or by the link (`k`)',
    columns,
    rows: `
      nobody, strangers, naming nobody, operator | not_found | not_found | not_found | 201 | 201
      link key, moderator                        | not_found | not_found | 201       | 201 | 201
      shared person                              | not_found | 201       | 201       | 201 | 201
      owner, owner’s own token, owner’s services | not_found | 201       | 201       | 201 | 201
      owner on another site | foreign_origin | foreign_origin | foreign_origin | foreign_origin | foreign_origin
      desk, desk in grace                        | invalid_ticket | forbidden | forbidden | forbidden | invalid_ticket
      dead tickets          | invalid_ticket | invalid_ticket | invalid_ticket | invalid_ticket | invalid_ticket
      ${viewTickets('forbidden')}
      ${refusedTokens(5)}`,
  },
  {
    route: 'POST /api/streams/agent/:id/view-ticket',
    does: 'renew a view ticket (`renew`): the ticket is the right, whoever brings it',
    columns,
    send: 'renew',
    some: true,
    rows: viewTickets('200', 'invalid_view_ticket', 'invalid_view_ticket'),
  },
  {
    route: 'POST /api/streams/agent/:id/rotate-link',
    does: 'a new link',
    columns,
    rows: owners({ yes: '200', ended: '200' }),
  },
  {
    route: 'GET /api/streams/agent/:id/share',
    does: 'whom it is shared with',
    columns,
    rows: owners({ yes: '200', ended: '200', read: true }),
  },
  {
    route: 'PUT /api/streams/agent/:id/share',
    does: 'share it',
    columns,
    rows: owners({ yes: '200', ended: '200' }),
  },
  {
    route: 'DELETE /api/streams/agent/:id/share',
    does: 'take it back',
    columns,
    rows: owners({ yes: '200', ended: '200', keyless: true }),
  },
  { route: 'POST /whep/agent/:id', does: 'watch with WHEP', columns, live: true, rows: watch('201', 'not_live') },
  {
    route: 'POST /whep/agent/:id',
    does: 'watch with WHEP while the desk does not publish',
    columns,
    rows: watch('not_live', 'not_live'),
  },
  {
    route: 'PATCH /whep/agent/:id/:session',
    does: 'bring candidates or restart ICE: the session’s id is the right',
    columns,
    live: true,
    rows: byAddress('204'),
  },
  {
    route: 'DELETE /whep/agent/:id/:session',
    does: 'leave: the session’s id is the right',
    columns,
    live: true,
    rows: byAddress('200'),
  },
  {
    route: 'GET /whep/agent/:id/:session',
    does: 'is the player’s session up?',
    columns,
    live: true,
    rows: byAddress('204'),
  },
  {
    route: 'HEAD /whep/agent/:id/:session',
    does: 'is the player’s session up?',
    columns,
    live: true,
    rows: byAddress('204', '404'),
  },
  {
    route: 'POST /whep/agent/:id/:session/events',
    does: 'ask for the session’s events',
    columns,
    live: true,
    rows: byAddress('201'),
  },
  {
    route: 'GET /whep/agent/:id/:session/events/:events',
    does: 'read the events: their address is the right',
    columns,
    live: true,
    rows: byAddress('200'),
  },
  {
    route: 'DELETE /whep/agent/:id/:session/events/:events',
    does: 'end the events',
    columns,
    live: true,
    rows: byAddress('200'),
  },
  { route: 'GET /whep/agent/:id', does: 'nothing (WHEP)', columns, rows: everybodyEverywhere('204') },
  { route: 'HEAD /whep/agent/:id', does: 'what it takes', columns, rows: everybodyEverywhere('200') },
  { route: 'OPTIONS /whep/agent/:id', does: 'preflight', columns, rows: everybodyEverywhere('200') },
  { route: 'OPTIONS /whep/agent/:id/:session', does: 'preflight', columns, rows: everybodyEverywhere('200') },
  { route: 'OPTIONS /whep/agent/:id/:session/events', does: 'preflight', columns, rows: everybodyEverywhere('200') },
  {
    route: 'OPTIONS /whep/agent/:id/:session/events/:events',
    does: 'preflight',
    columns,
    rows: everybodyEverywhere('200'),
  },
  {
    route: 'WS /ws/broadcast join',
    does: 'join with our player; whoever may not is closed with 4003',
    columns,
    rows: watch('joined', 'joined', 'owner on another site | not_found | not_found | not_found | joined | joined'),
  },
  {
    route: 'WS /ws/broadcast consume',
    does: 'receive, after the join; who is not in is out of order',
    columns,
    live: true,
    rows: seated('consumed'),
  },
  {
    route: 'WS /ws/broadcast connect',
    does: 'connect the transport, after consuming',
    columns,
    live: true,
    rows: seated('connected'),
  },
  {
    route: 'WS /ws/broadcast leave',
    does: 'leave; the socket stays, and is not in any more',
    columns,
    rows: everybodyEverywhere('left'),
  },

  { heading: 'Publishing', route: 'POST /whip/agent/:id', does: 'publish with WHIP', columns, rows: whip('201') },
  {
    route: 'POST /whip/agent/:id',
    does: 'publish while a session is up',
    columns,
    live: true,
    rows: whip('already_publishing'),
  },
  {
    route: 'PATCH /whip/agent/:id/:session',
    does: 'bring candidates or restart ICE',
    columns,
    live: true,
    rows: whip('204'),
  },
  { route: 'DELETE /whip/agent/:id/:session', does: 'stop publishing', columns, live: true, rows: whip('200') },
  { route: 'GET /whip/agent/:id/:session', does: 'is the session up?', columns, live: true, rows: whip('204') },
  {
    route: 'HEAD /whip/agent/:id/:session',
    does: 'is the session up?',
    columns,
    live: true,
    rows: whip('204').replaceAll('invalid_ticket', '401'),
  },
  { route: 'HEAD /whip/agent/:id', does: 'nothing (RFC 9725)', columns, rows: everybodyEverywhere('204') },
  { route: 'GET /whip/agent/:id', does: 'nothing (RFC 9725)', columns, rows: everybodyEverywhere('204') },
  { route: 'OPTIONS /whip/agent/:id', does: 'preflight', columns, rows: everybodyEverywhere('200') },
  { route: 'OPTIONS /whip/agent/:id/:session', does: 'preflight', columns, rows: everybodyEverywhere('200') },

  {
    heading: 'The channel',
    route: 'GET /api/channels/:channel/moderators',
    does: 'who moderates',
    columns: channelColumns,
    rows: channelOwner(true),
  },
  {
    route: 'PUT /api/channels/:channel/moderators',
    does: 'add a moderator',
    columns: channelColumns,
    rows: channelOwner(false),
  },
  {
    route: 'DELETE /api/channels/:channel/moderators',
    does: 'remove a moderator',
    columns: channelColumns,
    rows: channelOwner(false),
  },

  { heading: 'Pages', route: 'GET /:at/agents/:id', does: 'the watch page', columns, rows: pages },
  { route: 'GET /embed/agent/:id', does: 'the embed', columns, rows: pages },
  {
    route: 'GET /',
    does: 'the home page',
    columns: one,
    rows: `
      bad tokens                    | invalid_token
      apps, svc: naming what is no person | forbidden
      svc: without capability       | capability.denied
      everybody else                | 200`,
  },
  { route: 'GET /favicon.ico', does: 'the icon', columns: one, rows: everybody('302') },
  { route: 'GET /assets/:file', does: 'what pages load', columns: one, rows: everybody('200') },

  { heading: 'Signing in', route: 'GET /sign-in', does: 'how to sign in', columns: one, rows: everybody('200') },
  {
    route: 'GET /sign-in/callback',
    does: 'back from the provider, where there is none',
    columns: one,
    rows: everybody('not_found'),
  },
  { route: 'GET /sign-in/:link', does: 'look at a sign-in link', columns: one, rows: everybody('200') },
  {
    route: 'POST /sign-in/:link',
    does: 'use a sign-in link',
    columns: one,
    rows: `
      owner on another site | foreign_origin
      everybody else        | 303`,
  },
  {
    route: 'POST /sign-out',
    does: 'sign out',
    columns: one,
    rows: `
      owner on another site | foreign_origin
      everybody else        | 303`,
  },

  {
    heading: 'The operator, and what anybody may know',
    route: 'POST /api/operator/people',
    does: 'add a person',
    columns: one,
    rows: operators('201'),
  },
  { route: 'GET /api/operator/people/:handle', does: 'find a person', columns: one, rows: operators('200') },
  {
    route: 'POST /api/operator/people/:handle/sign-in-link',
    does: 'a sign-in link for a person',
    columns: one,
    rows: operators('201'),
  },
  { route: 'GET /.well-known/jwks.json', does: 'this server’s public keys', columns: one, rows: everybody('200') },
  { route: 'GET /openapi.json', does: 'the OpenAPI document', columns: one, rows: everybody('200') },
  { route: 'GET /docs', does: 'the API for people', columns: one, rows: everybody('200') },
  { route: 'GET /problems', does: 'the codes of refusals', columns: one, rows: everybody('200') },
  { route: 'GET /problems/:code', does: 'one code', columns: one, rows: everybody('200') },
  { route: 'GET /contracts', does: 'the contracts', columns: one, rows: everybody('200') },
  { route: 'GET /contracts/:name', does: 'one contract', columns: one, rows: everybody('200') },
  { route: 'GET /healthz', does: 'the process answers', columns: one, rows: everybody('200') },
  { route: 'GET /readyz', does: 'it can do its work', columns: one, rows: everybody('200') },
]

function everybodyEverywhere(cell: string): string {
  return `everybody | ${Array(5).fill(cell).join(' | ')}`
}

/** Of those who could join, `yes`; the others have no seat. An ended stream has nothing to receive. */
function seated(yes: string): string {
  const ended = 'stream_ended'
  const out = 'wrong_order'
  return `
    nobody, strangers, naming nobody, operator, link key, moderator, shared person | ${out} | ${out} | ${out} | ${yes} | ${ended}
    owner, owner on another site, owner’s own token, owner’s services | ${out} | ${out} | ${out} | ${yes} | ${ended}
    desk, desk in grace                       | ${out} | ${out} | ${out} | ${yes} | ${out}
    view ticket, spent view ticket, shared person’s view ticket  | ${out} | ${yes} | ${yes} | ${yes} | ${ended}
    moderator’s view ticket, link’s view ticket | ${out} | ${out} | ${yes} | ${yes} | ${ended}
    rotated link’s view ticket, anybody’s view ticket | ${out} | ${out} | ${out} | ${yes} | ${ended}
    dead tickets, dead view tickets, bad tokens, apps | ${out} | ${out} | ${out} | ${out} | ${out}
    svc: without capability, svc: naming what is no person | ${out} | ${out} | ${out} | ${out} | ${out}`
}
