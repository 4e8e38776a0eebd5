import { type Answer, readAnswer } from '../../src/conformance/answer.ts'
import { readSdpFragment, sdpFragmentType, writeSdpFragment } from '../../src/contracts/sdp-fragment.ts'
import { whepEventsRelation } from '../../src/contracts/whep-events.ts'

/** What a server may do wrong, and the checks that must notice: those of the peers first, as INTEROP's table has them. */
export const faults = {
  // MediaMTX, Galene, LiveKit, Broadcast Box.
  'charset 415': ['offer-type-parameters'],
  'charset 400': ['offer-type-parameters'],
  'type unchecked': ['offer-wrong-type'],
  'GET 405': ['endpoint-get'],
  'ETag is *': ['etag', 'restart-etag'],
  'ETag unquoted': ['etag', 'restart-etag'],
  'no ETag': ['etag', 'restart-etag'],
  'If-Match ignored': ['patch-without-if-match', 'patch-stale-if-match', 'restart-etag'],
  'stale If-Match 500': ['patch-stale-if-match', 'restart-etag'],
  'no If-Match 200': ['patch-without-if-match'],
  'If-Match checked on DELETE': ['delete-ignores-tags'],
  'no body limit': ['offer-too-large'],
  'missing token 400': ['offer-without-token', 'patch-without-token', 'delete-without-token'],
  // The rest of the lists.
  'HEAD 405': ['endpoint-head'],
  'GET has content': ['endpoint-get', 'session-get'],
  'no Accept-Post': ['endpoint-options'],
  'preflight wants a token': ['endpoint-options', 'endpoint-preflight', 'session-options'],
  'preflight allows no Authorization': ['endpoint-preflight'],
  'ICE servers in the preflight': ['preflight-no-ice-servers'],
  'TURN without credential': ['answer-ice-servers'],
  'nothing exposed': ['answer-cors'],
  'wrong methods 404': ['endpoint-other-methods', 'session-other-methods'],
  'garbage 500': ['offer-malformed'],
  'any token': [],
  'token 500': ['offer-without-token', 'offer-wrong-token', 'patch-without-token', 'delete-without-token'],
  'answer of another type': ['answer'],
  'addresses are counted': ['session-url'],
  'answers sendrecv': ['answer-direction'],
  'takes every direction': ['offer-wrong-direction'],
  'm-sections in another order': ['answer-mirrors'],
  'formats of its own': ['answer-mirrors'],
  'no candidates': ['answer-candidates'],
  'no rtcp-mux-only': ['answer-bundle'],
  'no BUNDLE': ['answer-bundle'],
  'setup always active': ['answer-setup'],
  'no fingerprint': ['answer-fingerprint'],
  'refuses audio alone': ['one-track'],
  'wants CRLF': ['line-feeds'],
  'wants media level': ['session-level'],
  'takes two videos by half': ['two-videos'],
  'rejects one m-section': ['no-partial-answer'],
  'simulcast answered send': ['simulcast'],
  'takes another offer': ['no-renegotiation'],
  'DELETE 500': ['delete', 'delete-ignores-tags'],
  'DELETE again 200': ['delete'],
  'DELETE without a token': ['delete-without-token'],
  'PATCH without a token': ['patch-without-token'],
  'PATCH type unchecked': ['patch-wrong-type', 'no-renegotiation'],
  'PATCH with parameters 415': ['patch-type-parameters'],
  'malformed fragment 204': ['patch-malformed', 'restart-failed'],
  'trickle 200': ['trickle', 'trickle-unknown', 'restart-etag', 'restart-failed'],
  'trickle has an ETag': ['trickle'],
  'unknown candidates 400': ['trickle-unknown'],
  'restart keeps its credentials': ['restart'],
  'restart answers JSON': ['etag', 'restart', 'restart-quoted-star', 'restart-etag', 'restart-same-options'],
  'restart keeps its ETag': ['restart-etag'],
  'restart loses ice-lite': ['restart-same-options'],
  'restart loses ice-options': ['restart-same-options'],
  'star in quotes 412': ['restart-quoted-star'],
  'failed restart ends the session': ['restart-failed'],
  'restart 500': ['etag', 'restart', 'restart-quoted-star', 'restart-etag', 'restart-same-options'],
  'PATCH after the end 204': ['patch-gone'],
  'redirects with 302': [],
  // WHEP alone.
  'not live 404': ['not-live'],
  'not live without Retry-After': ['not-live'],
  'tracks of two streams': ['answer-msid'],
  'events without names': ['events-link', 'events-stream'],
  'events as JSON': ['events-stream'],
  'events outlive DELETE': ['events-end'],
  'events outlive the session': ['events-end-with-session'],
} as const satisfies Record<string, readonly string[]>
export type Fault = keyof typeof faults

interface StandInSession {
  etag: string
  ufrag: string
  pwd: string
  client: string
  readonly streams: Set<string>
}

const token = 'right'

/**
 * A server of WHIP and WHEP with nothing behind it, small and to the letter, but for one fault.
 * It stands for the servers of others, which the suites are for.
 */
export function startStandIn(fault: Fault | null) {
  const wrong = (one: Fault) => fault === one
  const kinds = { whip: new Map<string, StandInSession>(), whep: new Map<string, StandInSession>() }
  let counter = 100
  const fresh = () => crypto.randomUUID().replaceAll('-', '')
  const open = {
    'Access-Control-Allow-Origin': '*',
    ...(wrong('nothing exposed') ? {} : { 'Access-Control-Expose-Headers': 'Location, ETag, Link' }),
  }
  const reply = (status: number, headers: Record<string, string> = {}, body: string | null = null) =>
    new Response(body, { status, headers: { ...open, ...headers } })

  const server = Bun.serve({
    port: 0,
    hostname: '127.0.0.1',
    maxRequestBodySize: 8 * 1024 * 1024,
    async fetch(request) {
      const [, kind = '', id, events, stream] = new URL(request.url).pathname.split('/')
      if (kind !== 'whip' && kind !== 'whep') return reply(404)
      if (request.method === 'OPTIONS') return options(request, id !== undefined)
      if (events !== undefined) return eventsOf(request, kinds[kind].get(id ?? ''), `/${kind}/${id}/events`, stream)
      const mayWithout =
        wrong('any token') ||
        (wrong('DELETE without a token') && request.method === 'DELETE') ||
        (wrong('PATCH without a token') && request.method === 'PATCH')
      const changes = ['POST', 'PATCH', 'DELETE'].includes(request.method)
      if (changes && !mayWithout && request.headers.get('authorization') !== `Bearer ${token}`) {
        if (wrong('token 500')) return reply(500)
        const missing = !request.headers.has('authorization')
        if (missing && wrong('missing token 400')) return reply(400)
        return reply(401, { 'WWW-Authenticate': 'Bearer' })
      }
      return id === undefined ? await endpoint(request, kind) : await session(request, kind, id)
    },
  })
  return {
    url: (kind: 'whip' | 'whep') => `${server.url.origin}/${kind}`,
    token,
    /** Sessions that nobody ended. */
    left: () => kinds.whip.size + kinds.whep.size,
    stop: () => server.stop(true),
  }

  function options(request: Request, ofSession: boolean): Response {
    if (wrong('preflight wants a token') && !request.headers.has('authorization')) return reply(401)
    const allowed = wrong('preflight allows no Authorization')
      ? 'Content-Type'
      : 'Authorization, Content-Type, If-Match'
    return reply(200, {
      ...(wrong('no Accept-Post') ? {} : { 'Accept-Post': 'application/sdp' }),
      'Access-Control-Allow-Methods': ofSession ? 'PATCH, DELETE' : 'POST',
      'Access-Control-Allow-Headers': allowed,
      ...(wrong('ICE servers in the preflight') ? { Link: '<stun:stun.example>; rel="ice-server"' } : {}),
    })
  }

  async function endpoint(request: Request, kind: 'whip' | 'whep'): Promise<Response> {
    const { method } = request
    if (method === 'GET') {
      if (wrong('GET 405')) return reply(405, { Allow: 'POST, OPTIONS' })
      return wrong('GET has content') ? reply(200, {}, 'WHIP') : reply(204)
    }
    if (method === 'HEAD') return reply(wrong('HEAD 405') ? 405 : 200)
    if (method !== 'POST') return notAllowed('GET, HEAD, POST, OPTIONS')
    if (wrong('redirects with 302') && !request.url.endsWith('?again'))
      return reply(302, { Location: `/${kind}?again` })
    const type = request.headers.get('content-type') ?? ''
    if (wrong('charset 415') && type !== 'application/sdp') return reply(415)
    if (wrong('charset 400') && type.includes(';')) return reply(400)
    const isSdp = type.split(';', 1)[0]?.toLowerCase() === 'application/sdp'
    if (!isSdp && !wrong('type unchecked')) return reply(415)
    const body = await request.text()
    if (body.length > 65_536 && !wrong('no body limit')) return reply(413)
    const offer = readAnswer(body)
    if (offer === null || offer.sections.length === 0) return reply(wrong('garbage 500') ? 500 : 400)
    if (kind === 'whep' && kinds.whip.size === 0) {
      if (wrong('not live 404')) return reply(404)
      return reply(409, wrong('not live without Retry-After') ? {} : { 'Retry-After': '1' })
    }
    const refused = refusalOf(offer, body, kind)
    return refused === null ? created(offer, kind) : reply(refused)
  }

  function refusalOf(offer: Answer, body: string, kind: 'whip' | 'whep'): number | null {
    const directions = kind === 'whip' ? ['sendonly', 'sendrecv'] : ['recvonly', 'sendrecv']
    const rightWay = offer.sections.every(({ direction }) => directions.includes(direction))
    if (!rightWay && !wrong('takes every direction')) return 422
    const videos = offer.sections.filter((section) => section.kind === 'video').length
    if (videos > 1 && !wrong('takes two videos by half')) return 422
    if (body.includes('X-UNKNOWN') && !wrong('rejects one m-section')) return 406
    if (offer.sections.length === 1 && videos === 0 && wrong('refuses audio alone')) return 422
    if (!body.includes('\r\n') && wrong('wants CRLF')) return 400
    if (offer.lines.some((line) => line.startsWith('a=ice-ufrag')) && wrong('wants media level')) return 400
    return null
  }

  function created(offer: Answer, kind: 'whip' | 'whep'): Response {
    const id = wrong('addresses are counted') ? String(counter++) : fresh()
    const made: StandInSession = {
      etag: wrong('ETag is *') ? '*' : fresh(),
      ufrag: fresh(),
      pwd: fresh(),
      client: offer.ufrag ?? '',
      streams: new Set(),
    }
    kinds[kind].set(id, made)
    const path = `/${kind}/${id}`
    const headers = new Headers({
      ...open,
      'Content-Type': wrong('answer of another type') ? 'text/plain' : 'application/sdp',
      Location: path,
      ...tagOf(made),
    })
    const credential = wrong('TURN without credential') ? '' : '; credential="secret"'
    headers.append('Link', `<turn:turn.example>; rel="ice-server"; username="user"${credential}`)
    if (kind === 'whep') {
      const names = wrong('events without names') ? '' : '; events="active,viewercount"'
      headers.append('Link', `<${path}/events>; rel="${whepEventsRelation}"${names}`)
    }
    return new Response(answerTo(offer, made, kind), { status: 201, headers })
  }

  function tagOf({ etag }: StandInSession): Record<string, string> {
    if (wrong('no ETag')) return {}
    return { ETag: wrong('ETag unquoted') || wrong('ETag is *') ? etag : `"${etag}"` }
  }

  function answerTo(offer: Answer, { ufrag, pwd }: StandInSession, kind: 'whip' | 'whep'): string {
    const direction = wrong('answers sendrecv') ? 'sendrecv' : kind === 'whip' ? 'recvonly' : 'sendonly'
    let videos = 0
    const sections = offer.sections.map(({ kind: media, payloads, mid, setup, lines }, at) => {
      const [first = ''] = payloads
      const second = media === 'video' && ++videos > 1
      if (second || lines.some((line) => line.includes('X-UNKNOWN'))) {
        return [`m=${media} 0 UDP/TLS/RTP/SAVPF ${first}`, `a=mid:${mid}`, 'a=inactive']
      }
      const active = setup === 'passive' || wrong('setup always active')
      const rids = lines.filter((line) => line.startsWith('a=rid:')).map((line) => line.split(/[: ]/)[1] ?? '')
      return [
        `m=${media} 9 UDP/TLS/RTP/SAVPF ${wrong('formats of its own') ? '45' : first}`,
        'c=IN IP4 0.0.0.0',
        ...(mid === null ? [] : [`a=mid:${mid}`]),
        `a=${direction}`,
        `a=ice-ufrag:${ufrag}`,
        `a=ice-pwd:${pwd}`,
        'a=ice-options:ice2',
        ...(wrong('no fingerprint') ? [] : ['a=fingerprint:sha-256 AA:BB']),
        `a=setup:${active ? 'active' : 'passive'}`,
        ...(wrong('no candidates') ? [] : ['a=candidate:1 1 udp 2122260223 192.0.2.1 4000 typ host']),
        'a=rtcp-mux',
        ...(wrong('no rtcp-mux-only') ? [] : ['a=rtcp-mux-only']),
        ...(kind === 'whip' ? [] : [`a=msid:${wrong('tracks of two streams') ? at : 'stream'} track${at}`]),
        ...rids.map((rid) => `a=rid:${rid} recv`),
        ...(rids.length === 0
          ? []
          : [`a=simulcast:${wrong('simulcast answered send') ? 'send' : 'recv'} ${rids.join(';')}`]),
      ]
    })
    if (wrong('m-sections in another order')) sections.reverse()
    const mids = offer.sections.flatMap(({ mid }) => mid ?? [])
    const bundle = wrong('no BUNDLE') ? [] : [`a=group:BUNDLE ${mids.join(' ')}`]
    const lines = ['v=0', 'o=- 1 1 IN IP4 127.0.0.1', 's=-', 't=0 0', 'a=ice-lite', ...bundle, ...sections.flat()]
    return lines.map((line) => `${line}\r\n`).join('')
  }

  async function session(request: Request, kind: 'whip' | 'whep', id: string): Promise<Response> {
    const { method } = request
    if (!['GET', 'HEAD', 'PATCH', 'DELETE'].includes(method)) return notAllowed('GET, HEAD, PATCH, DELETE, OPTIONS')
    const found = kinds[kind].get(id)
    if (found === undefined) {
      if (method === 'DELETE' && wrong('DELETE again 200')) return reply(200)
      return reply(method === 'PATCH' && wrong('PATCH after the end 204') ? 204 : 404)
    }
    if (method === 'GET' || method === 'HEAD') {
      return wrong('GET has content') ? reply(200, {}, 'a session') : reply(204)
    }
    const match = request.headers.get('if-match')
    if (method === 'DELETE') {
      if (wrong('DELETE 500')) {
        kinds[kind].delete(id)
        return reply(500)
      }
      if (wrong('If-Match checked on DELETE') && match !== null && match !== `"${found.etag}"`) return reply(412)
      kinds[kind].delete(id)
      return reply(200)
    }
    return await patch(request, found, match, () => kinds[kind].delete(id))
  }

  async function patch(request: Request, found: StandInSession, match: string | null, end: () => void) {
    const type = request.headers.get('content-type') ?? ''
    if (wrong('PATCH with parameters 415') && type !== sdpFragmentType) return reply(415)
    if (wrong('takes another offer') && type === 'application/sdp') return reply(200)
    const right = type.split(';', 1)[0]?.toLowerCase() === sdpFragmentType
    if (!right) return reply(wrong('PATCH type unchecked') ? 204 : 415)
    const body = await request.text()
    let fragment: ReturnType<typeof readSdpFragment>
    try {
      fragment = readSdpFragment(body)
    } catch {
      return reply(wrong('malformed fragment 204') ? 204 : 400)
    }
    const restarts = fragment.ufrag !== null && fragment.ufrag !== found.client
    if (match === null && !wrong('If-Match ignored')) return reply(wrong('no If-Match 200') ? 204 : 428)
    const quoted = restarts && match === '"*"' && !wrong('star in quotes 412')
    const same = match === '*' || quoted || match === `"${found.etag}"` || match === tagOf(found).ETag
    if (!same && !wrong('If-Match ignored')) return reply(wrong('stale If-Match 500') ? 500 : 412)
    if (!restarts) {
      if (wrong('unknown candidates 400') && body.includes('sctp')) return reply(400)
      return reply(wrong('trickle 200') ? 200 : 204, wrong('trickle has an ETag') ? { ETag: `"${found.etag}"` } : {})
    }
    if (fragment.pwd === null) {
      if (wrong('failed restart ends the session')) end()
      return reply(wrong('malformed fragment 204') ? 204 : 400)
    }
    if (wrong('restart 500')) return reply(500)
    found.client = fragment.ufrag ?? ''
    if (!wrong('restart keeps its credentials')) Object.assign(found, { ufrag: fresh(), pwd: fresh() })
    if (!wrong('restart keeps its ETag') && !wrong('ETag is *')) found.etag = fresh()
    if (wrong('restart answers JSON')) return reply(200, tagOf(found), JSON.stringify({ ufrag: found.ufrag }))
    const iceLite = !wrong('restart loses ice-lite')
    const options = wrong('restart loses ice-options') ? {} : { iceOptions: 'ice2' }
    const text = writeSdpFragment({ ufrag: found.ufrag, pwd: found.pwd, iceLite, ...options })
    return reply(200, { 'Content-Type': sdpFragmentType, ...tagOf(found) }, text)
  }

  function eventsOf(request: Request, found: StandInSession | undefined, path: string, stream: string | undefined) {
    if (stream === undefined && request.method === 'POST') {
      if (found === undefined) return reply(404)
      const made = fresh()
      found.streams.add(made)
      return reply(201, { Location: `${path}/${made}` })
    }
    const there = found === undefined ? wrong('events outlive the session') : found.streams.has(stream ?? '')
    if (!there) return reply(404)
    if (request.method === 'DELETE') {
      if (!wrong('events outlive DELETE')) found?.streams.delete(stream ?? '')
      return reply(200)
    }
    const type = wrong('events as JSON') ? 'application/json' : 'text/event-stream'
    return reply(
      200,
      { 'Content-Type': type },
      'event: active\ndata: {}\n\nevent: viewercount\ndata: {"viewercount":1}\n\n',
    )
  }

  function notAllowed(allow: string): Response {
    return wrong('wrong methods 404') ? reply(404) : reply(405, { Allow: allow })
  }
}
