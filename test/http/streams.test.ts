import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { startTestServer, type TestServer } from './test-server.ts'

let server: TestServer
let ada: Awaited<ReturnType<TestServer['person']>>
let bob: Awaited<ReturnType<TestServer['person']>>

beforeAll(async () => {
  server = await startTestServer()
  ada = await server.person('ada')
  bob = await server.person('bob')
}, 60_000)
afterAll(() => server.stop())

const task = { source: 'codes', ref: 'job-7', title: 'Fix the total', url: 'https://codes.example/7' }

describe('POST /api/streams/agent', () => {
  test('answers the stream and its ticket, shown once', async () => {
    const { status, headers, body } = await server.call('POST', '/api/streams/agent', {
      cookie: ada.cookie,
      body: { task },
    })
    expect(status).toBe(201)
    expect(headers.get('location')).toBe(`/api/streams/agent/${body.stream.id}`)
    expect(body.stream.id).toMatch(/^ags_[0-9A-HJKMNP-TV-Z]{26}$/)
    expect(body.publish.ticket).toMatch(/^wpt_[A-Za-z0-9_-]{43}$/)
    expect(body.publish.whip_url).toBe(`${server.url}/whip/agent/${body.stream.id}`)
    const { created_at, ...rest } = body.stream
    expect(Date.parse(body.publish.expires_at) - Date.parse(created_at)).toBe(4 * 3600 * 1000)
    expect(rest).toEqual({
      id: body.stream.id,
      kind: 'agent',
      owner: ada.id,
      channel: ada.channel,
      task,
      visibility: 'private',
      mode: 'watch',
      state: 'idle',
      curtain: { up: false },
      label: 'AI agent',
      viewers: 0,
      link: null,
      worked_seconds: 0,
      started_at: null,
      ended_at: null,
      ended_why: null,
      page_url: `${server.url}/@ada/agents/${body.stream.id}`,
      embed_url: `${server.url}/embed/agent/${body.stream.id}`,
      whep_url: `${server.url}/whep/agent/${body.stream.id}`,
      still_url: null,
    })
  })

  test('takes a service token that names the person, by sub or by X-OV-Subject', async () => {
    const mint = (subject: string, capabilities = ['live.agent_stream.publish'], audience = 'openvibe.live') =>
      server.issuer.sign({ subject, capabilities, audience, minutes: 1 })
    const create = (bearer: string, headers: Record<string, string> = {}) =>
      server.call('POST', '/api/streams/agent', { bearer, headers, body: { task } })
    const created = await create(ada.token)
    expect([created.status, created.body.stream.owner]).toEqual([201, ada.id])
    const service = await mint('svc:codes')
    const onBehalf = await create(service, { 'X-OV-Subject': bob.id })
    expect([onBehalf.status, onBehalf.body.stream.owner]).toEqual([201, bob.id])
    const outcomes = [
      await create(service),
      await create(await mint(ada.id), { 'X-OV-Subject': bob.id }),
      await create(await mint(ada.id, [])),
      await create(await mint(ada.id, undefined, 'another.service')),
      await create(`${ada.token}x`),
      await create(await mint('usr_01ARZ3NDEKTSV4RRFFQ69G5FAV')),
    ]
    expect(outcomes.map(({ status, body }) => [status, body.code ?? body.stream.owner])).toEqual([
      [403, 'forbidden'],
      [201, ada.id],
      [403, 'capability.denied'],
      [401, 'invalid_token'],
      [401, 'invalid_token'],
      [404, 'not_found'],
    ])
  })

  test('refuses who is nobody, who is a desk, and a cookie from another site', async () => {
    const stream = await server.stream(ada)
    const outcomes = [
      await server.call('POST', '/api/streams/agent', { body: { task } }),
      await server.call('POST', '/api/streams/agent', { body: { task }, bearer: stream.ticket }),
      await server.call('POST', '/api/streams/agent', {
        body: { task },
        headers: { Cookie: ada.cookie, Origin: 'https://evil.example' },
      }),
      await server.call('POST', '/api/streams/agent', { body: { task }, headers: { Cookie: ada.cookie } }),
    ]
    expect(outcomes.map(({ status, body }) => [status, body.code])).toEqual([
      [401, 'sign_in_required'],
      [403, 'forbidden'],
      [403, 'foreign_origin'],
      [403, 'foreign_origin'],
    ])
  })
})

describe('GET /api/streams/agent/<id>', () => {
  test('is the owner’s alone while private, and everybody’s when public', async () => {
    const hidden = await server.stream(ada)
    const shown = await server.stream(ada, 'public')
    const read = (path: string, caller: object) => server.call('GET', path, caller).then(({ status }) => status)
    for (const [path, others] of [
      [hidden.path, 404],
      [shown.path, 200],
    ] as const) {
      expect(await read(path, { cookie: ada.cookie })).toBe(200)
      expect(await read(path, { bearer: ada.token })).toBe(200)
      expect(await read(path, {})).toBe(others)
      expect(await read(path, { cookie: bob.cookie })).toBe(others)
      expect(await read(path, { bearer: bob.token })).toBe(others)
    }
    expect(await read(hidden.path, { bearer: hidden.ticket })).toBe(200)
    expect(await read(hidden.path, { bearer: shown.ticket })).toBe(401)
  })

  test('a stranger learns of a private stream by no route', async () => {
    const { path, id } = await server.stream(ada)
    const sdp = { 'Content-Type': 'application/sdp' }
    const calls = [
      ['GET', path],
      ['POST', `${path}/ticket`],
      ['DELETE', `${path}/ticket`],
      ['GET', `${path}/state`],
      ['POST', `${path}/end`],
      ['POST', `${path}/curtain`, { up: true }],
      ['POST', `/whep/agent/${id}`, 'v=0', sdp],
      ['GET', `/@ada/agents/${id}`],
      ['GET', `/embed/agent/${id}`],
    ] as const
    for (const caller of [{}, { cookie: bob.cookie }, { bearer: bob.token }]) {
      for (const [method, at, body, headers] of calls) {
        const { status } = await server.call(method, at, { ...caller, body, ...(headers && { headers }) })
        expect([method, at, status]).toEqual([method, at, 404])
      }
    }
  })
})

describe('the publish ticket', () => {
  test('is renewed, replaced and revoked', async () => {
    const { path, ticket, id } = await server.stream(ada)
    const state = (bearer: string) => server.call('GET', `${path}/state`, { bearer }).then(({ status }) => status)
    const minted = await server.call('POST', `${path}/ticket`, { cookie: ada.cookie })
    expect(minted.status).toBe(201)
    expect(Object.keys(minted.body)).toEqual(['whip_url', 'ticket', 'expires_at'])
    expect(minted.body.ticket).not.toBe(ticket)
    expect(minted.body.whip_url).toBe(`${server.url}/whip/agent/${id}`)
    expect(await state(minted.body.ticket)).toBe(200)
    expect(await state(ticket)).toBe(200)
    const byReplaced = await server.call('POST', `${path}/ticket`, { bearer: ticket })
    expect([byReplaced.status, byReplaced.body.code]).toEqual([401, 'invalid_ticket'])
    const byDesk = await server.call('POST', `${path}/ticket`, { bearer: minted.body.ticket })
    expect(byDesk.status).toBe(201)
    const revoked = await server.call('DELETE', `${path}/ticket`, { cookie: ada.cookie })
    expect([revoked.status, revoked.body.id]).toEqual([200, id])
    for (const dead of [ticket, minted.body.ticket, byDesk.body.ticket]) expect(await state(dead)).toBe(401)
    const again = await server.call('POST', `${path}/ticket`, { bearer: ada.token })
    expect(await state(again.body.ticket)).toBe(200)
  })

  test('of another stream, or one that never was, is 401 invalid_ticket', async () => {
    const mine = await server.stream(ada)
    const other = await server.stream(ada)
    for (const bearer of [other.ticket, `wpt_${'A'.repeat(43)}`, 'wpt_', 'wpt_x y']) {
      const { status, body } = await server.call('GET', `${mine.path}/state`, { bearer })
      expect([bearer, status, body.code]).toEqual([
        bearer,
        401,
        bearer.includes(' ') ? 'invalid_token' : 'invalid_ticket',
      ])
    }
  })

  test('reads the desk’s state', async () => {
    const { path, ticket, publish } = await server.stream(ada)
    const { status, body } = await server.call('GET', `${path}/state`, { bearer: ticket })
    expect(status).toBe(200)
    expect(body).toEqual({ viewers: 0, encode: false, curtain: { up: false }, ends_at: publish.expires_at })
    const owner = await server.call('GET', `${path}/state`, { cookie: ada.cookie })
    expect([owner.status, owner.body.code]).toEqual([401, 'invalid_ticket'])
    const shown = await server.stream(ada, 'public')
    expect((await server.call('GET', `${shown.path}/state`, { bearer: shown.ticket })).body.encode).toBe(true)
  })
})

describe('the curtain', () => {
  test('goes up and down while idle, each by who holds it', async () => {
    const { path, ticket } = await server.stream(ada)
    const set = (caller: object, body: object) => server.call('POST', `${path}/curtain`, { ...caller, body })
    const raised = await set({ bearer: ticket }, { up: true, reason: 'password_field' })
    expect(raised.status).toBe(200)
    expect(raised.body.up).toBe(true)
    expect(Date.parse(raised.body.since)).toBeGreaterThan(0)
    const soon = await set({ bearer: ticket }, { up: false })
    expect([soon.status, soon.body.code]).toEqual([409, 'curtain_too_soon'])
    expect(Number(soon.headers.get('retry-after'))).toBeGreaterThan(0)
    const seen = await server.call('GET', path, { cookie: ada.cookie })
    expect(seen.body.curtain).toEqual(raised.body)
    expect(JSON.stringify(seen.body)).not.toContain('password_field')
    const lowered = await set({ cookie: ada.cookie }, { up: false })
    expect([lowered.status, lowered.body]).toEqual([200, { up: false }])
  })

  test('takes the six reasons and no other', async () => {
    const { path, ticket } = await server.stream(ada)
    const statuses = []
    for (const reason of ['password_field', 'secret_file', 'env_print', 'manual', 'site', 'detector', 'boredom']) {
      const { status } = await server.call('POST', `${path}/curtain`, { bearer: ticket, body: { up: true, reason } })
      statuses.push(status)
    }
    expect(statuses).toEqual([200, 200, 200, 200, 200, 200, 422])
  })
})

describe('the end', () => {
  test('is final: then revoked, and the old ticket is 401', async () => {
    const { path, ticket, id } = await server.stream(ada)
    const ended = await server.call('POST', `${path}/end`, { cookie: ada.cookie })
    expect([ended.status, ended.body.state, ended.body.ended_why]).toEqual([200, 'ended', 'owner'])
    expect((await server.call('DELETE', `${path}/ticket`, { cookie: ada.cookie })).status).toBe(200)
    const offer = { 'Content-Type': 'application/sdp' }
    const late = await server.call('POST', `/whip/agent/${id}`, { bearer: ticket, body: 'v=0', headers: offer })
    expect([late.status, late.body.code]).toEqual([401, 'invalid_ticket'])
    const minted = await server.call('POST', `${path}/ticket`, { cookie: ada.cookie })
    expect([minted.status, minted.body.code]).toEqual([409, 'stream_ended'])
    expect((await server.call('POST', `${path}/end`, { cookie: ada.cookie })).status).toBe(200)
    expect((await server.call('GET', path, { cookie: ada.cookie })).body.state).toBe('ended')
  })

  test('by the desk, and by a service', async () => {
    const first = await server.stream(ada)
    const desk = await server.call('POST', `${first.path}/end`, { bearer: first.ticket })
    expect(desk.body.ended_why).toBe('desk')
    const second = await server.stream(ada)
    const service = await server.call('POST', `${second.path}/end`, { bearer: ada.token })
    expect(service.body.ended_why).toBe('service')
  })
})
