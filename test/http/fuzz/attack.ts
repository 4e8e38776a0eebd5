import fc from 'fast-check'
import { sdpFragmentType, writeSdpFragment } from '../../../src/contracts/sdp-fragment.ts'
import { matrix } from '../access/matrix.ts'
import type { Shown } from '../access/principals.ts'
import { requests, whipOffer } from '../access/requests.ts'
import { headersOf } from '../access/walk.ts'
import type { Stage, World } from '../access/world.ts'
import { addressText, headerText, hostileJson, hostileSdp, hostileText } from './hostile.ts'

/** One request that means no good. */
export interface Attack {
  readonly route: string
  readonly caller: CallerName
  readonly body: Body
  readonly type: string | null
  readonly query: readonly (readonly [string, string])[]
  /** What stands for the last part of the path that is a parameter; `null`: the right one. */
  readonly parameter: string | null
  readonly headers: Readonly<Record<string, string>>
}

type Body =
  | { readonly is: 'good' }
  | { readonly is: 'none' }
  | { readonly is: 'text'; readonly text: string }
  | { readonly is: 'bytes'; readonly bytes: Uint8Array<ArrayBuffer> }
  /** So many bytes, with or without their number said before. */
  | { readonly is: 'large'; readonly size: number; readonly chunked: boolean }

export const callerNames = ['anonymous', 'owner', 'desk'] as const
export type CallerName = (typeof callerNames)[number]

export const callers: Readonly<Record<CallerName, (world: World) => Shown>> = {
  anonymous: () => ({}),
  owner: ({ people }) => ({ session: people.owner.session }),
  desk: ({ tickets }) => ({ bearer: tickets.current }),
}

/** A whole SDP fragment, restarting ICE. */
const fragment = writeSdpFragment({
  ufrag: 'other',
  pwd: 'another/password+of24chars',
  iceOptions: 'trickle ice2',
  bundle: ['0', '1'],
  section: { line: 'audio 9 UDP/TLS/RTP/SAVPF 111', mid: '0' },
  candidates: ['1387637174 1 udp 2122260223 192.0.2.1 61764 typ host generation 0'],
  endOfCandidates: true,
})

/** Every route, but for the socket's messages. */
export const attackedRoutes = [...new Set(matrix.map(({ route }) => route))].filter((route) => !route.startsWith('WS '))

const task = { source: 'desk', ref: 'r', title: 'T', url: 'https://example.com' }
/** What each route's body looks like when it is right; the others are sent some of these, too. */
const goodBodies: Readonly<Record<string, unknown>> = {
  'POST /api/streams/agent': { task, visibility: 'private' },
  'PATCH /api/streams/agent/:id': { visibility: 'public' },
  'POST /api/streams/agent/:id/curtain': { up: true, reason: 'site' },
  'POST /api/streams/agent/:id/view-ticket': { k: 'A'.repeat(22), renew: `wvt_${'A'.repeat(43)}` },
  'PUT /api/streams/agent/:id/share': { handle: '@sam' },
  'PUT /api/channels/:channel/moderators': { handle: '@mona' },
  'POST /api/operator/people': { handle: 'somebody' },
  'POST /whep/agent/:id/:session/events': ['active', 'viewercount'],
}

const picture = fc
  .tuple(fc.constantFrom([0xff, 0xd8, 0xff], [0x52, 0x49, 0x46, 0x46], [0x89, 0x50]), fc.uint8Array({ maxLength: 64 }))
  .map(([head, rest]) => new Uint8Array([...head, ...rest]))

export function attackOn(route: string): fc.Arbitrary<Attack> {
  const good = goodBodies[route] ?? { task }
  const bytes = fc.oneof(
    picture,
    fc.uint8Array({ maxLength: 200 }).map((some) => new Uint8Array(some)),
  )
  const sdp = route.startsWith('PATCH ') ? fragment : whipOffer.text
  const text = /\/wh.*(?<!events)$/.test(route) ? hostileSdp(sdp) : hostileJson(good)
  const sizes = fc.constantFrom(65_536, 65_537, 200_000, 200_001, 4_000_000)
  const name = fc.constantFrom('k', 'vt', 'handle', 'limit', 'after', 'before', 'channel', 'state', 'to', 'code', 'id')
  const header = fc.constantFrom(
    ...['Authorization', 'Cookie', 'Origin', 'X-OV-Subject', 'If-None-Match', 'If-Match', 'X-Forwarded-For'],
    ...['Accept', 'Accept-Encoding', 'Range', 'Content-Encoding', 'X-HTTP-Method-Override', 'Forwarded'],
  )
  return fc.record({
    route: fc.constant(route),
    caller: fc.constantFrom(...callerNames),
    body: fc.oneof(
      { weight: 2, arbitrary: fc.constant<Body>({ is: 'good' }) },
      { weight: 1, arbitrary: fc.constant<Body>({ is: 'none' }) },
      { weight: 8, arbitrary: text.map((some): Body => ({ is: 'text', text: some })) },
      { weight: 1, arbitrary: hostileText.map((some): Body => ({ is: 'text', text: some })) },
      { weight: 2, arbitrary: bytes.map((some): Body => ({ is: 'bytes', bytes: some })) },
      {
        weight: 1,
        arbitrary: fc.tuple(sizes, fc.boolean()).map(([size, chunked]): Body => ({ is: 'large', size, chunked })),
      },
    ),
    type: fc.oneof(
      {
        weight: 6,
        arbitrary: fc.constantFrom(
          ...['application/json', 'application/json; charset=utf-8', 'application/sdp'],
          ...(route.startsWith('PATCH /wh') ? [sdpFragmentType, sdpFragmentType, `${sdpFragmentType};a=b`] : []),
        ),
      },
      { weight: 1, arbitrary: fc.constantFrom(null, 'text/plain', 'multipart/form-data; boundary=x', 'image/jpeg') },
      { weight: 1, arbitrary: headerText },
    ),
    query: fc.oneof(
      { weight: 3, arbitrary: fc.constant([]) },
      { weight: 2, arbitrary: fc.array(fc.tuple(fc.oneof(name, addressText), addressText), { maxLength: 4 }) },
    ),
    parameter: fc.option(addressText, { freq: 6 }),
    headers: fc.dictionary(header, headerText, { maxKeys: 3 }),
  })
}

/** Makes it ready to be sent to the world's stream: all that it needs is written before. */
export async function prepare(stage: Stage, world: World, attack: Attack): Promise<() => Promise<Response>> {
  const { route, caller, parameter } = attack
  const [method = '', pattern = ''] = route.split(' ')
  const shown = callers[caller](world)
  const good = await requests[route]?.send({ world, shown, stage, session: 'AAAAAAAAAAAAAAAAAAAAAA', column: '' })
  if (good === undefined) throw new Error(`requests.ts does not say how ${route} is asked`)
  const [goodPath = '', goodQuery = ''] = good.path.split('?', 2)
  const path = parameter === null ? goodPath : replaceParameter(pattern, goodPath, parameter)
  const query = [...(goodQuery === '' ? [] : [goodQuery]), ...attack.query.map(([name, value]) => `${name}=${value}`)]
  const body = bodyOf(attack.body, good)
  const headers = {
    ...headersOf(good.shown ?? shown, stage.server.url),
    ...((attack.body.is === 'good' ? (good.type ?? 'application/json') : attack.type) !== null && {
      'Content-Type': attack.body.is === 'good' ? (good.type ?? 'application/json') : (attack.type ?? ''),
    }),
    ...(attack.body.is === 'good' ? good.headers : {}),
    ...attack.headers,
  }
  const takesBody = method !== 'GET' && method !== 'HEAD'
  const url = `${stage.server.url}${path}${query.length === 0 ? '' : `?${query.join('&')}`}`
  return () => fetch(url, { method, headers, body: takesBody ? body : null, redirect: 'manual' })
}

function replaceParameter(pattern: string, path: string, value: string): string {
  const parts = pattern.split('/')
  const at = parts.findLastIndex((part) => part.startsWith(':'))
  return path
    .split('/')
    .map((part, index) => (index === at ? value : part))
    .join('/')
}

function bodyOf(body: Body, good: Awaited<ReturnType<NonNullable<(typeof requests)[string]>['send']>>) {
  switch (body.is) {
    case 'good':
      return good.bytes ?? good.text ?? (good.json === undefined ? null : JSON.stringify(good.json))
    case 'none':
      return null
    case 'text':
      return body.text
    case 'bytes':
      return body.bytes
    case 'large':
      return body.chunked ? chunks(body.size) : new Uint8Array(body.size).fill(0x20)
  }
}

function chunks(size: number): ReadableStream<Uint8Array> {
  let left = size
  return new ReadableStream({
    pull(controller) {
      if (left <= 0) return controller.close()
      controller.enqueue(new Uint8Array(Math.min(left, 16_384)).fill(0x20))
      left -= 16_384
    },
  })
}
