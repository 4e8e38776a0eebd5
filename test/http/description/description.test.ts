import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { validate } from '@readme/openapi-parser'
import packageJson from '../../../package.json' with { type: 'json' }
import { type ProblemCode, problems } from '../../../src/contracts/problem.ts'
import { publishedContracts } from '../../../src/contracts/published.ts'
import { createApp } from '../../../src/http/app.ts'
import type { Dependencies } from '../../../src/http/dependencies.ts'
import { startTestServer, type TestServer } from '../test-server.ts'
import { problemsPage, renderProblemsPage, withoutPadding } from './problems-page.ts'

let server: TestServer
beforeAll(async () => {
  server = await startTestServer()
}, 60_000)
afterAll(() => server.stop())

const html = { Accept: 'text/html,application/xhtml+xml' }

/** Routes that are for people's eyes: no part of the API. */
const pages = [
  'GET /',
  'GET /:at/agents/:id',
  'GET /embed/agent/:id',
  'GET /favicon.ico',
  'GET /assets/:file',
  'GET /docs',
]

/** Every route as the OpenAPI document writes it: a socket is opened with GET. */
function routes(): string[] {
  return createApp({} as Dependencies).routes.map(({ method, path }) => `${method === 'WS' ? 'GET' : method} ${path}`)
}

describe('/openapi.json', () => {
  test('is a valid OpenAPI 3.1 document', async () => {
    const { status, body } = await server.call('GET', '/openapi.json')
    expect(status).toBe(200)
    expect(body.openapi).toBe('3.1.0')
    expect(body.info.version).toBe(packageJson.version)
    expect(body.servers).toEqual([{ url: server.url }])
    expect(Object.keys(body.components.securitySchemes).sort()).toEqual([
      'operator_token',
      'publish_ticket',
      'service_token',
      'session',
      'view_ticket',
    ])
    // The validator takes references apart in place.
    const verdict = await validate(structuredClone(body))
    expect(verdict.valid ? [] : verdict.errors).toEqual([])
  })

  test('has every route that is no page, and no other', async () => {
    const { body } = await server.call('GET', '/openapi.json')
    const described = Object.entries(body.paths as Record<string, object>).flatMap(([path, methods]) =>
      Object.keys(methods).map((method) => `${method.toUpperCase()} ${path.replace(/\{(\w+)\}/g, ':$1')}`),
    )
    const api = routes().filter((route) => !pages.includes(route))
    expect(described.sort()).toEqual([...new Set(api)].sort())
    expect(pages.filter((page) => !routes().includes(page))).toEqual([])
  })

  test('refers to every contract, and every code is one that exists', async () => {
    const { body } = await server.call('GET', '/openapi.json')
    const titles = Object.values(body.components.schemas as Record<string, { title: string }>).map(({ title }) => title)
    expect(titles.sort()).toEqual(publishedContracts.map(({ $id }) => String($id)).sort())
    const text = JSON.stringify(body)
    const references = [...text.matchAll(/"#\/components\/schemas\/([^"]+)"/g)].map(([, name = '']) => name)
    expect(references.filter((name) => !Object.hasOwn(body.components.schemas, name))).toEqual([])
    expect(text).not.toContain('"$id"')
  })

  test('has the offers of WHIP and WHEP, and says which credential each takes', async () => {
    const { paths } = (await server.call('GET', '/openapi.json')).body
    const publish = paths['/whip/agent/{id}'].post
    expect(Object.keys(publish.requestBody.content)).toEqual(['application/sdp'])
    expect(Object.keys(publish.responses[201].content)).toEqual(['application/sdp'])
    expect(Object.keys(publish.responses[201].headers)).toEqual(['Location', 'ETag', 'Accept-Patch', 'Link'])
    expect(publish.security).toEqual([{ publish_ticket: [] }])
    expect(paths['/whep/agent/{id}'].post.security).toEqual([{ view_ticket: [] }, {}])
    expect(publish.responses[409].content['application/problem+json'].schema.allOf[1].properties.code.enum).toContain(
      'already_publishing',
    )
    expect(publish.responses[429].headers['Retry-After']).toBeDefined()
  })
})

describe('/problems', () => {
  test('lists every code; the type of each leads to what to do', async () => {
    const { body } = await server.call('GET', '/problems')
    expect(body.problems.map(({ code }: { code: string }) => code)).toEqual(Object.keys(problems))
    for (const kind of body.problems) {
      const one = await server.call('GET', kind.type)
      expect([one.status, one.body]).toEqual([200, kind])
      expect(one.body.advice).toMatch(/^[A-Z“].*\.$/)
      const page = await server.call('GET', kind.type, { headers: html })
      expect([page.status, page.headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8'])
      expect(page.headers.get('link')).toBeNull()
      expect(page.body).toContain(`<code>${kind.code}</code>`)
    }
  })

  test('of what is no code are 404, for a name of JavaScript’s, too', async () => {
    for (const code of ['no_such', 'constructor', '__proto__', 'toString', '%00', '..%2fx']) {
      const { status, body } = await server.call('GET', `/problems/${code}`)
      expect([code, status, body.code]).toEqual([code, 404, 'not_found'])
    }
  })

  test('are all in docs/problems.md', async () => {
    expect(withoutPadding(await Bun.file(problemsPage).text())).toBe(withoutPadding(renderProblemsPage()))
  })
})

describe('/docs', () => {
  test('shows every operation, contract and code, and every anchor leads somewhere', async () => {
    const { status, headers, body: page } = await server.call('GET', '/docs', { headers: html })
    expect(status).toBe(200)
    expect(headers.get('content-security-policy')).toContain("default-src 'none'")
    const ids = [...page.matchAll(/\sid="([^"]+)"/g)].map(([, id = '']) => id)
    expect(new Set(ids).size).toBe(ids.length)
    const anchors = [...page.matchAll(/href="#([^"]+)"/g)].map(([, anchor = '']) => anchor)
    expect(anchors.filter((anchor) => !ids.includes(anchor))).toEqual([])
    const { paths } = (await server.call('GET', '/openapi.json')).body
    const operations = Object.values(paths as Record<string, Record<string, { operationId: string }>>).flatMap(
      (methods) => Object.values(methods).map(({ operationId }) => operationId),
    )
    expect(operations.filter((operation) => !ids.includes(operation))).toEqual([])
    expect(page.match(/<pre>/g)?.length).toBe(operations.length)
    expect((Object.keys(problems) as ProblemCode[]).filter((code) => !ids.includes(`problem-${code}`))).toEqual([])
    expect(page.match(/class="contract"/g)?.length).toBe(publishedContracts.length)
  })

  test('needs nothing but its own files: no script, no style in the page, no other server', async () => {
    const { body: page } = await server.call('GET', '/docs', { headers: html })
    expect(page).not.toContain('<script')
    expect(page).not.toMatch(/\sstyle=|<style|\son[a-z]+=/)
    const named = [...page.matchAll(/(?:src|href)="([^"#]+)"/g)].map(([, address = '']) => address)
    expect(named.filter((address) => !address.startsWith('/'))).toEqual([])
    for (const address of new Set(named)) {
      expect([address, (await server.call('GET', address)).status]).toEqual([address, 200])
    }
  })
})
