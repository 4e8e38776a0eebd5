import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { problems } from '../../src/contracts/problem.ts'
import { startTestServer, type TestServer } from './test-server.ts'

let server: TestServer
let ada: Awaited<ReturnType<TestServer['person']>>

beforeAll(async () => {
  server = await startTestServer()
  ada = await server.person('ada')
}, 60_000)
afterAll(() => server.stop())

const json = { 'Content-Type': 'application/json' }
const sdp = { 'Content-Type': 'application/sdp' }

describe('a refusal', () => {
  test('is problem details with a code and a sentence', async () => {
    const { status, headers, body } = await server.call('GET', '/api/streams/agent/ags_01ARZ3NDEKTSV4RRFFQ69G5FAV')
    expect(status).toBe(404)
    expect(headers.get('content-type')).toBe('application/problem+json')
    expect(body).toEqual({
      type: '/problems/not_found',
      title: problems.not_found.title,
      status: 404,
      detail: 'There is no such stream, or it is not yours to see.',
      code: 'not_found',
    })
  })

  test('of malformed JSON says where it breaks', async () => {
    const bodies = ['{"up": tru}', '{"up": true,}', '{"up":\n  true', '{up: true}', 'null x', '"', '[', '\u0000']
    for (const text of bodies) {
      const { status, body } = await server.call('POST', '/api/streams/agent', {
        cookie: ada.cookie,
        body: text,
        headers: json,
      })
      expect([text, status, body.code]).toEqual([text, 400, 'malformed_json'])
      expect(body.detail).toMatch(/at line \d+, column \d+\.$/)
    }
    const { body } = await server.call('POST', '/api/streams/agent', {
      cookie: ada.cookie,
      body: '{"up":\n  tru',
      headers: json,
    })
    expect(body.detail).toContain('line 2, column 3')
  })

  test('of a body that does not fit names each field', async () => {
    const faults = async (body: unknown) => {
      const reply = await server.call('POST', '/api/streams/agent', { cookie: ada.cookie, body })
      expect([JSON.stringify(body), reply.status, reply.body.code]).toEqual([
        JSON.stringify(body),
        422,
        'invalid_request',
      ])
      return reply.body.errors.map(({ path }: { path: string }) => path)
    }
    const task = { source: 'desk', ref: 'r', title: 'T' }
    expect(await faults({ task, color: 'red' })).toEqual(['/color'])
    expect(await faults({ task: { ...task, extra: 1 } })).toEqual(['/task/extra'])
    expect(await faults({ task: { ...task, url: 'javascript:alert(1)' } })).toEqual(['/task/url'])
    expect(await faults({ task: { ...task, title: '' } })).toEqual(['/task/title'])
    expect(await faults({ task, visibility: 'secret' })).toContain('/visibility')
    expect(await faults({})).toContain('/task')
    expect(await faults([])).toEqual([''])
    expect(await faults('"text"'.length)).toEqual([''])
    const polluted = '{"task":{"source":"desk","ref":"r","title":"T"},"__proto__":{"admin":true}}'
    const reply = await server.call('POST', '/api/streams/agent', { cookie: ada.cookie, body: polluted, headers: json })
    expect(reply.status).toBe(422)
  })

  test('of a wrong content type is 415, and of a large body 413 whether its length is said or not', async () => {
    const stream = await server.stream(ada)
    const whip = `/whip/agent/${stream.id}`
    const offer = (body: BodyInit, headers: Record<string, string>) =>
      fetch(server.url + whip, {
        method: 'POST',
        body,
        headers: { Authorization: `Bearer ${stream.ticket}`, ...headers },
      }).then((response) => response.status)
    const large = 'v=0\r\n'.padEnd(64 * 1024 + 1, 'a')
    const chunks = new ReadableStream({
      start(controller) {
        for (let at = 0; at < 66; at++) controller.enqueue(new Uint8Array(1024))
        controller.close()
      },
    })
    expect(await offer('v=0', { 'Content-Type': 'text/plain' })).toBe(415)
    expect(await offer('v=0', json)).toBe(415)
    expect(await offer(large, sdp)).toBe(413)
    expect(await offer(chunks, sdp)).toBe(413)
    expect(await offer('v=0', { 'Content-Type': 'Application/SDP; charset=utf-8' })).toBe(400)
    const form = await server.call('POST', `${stream.path}/curtain`, {
      bearer: stream.ticket,
      body: 'up=true',
      headers: { 'Content-Type': 'application/x-www-form-urlencoded' },
    })
    expect(form.status).toBe(415)
    const wide = await server.call('POST', '/api/streams/agent', {
      cookie: ada.cookie,
      body: { task: { source: 'desk', ref: 'r', title: 'T'.repeat(70_000) } },
    })
    expect([wide.status, wide.body.code]).toEqual([413, 'body_too_large'])
  })

  test('of a wrong method is 405 with Allow', async () => {
    const { path, id } = await server.stream(ada)
    const outcomes = []
    for (const [method, at] of [
      ['PUT', path],
      ['PATCH', `${path}/ticket`],
      ['PUT', `${path}/curtain`],
      ['DELETE', `/whip/agent/${id}`],
      ['POST', '/healthz'],
    ] as const) {
      const { status, headers, body } = await server.call(method, at)
      outcomes.push([status, body.code, headers.get('allow')])
    }
    expect(outcomes).toEqual([
      [405, 'method_not_allowed', 'GET, PATCH'],
      [405, 'method_not_allowed', 'DELETE, POST'],
      [405, 'method_not_allowed', 'GET, POST'],
      [405, 'method_not_allowed', 'GET, HEAD, OPTIONS, POST'],
      [405, 'method_not_allowed', 'GET'],
    ])
  })

  test('of what is not there is 404 on every kind of address', async () => {
    for (const path of ['/api/streams/agent/xyz', '/api/nothing', '/api/streams/', '/whip/agent/%00', '/a/b/c']) {
      const { status, body } = await server.call('GET', path)
      expect([path, status]).toEqual([path, path.startsWith('/whip') ? 204 : 404])
      if (status === 404) expect(body.code).toBe('not_found')
    }
    const page = await server.call('GET', '/nothing', { headers: { Accept: 'text/html' } })
    expect([page.status, page.headers.get('content-type')]).toEqual([404, 'text/html; charset=utf-8'])
    const watch = await server.call('GET', '/@ada/agents/xyz', { headers: { Accept: 'text/html' } })
    expect([watch.status, watch.headers.get('content-type')]).toEqual([404, 'text/html; charset=utf-8'])
  })

  test('of a bad token says so, whatever the token is', async () => {
    const unsigned = `${btoa('{"alg":"none"}')}.${btoa('{"sub":"usr_01ARZ3NDEKTSV4RRFFQ69G5FAV"}')}.`
    for (const authorization of ['Bearer x', 'Bearer ', 'Basic YTpi', 'Bearer a b', `Bearer ${unsigned}`, 'nonsense']) {
      const response = await fetch(`${server.url}/api/streams/agent/ags_01ARZ3NDEKTSV4RRFFQ69G5FAV`, {
        headers: { Authorization: authorization },
      })
      expect([authorization, response.status]).toEqual([authorization, 401])
      expect(response.headers.get('www-authenticate')).toBe('Bearer')
    }
  })
})

describe('health', () => {
  test('answers', async () => {
    expect((await server.call('GET', '/healthz')).body).toEqual({ ok: true })
    expect((await server.call('GET', '/readyz')).body).toEqual({ ok: true, workers: { up: 1, of: 1 } })
  })
})
