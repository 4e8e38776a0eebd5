import { writeOffer } from '../../media/sdp-bridge/offer-builder.ts'
import { whipOffer } from '../access/requests.ts'
import type { Reply } from '../test-server.ts'
import type { Ledger, SecretKind } from './ledger.ts'

interface Call {
  readonly bearer?: string
  readonly cookie?: string
  readonly body?: unknown
  readonly headers?: Readonly<Record<string, string>>
  /** What this answer is the place to show. */
  readonly shows?: readonly SecretKind[]
  /** A reason of the curtain may stand here: it is the owner who reads. */
  readonly reasons?: boolean
}

/** Words that only the owner may read, of the curtain. */
export const curtainWords = ['password_field', 'secret_file', 'env_print'] as const

/** A server's client that puts every answer into the ledger. */
export class Witness {
  readonly statuses: number[] = []

  constructor(
    readonly url: string,
    readonly ledger: Ledger,
  ) {}

  async call(method: string, path: string, options: Call = {}): Promise<Reply> {
    const { bearer, cookie, body, shows = [], reasons = false } = options
    const plain = typeof body === 'string' || body instanceof Uint8Array
    const response = await fetch(this.url + path, {
      method,
      headers: {
        ...(bearer !== undefined && { Authorization: `Bearer ${bearer}` }),
        ...(cookie !== undefined && { Cookie: cookie, Origin: this.url }),
        ...(body !== undefined && !plain && { 'Content-Type': 'application/json' }),
        ...options.headers,
      },
      body: body === undefined ? null : plain ? (body as string) : JSON.stringify(body),
      redirect: 'manual',
    })
    const bytes = Buffer.from(await response.arrayBuffer())
    const text = bytes.toString('utf8')
    this.statuses.push(response.status)
    const where = `${method} ${path.replace(/[\w-]{22,}/g, '…')} (${response.status})`
    const headers = [...response.headers].map(([name, value]) => `${name}: ${value}`).join('\n')
    this.ledger.read(`${where}, headers`, headers, shows)
    this.ledger.read(`${where}, body`, text, shows)
    if (!reasons) this.#mustNotTell(where, headers + text)
    const json = /json/.test(response.headers.get('content-type') ?? '')
    return { status: response.status, headers: response.headers, body: json ? JSON.parse(text) : text }
  }

  /** Plays messages over a socket until so many answers came, or it is closed. */
  async socket(messages: readonly object[], answers: number, headers: Record<string, string> = {}) {
    const socket = new WebSocket(`${this.url.replace('http', 'ws')}/ws/broadcast`, { headers } as never)
    // biome-ignore lint/suspicious/noExplicitAny: tests look at any shape of answer
    const heard: any[] = []
    const over = new Promise<void>((resolve) => {
      socket.onclose = () => resolve()
      socket.onmessage = ({ data }) => {
        this.ledger.read('a socket', String(data))
        this.#mustNotTell('a socket', String(data))
        const answer = JSON.parse(String(data))
        heard.push(answer)
        if (heard.filter(({ type }) => type !== 'stream').length >= answers) resolve()
      }
    })
    await new Promise((resolve) => {
      socket.onopen = resolve
    })
    for (const message of messages) socket.send(JSON.stringify(message))
    await over
    return { heard, close: () => socket.close() }
  }

  #mustNotTell(where: string, text: string): void {
    for (const word of curtainWords) {
      if (text.includes(word)) throw new Error(`${where} tells the curtain's reason ${word}`)
    }
  }
}

const task = { source: 'desk', ref: 'day', title: 'Test the checkout' }
const sdp = { 'Content-Type': 'application/sdp' }
const player = writeOffer({
  sections: [
    { kind: 'video', mid: '0', direction: 'recvonly' },
    { kind: 'audio', mid: '1', direction: 'recvonly' },
  ],
})
const jpeg = new Uint8Array([0xff, 0xd8, 0xff, 0xe0, ...Array(200).fill(7)])

/** Signs a person in by a new link. Answers their cookie and id. */
async function signIn(witness: Witness, handle: string, operator: string) {
  const added = await witness.call('POST', '/api/operator/people', {
    bearer: operator,
    body: { handle },
    shows: ['sign-in link'],
  })
  const again = await witness.call('POST', `/api/operator/people/${handle}/sign-in-link`, {
    bearer: operator,
    shows: ['sign-in link'],
  })
  await witness.call('GET', `/api/operator/people/${handle}`, { bearer: operator })
  const { pathname } = new URL(again.body.sign_in_url)
  // The page sends the link back: it is whose link it is.
  await witness.call('GET', pathname, { headers: { Accept: 'text/html' }, shows: ['sign-in link'] })
  const { headers } = await witness.call('POST', pathname, { shows: ['session'] })
  await witness.call('POST', pathname)
  await witness.call('POST', pathname, { headers: { Accept: 'text/html' } })
  const cookie = headers.get('set-cookie')?.split(';', 1)[0] ?? ''
  return { id: added.body.id as string, cookie }
}

/**
 * A typical day, errors of all kinds included: create, publish, renew, watch, link, share, curtain,
 * stills, WHEP, sockets, sign-in and sign-out.
 * @param sign a service token for a subject
 */
export async function typicalDay(
  witness: Witness,
  sign: (subject: string, capability: string) => Promise<string>,
): Promise<void> {
  const { call } = { call: witness.call.bind(witness) }
  const publish = 'live.agent_stream.publish'
  const operator = await sign('svc:footlight', 'footlight.operator')
  const ada = await signIn(witness, 'ada', operator)
  const bob = await signIn(witness, 'bob', operator)
  const service = await sign('svc:codes', publish)
  const own = await sign(ada.id, 'nothing')
  const acting = { bearer: service, headers: { 'X-OV-Subject': ada.id } }

  // Create, as the person and by a service.
  const created = await call('POST', '/api/streams/agent', {
    cookie: ada.cookie,
    body: { task, visibility: 'unlisted' },
    shows: ['publish ticket', 'link key'],
  })
  const other = await call('POST', '/api/streams/agent', { ...acting, body: { task }, shows: ['publish ticket'] })
  const { stream, publish: grant, link } = created.body
  const path = `/api/streams/agent/${stream.id}`
  const k = new URL(link.url).searchParams.get('k') ?? ''

  // Publish, renew, and be refused in every way.
  const offer = { body: whipOffer.text, headers: sdp }
  const first = await call('POST', `/whip/agent/${stream.id}`, { ...offer, bearer: grant.ticket })
  const renewed = await call('POST', `${path}/ticket`, { bearer: grant.ticket, shows: ['publish ticket'] })
  const { ticket } = renewed.body
  await call('GET', `${path}/state`, { bearer: ticket })
  await call('GET', `${path}/state`, { bearer: grant.ticket })
  await call('POST', `${path}/ticket`, { bearer: grant.ticket })
  await call('POST', `/whip/agent/${stream.id}`, { ...offer, bearer: ticket })
  await call('POST', `/whip/agent/${stream.id}`, { ...offer, bearer: `${ticket}x` })
  await call('POST', `/whip/agent/${stream.id}`, { ...offer, bearer: other.body.publish.ticket })
  await call('POST', `/whip/agent/${stream.id}`, { ...offer, bearer: service })
  await call('POST', `/whip/agent/${stream.id}`, { body: 'v=0', headers: sdp, bearer: ticket })
  await call('POST', `/whip/agent/${stream.id}`, { body: '{}', bearer: ticket })
  await call('GET', first.headers.get('location') ?? '', { bearer: ticket })

  // Look: pages, lists, tickets.
  const html = { Accept: 'text/html' }
  const page = new URL(stream.page_url).pathname
  await call('GET', path, { cookie: ada.cookie })
  await call('GET', `${path}?k=${k}`)
  await call('GET', `/api/streams/agent?channel=${stream.channel}`, { cookie: ada.cookie })
  await call('GET', page, { cookie: ada.cookie, headers: html, shows: ['view ticket'] })
  await call('GET', `${page}?k=${k}`, { headers: html, shows: ['view ticket'] })
  await call('GET', page, { headers: html })
  await call('GET', '/', { cookie: ada.cookie, headers: html })
  const mine = await call('POST', `${path}/view-ticket`, { cookie: ada.cookie, shows: ['view ticket'] })
  const byLink = await call('POST', `${path}/view-ticket`, { body: { k }, shows: ['view ticket'] })
  await call('POST', `${path}/view-ticket`, { bearer: own, shows: ['view ticket'] })
  await call('POST', `${path}/view-ticket`, { body: { renew: byLink.body.ticket }, shows: ['view ticket'] })
  await call('POST', `${path}/view-ticket`, { body: { renew: `${byLink.body.ticket}x` } })
  await call('POST', `${path}/view-ticket`, { body: { k: `${k}x` } })
  await call('POST', `${path}/view-ticket`, { bearer: mine.body.ticket })
  const embed = `/embed/agent/${stream.id}?vt=${mine.body.ticket}`
  await call('GET', embed, { headers: html, shows: ['view ticket'] })
  await call('GET', `${embed}x`, { headers: html })

  // Watch.
  const play = { body: player, headers: sdp }
  const watching = await call('POST', `/whep/agent/${stream.id}`, { ...play, bearer: mine.body.ticket })
  await call('POST', `/whep/agent/${stream.id}`, play)
  await call('POST', `/whep/agent/${stream.id}`, { ...play, bearer: other.body.publish.ticket })
  await call('POST', `/whep/agent/${stream.id}`, { body: 'nonsense', headers: sdp, bearer: mine.body.ticket })
  await call('DELETE', watching.headers.get('location') ?? '')
  const join = { type: 'join', id: 1, stream: stream.id }
  const seated = await witness.socket([{ ...join, vt: byLink.body.ticket }], 1)
  await witness.socket([{ ...join, vt: `${byLink.body.ticket}x` }], 1)
  await witness.socket([{ ...join, k }], 1)
  await witness.socket([join], 1, { Authorization: `Bearer ${ticket}` })
  await witness.socket([{ type: 'join', ticket }], 1)
  const { rtpCapabilities, media } = seated.heard[0]
  await witness.socket(
    [
      { ...join, vt: mine.body.ticket },
      { type: 'consume', id: 2, media, rtpCapabilities },
    ],
    2,
  )

  // The curtain: the reason is the owner's alone.
  await call('POST', `${path}/curtain`, { bearer: ticket, body: { up: true, reason: 'password_field' } })
  await call('POST', `${path}/curtain`, { bearer: ticket, body: { up: true, reason: 'env_print' } })
  await call('POST', `${path}/curtain`, { cookie: ada.cookie, body: { up: true, reason: 'secret_file' } })
  await call('GET', path, { bearer: mine.body.ticket })
  await call('GET', `${path}/state`, { bearer: ticket })
  await call('GET', `${path}/curtain`, { bearer: ticket })
  await call('GET', `${path}/curtain`, { cookie: bob.cookie })
  const holds = await call('GET', `${path}/curtain`, { cookie: ada.cookie, reasons: true })
  if (!JSON.stringify(holds.body).includes('env_print')) throw new Error('the owner is not told why')
  await call('PUT', `${path}/frame`, { bearer: ticket, body: jpeg })
  await call('GET', `${path}/frame`, { bearer: mine.body.ticket })
  await call('GET', page, { cookie: ada.cookie, headers: html, shows: ['view ticket'] })
  await call('POST', `${path}/curtain`, { bearer: ticket, body: { up: false } })
  await call('POST', `${path}/curtain`, { cookie: ada.cookie, body: { up: false } })
  await call('PUT', `${path}/frame`, { bearer: ticket, body: jpeg })
  await call('GET', `${path}/frame`, { bearer: mine.body.ticket })
  await call('PUT', `${path}/frame`, { bearer: ticket, body: new Uint8Array(201_000) })

  // Share, moderate, rotate.
  await call('PUT', `${path}/share`, { cookie: ada.cookie, body: { handle: '@bob' } })
  await call('POST', `${path}/view-ticket`, { cookie: bob.cookie, shows: ['view ticket'] })
  await call('DELETE', `${path}/share?handle=bob`, { cookie: ada.cookie })
  await call('PUT', `/api/channels/${stream.channel}/moderators`, { cookie: ada.cookie, body: { handle: 'bob' } })
  await call('POST', `${path}/rotate-link`, { cookie: ada.cookie, shows: ['link key'] })
  await call('GET', `${page}?k=${k}`, { headers: html })
  await call('PATCH', path, { cookie: ada.cookie, body: { visibility: 'private' } })
  seated.close()

  // Secrets where they do not belong: nobody repeats them.
  await call('POST', '/api/streams/agent', { cookie: ada.cookie, body: { task: { ...task, source: ticket } } })
  await call('POST', '/api/streams/agent', {
    cookie: ada.cookie,
    body: `{"task": "${ticket}", }`,
    headers: { 'Content-Type': 'application/json' },
  })
  await call('POST', `${path}/curtain`, { bearer: ticket, body: { up: ticket, reason: ticket } })
  await call('GET', `/api/streams/agent?channel=${ticket}`)
  await call('GET', `/api/streams/agent/${ticket}`)
  await call('GET', `/${ticket}/nothing`, { headers: html })
  await call('GET', `/contracts/${ticket}`)
  await call('PATCH', `/whip/agent/${ticket}`)
  await call('GET', path, { bearer: `${own}x` })
  await call('GET', path, { bearer: service, headers: { 'X-OV-Subject': ticket } })
  await call('GET', path, { headers: { Cookie: `footlight_session=${ticket}; footlight_session=x` } })
  await call('GET', `/sign-in?to=${encodeURIComponent(`/${ticket}`)}`, { headers: html })
  await call('POST', `${path}/rotate-link`, { headers: { Cookie: ada.cookie, Origin: 'https://evil.example' } })

  // The end of it.
  await call('DELETE', `${path}/ticket`, { cookie: ada.cookie })
  await call('POST', `/whip/agent/${stream.id}`, { ...offer, bearer: ticket })
  await call('POST', `${path}/end`, { cookie: ada.cookie })
  await call('POST', '/sign-out', { cookie: bob.cookie })
  await call('GET', '/', { cookie: bob.cookie, headers: html })
}
