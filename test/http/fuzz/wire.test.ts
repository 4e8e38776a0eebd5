import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { connect } from 'node:net'
import fc from 'fast-check'
import { isProblemCode } from '../../../src/contracts/problem.ts'
import { whipOffer } from '../access/requests.ts'
import { type Stage, startStage, type World } from '../access/world.ts'

/** What fetch does not send: the bytes of HTTP/1.1 themselves (RFC 9112). */
const runs = Number(process.env.FOOTLIGHT_FUZZ_RUNS ?? 150)
const seed = Number(process.env.FOOTLIGHT_FUZZ_SEED ?? Date.now() % 2 ** 31)

let stage: Stage
let world: World

beforeAll(async () => {
  stage = await startStage()
  world = await stage.makeWorld('public')
}, 90_000)
afterAll(() => stage.stop())

/** Sends bytes, a piece at a time, and answers all that came back until the server closed. */
function exchange(pieces: readonly Uint8Array[]): Promise<string> {
  const { port, hostname } = new URL(stage.server.url)
  return new Promise((resolve, reject) => {
    const socket = connect({ port: Number(port), host: hostname })
    const heard: Buffer[] = []
    socket.on('data', (bytes) => heard.push(Buffer.from(bytes)))
    socket.on('end', () => resolve(Buffer.concat(heard).toString('latin1')))
    // Whoever is refused in the middle of a large body may find the connection reset; what came before counts.
    socket.on('error', (error) => (heard.length > 0 ? resolve(Buffer.concat(heard).toString('latin1')) : reject(error)))
    for (const piece of pieces) socket.write(piece)
  })
}

/** The status and the problem's code of the last answer; `100 Continue` is none. */
function read(answer: string): { status: number; code: string | null } {
  const final = answer.slice(answer.lastIndexOf('HTTP/1.1 '))
  const status = Number(/^HTTP\/1\.1 (\d{3})/.exec(final)?.[1] ?? 0)
  return { status, code: /"code":"([^"]+)"/.exec(final)?.[1] ?? null }
}

interface Wire {
  readonly method: string
  readonly path: string
  readonly headers: readonly (readonly [string, string])[]
  /** The chunks of a chunked body (RFC 9112 section 7.1), or the whole with its length. */
  readonly body: { readonly chunks: readonly Uint8Array[] } | { readonly whole: Uint8Array } | null
}

function bytesOf({ method, path, headers, body }: Wire): Uint8Array[] {
  const framing =
    body === null ? [] : 'chunks' in body ? ['Transfer-Encoding: chunked'] : [`Content-Length: ${body.whole.length}`]
  const lines = [
    `${method} ${path} HTTP/1.1`,
    `Host: ${new URL(stage.server.url).host}`,
    'Connection: close',
    ...framing,
    ...headers.map(([name, value]) => `${name}: ${value}`),
    '',
    '',
  ]
  const head = Buffer.from(lines.join('\r\n'), 'latin1')
  if (body === null) return [head]
  if ('whole' in body) return [head, body.whole]
  const chunk = (bytes: Uint8Array) =>
    Buffer.concat([Buffer.from(`${bytes.length.toString(16)}\r\n`), bytes, Buffer.from('\r\n')])
  return [head, ...body.chunks.filter(({ length }) => length > 0).map(chunk), Buffer.from('0\r\n\r\n')]
}

const text = (some: string) => new TextEncoder().encode(some)
const json: readonly [string, string] = ['Content-Type', 'application/json']

describe('a body that hardly is one', () => {
  const empty = [new Uint8Array(), text('\ufeff'), text(' '), new Uint8Array([0]), new Uint8Array([0xff, 0xfe])]

  test('is refused where one is needed, however it is framed', async () => {
    const outcomes: unknown[] = []
    for (const body of empty) {
      for (const framed of [{ whole: body }, { chunks: [body] }]) {
        const headers = [json, ['Authorization', `Bearer ${world.tokens.forOwner}`]] as const
        const wire = { method: 'PATCH', path: `/api/streams/agent/${world.stream}`, headers, body: framed }
        const { status, code } = read(await exchange(bytesOf(wire)))
        outcomes.push([status, code])
      }
    }
    const [missing, malformed] = [
      [422, 'invalid_request'],
      [400, 'malformed_json'],
    ]
    expect(outcomes).toEqual([missing, missing, missing, missing, ...Array(6).fill(malformed)])
  })

  test('is as good as none where none is needed', async () => {
    for (const body of [null, { whole: new Uint8Array() }, { chunks: [] }, { whole: text('\ufeff') }]) {
      const wire = { method: 'POST', path: `/api/streams/agent/${world.stream}/view-ticket`, headers: [json], body }
      expect(read(await exchange(bytesOf(wire)))).toEqual({ status: 201, code: null })
    }
  })
})

describe('headers that come twice', () => {
  const ask = async (headers: Wire['headers'], method = 'GET', path = `/api/streams/agent/${world.stream}/share`) =>
    read(await exchange(bytesOf({ method, path, headers, body: null })))

  test('give nobody two identities', async () => {
    const owner = ['Authorization', `Bearer ${world.tokens.forOwner}`] as const
    const stranger = ['Authorization', `Bearer ${world.tokens.forStranger}`] as const
    const cookie = ['Cookie', `footlight_session=${world.people.owner.session}`] as const
    // Two tokens are none (RFC 9110 section 5.3: the field is no list).
    expect(await ask([owner])).toEqual({ status: 200, code: null })
    const both = [await ask([owner, stranger]), await ask([stranger, owner]), await ask([owner, owner])]
    expect(both).toEqual(Array(3).fill({ status: 401, code: 'invalid_token' }))
    expect(await ask([cookie, stranger])).toEqual({ status: 403, code: 'forbidden' })
    const svc = ['Authorization', `Bearer ${world.tokens.svc}`] as const
    const named = (person: string) => ['X-OV-Subject', person] as const
    const { owner: ada, stranger: steve } = world.people
    expect(await ask([svc, named(ada.id), named(steve.id)])).toEqual({ status: 403, code: 'forbidden' })
  })

  test('do not get a write past the check of its origin', async () => {
    const cookie = ['Cookie', `footlight_session=${world.people.owner.session}`] as const
    const ours = ['Origin', stage.server.url] as const
    const evil = ['Origin', 'https://evil.example'] as const
    const path = `/api/streams/agent/${world.stream}/rotate-link`
    const outcomes = [
      await ask([cookie, ours, evil], 'POST', path),
      await ask([cookie, evil, ours], 'POST', path),
      await ask([cookie, ['Origin', 'null']], 'POST', path),
      await ask([cookie], 'POST', path),
    ]
    expect(outcomes).toEqual(Array(4).fill({ status: 403, code: 'foreign_origin' }))
  })
})

describe(`bytes that mean no good (FOOTLIGHT_FUZZ_SEED=${seed})`, () => {
  const name = fc.constantFrom(
    'Authorization',
    'Cookie',
    'Origin',
    'Content-Type',
    'X-OV-Subject',
    'If-None-Match',
    'k',
  )
  const latin = fc.string({
    unit: fc.integer({ min: 0x21, max: 0xff }).map((code) => String.fromCharCode(code)),
    maxLength: 60,
  })
  const value = fc.oneof(
    latin.map((some) => some.replaceAll('\u007f', '')),
    fc.constantFrom(
      'Bearer x',
      'Bearer wpt_x',
      'application/json',
      'application/sdp',
      `footlight_session=ses_${'A'.repeat(43)}`,
    ),
    fc.nat({ max: 6000 }).map((length) => 'y'.repeat(length)),
  )
  const bytes = fc.oneof(
    fc.uint8Array({ maxLength: 300 }),
    fc.constantFrom(
      text('{"task":'),
      text('{}'),
      text(whipOffer.text),
      text('{"up":true}'),
      new Uint8Array([0xc3, 0x28]),
    ),
    fc.nat({ max: 300_000 }).map((length) => new Uint8Array(length).fill(0x20)),
  )
  const wires = fc.record({
    method: fc.constantFrom('GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'HEAD', 'TRACE', 'PROPFIND'),
    path: fc.constantFrom(
      ...[
        '/api/streams/agent',
        '/api/streams/agent/ID',
        '/api/streams/agent/ID/frame',
        '/api/streams/agent/ID/curtain',
      ],
      ...['/api/streams/agent/ID/view-ticket', '/whip/agent/ID', '/whep/agent/ID', '/sign-out', '/', '/ws/broadcast'],
      ...[
        '/api/streams/agent/ID?k=%FF&k=%00',
        '//',
        '/../../etc/passwd',
        '/%2e%2e/%2e%2e/',
        '/assets/..%2f..%2fx',
        '/%',
      ],
    ),
    headers: fc.array(fc.tuple(name, value), { maxLength: 6 }),
    body: fc.oneof(
      fc.constant(null),
      bytes.map((whole) => ({ whole })),
      fc.array(bytes, { maxLength: 5 }).map((chunks) => ({ chunks })),
    ),
  })

  test('are answered with a status below 500 and, from us, with a code', async () => {
    const before = await stage.server.rows()
    const property = fc.asyncProperty(wires, async (wire) => {
      const path = wire.path.replace('ID', world.stream)
      const { status, code } = read(await exchange(bytesOf({ ...wire, path })))
      expect(status).toBeGreaterThanOrEqual(200)
      expect(status).toBeLessThan(500)
      if (code !== null) expect(isProblemCode(code)).toBe(true)
    })
    await fc.assert(property, { numRuns: runs, seed })
    const after = await stage.server.rows()
    // A public stream gives view tickets to anybody who asks.
    for (const table of Object.keys(after).filter((each) => each !== 'view_tickets')) {
      expect([table, after[table]]).toEqual([table, before[table]])
    }
    expect((await stage.server.call('GET', '/readyz')).status).toBe(200)
  }, 600_000)
})
