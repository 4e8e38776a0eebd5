import { beforeAll, describe, expect, test } from 'bun:test'
import type { AgentStream } from '../../../src/contracts/agent-stream.ts'
import { type Assets, buildAssets } from '../../../src/web/assets.ts'
import { renderHomePage } from '../../../src/web/pages/home-page.tsx'
import { renderMessagePage, renderNotFoundPage } from '../../../src/web/pages/message-page.tsx'
import { pageHeaders } from '../../../src/web/pages/page-headers.ts'
import { renderSignInPage } from '../../../src/web/pages/sign-in-page.tsx'
import { renderEmbedPage, renderWatchPage } from '../../../src/web/pages/watch-page.tsx'
import { sampleStream } from '../sample-stream.ts'

let assets: Assets
beforeAll(async () => {
  assets = await buildAssets()
})

const watch = (over: Partial<AgentStream> = {}, handle = 'ada') =>
  renderWatchPage({ stream: sampleStream(over), handle, assets })
const embed = (over: Partial<AgentStream> = {}) =>
  renderEmbedPage({ stream: sampleStream(over), handle: 'ada', assets })
/** The text a person would read. */
const words = (html: string) =>
  html
    .replace(/<(script|style|title)\b.*?<\/\1>/gs, ' ')
    .replace(/<[^>]*>/g, '')
    .replaceAll('&amp;', '&')

describe('the watch page, before any script', () => {
  test('says Live and how many watch', () => {
    expect(words(watch())).toContain('Live · 3 watching')
    expect(words(watch({ viewers: 1204 }))).toContain('Live · 1,204 watching')
  })
  test('says Waiting for the desk', () => {
    expect(words(watch({ state: 'idle' }))).toContain('Waiting for the desk')
    expect(words(watch({ state: 'idle' }))).not.toContain('watching')
  })
  test('says Ended, and how long it worked', () => {
    expect(words(watch({ state: 'ended', worked_seconds: 11_100 }))).toContain('The agent worked 3 h 5 min.')
    expect(watch({ state: 'ended' })).toContain('<span role="status">Ended</span>')
  })
  test('says Private screen while the curtain is up, live and idle', () => {
    expect(words(watch({ curtain: { up: true } }))).toContain('Private screen')
    expect(words(watch({ state: 'idle', curtain: { up: true } }))).toContain('Private screen')
    expect(words(watch())).not.toContain('Private screen')
  })
  test('carries the label in every state', () => {
    for (const state of ['idle', 'live', 'ended'] as const) {
      expect(words(watch({ state }))).toContain('AI agent')
      expect(words(embed({ state }))).toContain('AI agent')
    }
  })
  test('the count is outside the live region', () => {
    expect(watch()).toContain('<span role="status">Live</span><span class="status-count">')
  })
})

describe('text from outside', () => {
  const hostile = [
    '</script><script>alert(1)</script>',
    '<img src=x onerror=alert(1)>',
    '"><svg/onload=alert(1)>',
    '<!--<script>',
    '\u202egpj.exe',
    '😀'.repeat(60),
    '\u2028\u2029\0',
  ]
  for (const title of hostile) {
    test(`is inert: ${JSON.stringify(title).slice(0, 40)}`, () => {
      const html = watch({ task: { source: 'desk', ref: title, title } }, title)
      const tags = html.match(/<(?:script|img|svg)[\s>/][^>]*>/g) ?? []
      expect(tags.filter((tag) => tag.startsWith('<script'))).toEqual([
        `<script type="module" src="${assets.paths['watch.js']}">`,
        '<script type="application/json" id="watch-data">',
      ])
      expect(tags.filter((tag) => tag.startsWith('<img') || tag.includes('onload'))).toEqual([])
      const json = html.match(/id="watch-data">(.*?)<\/script>/s)?.[1] ?? ''
      expect(json).not.toContain('<')
      expect(JSON.parse(json).stream.task.title).toBe(title)
    })
  }
})

describe('the player’s view ticket', () => {
  const dataOf = (html: string) => JSON.parse(html.match(/id="watch-data">(.*?)<\/script>/s)?.[1] ?? '')
  test('is in the data of the page, and nowhere else in it', () => {
    for (const render of [renderWatchPage, renderEmbedPage]) {
      const html = render({ stream: sampleStream(), handle: 'ada', vt: 'wvt_secret', assets })
      expect(dataOf(html).vt).toBe('wvt_secret')
      expect(html.split('wvt_secret').length).toBe(2)
    }
  })
  test('is not there when the stream needs none', () => {
    for (const html of [watch(), embed()]) expect(Object.keys(dataOf(html))).toEqual(['view', 'stream', 'handle'])
  })
})

describe('a strict policy', () => {
  const all = () => [
    watch(),
    embed(),
    renderHomePage({ assets, handle: 'ada' }),
    renderNotFoundPage({ assets }),
    renderMessagePage({ title: 'Used', detail: 'Ask for a new link.', assets }),
    renderSignInPage({ handle: 'ada', action: '/sign-in/x', assets }),
  ]
  test('no page has inline style, handler or script', () => {
    for (const html of all()) {
      expect(html).not.toMatch(/\sstyle=/)
      expect(html).not.toMatch(/\son[a-z]+=/)
      expect(html).not.toMatch(/<style/)
      for (const tag of html.match(/<script[^>]*>/g) ?? []) expect(tag).toMatch(/src=|type="application\/json"/)
    }
  })
  test('every page names only files that are served', () => {
    for (const html of all()) {
      const named = [...html.matchAll(/"(\/assets\/[^"]+)"/g)].map((match) => match[1] as string)
      expect(named.length).toBeGreaterThan(1)
      for (const path of named) expect(assets.files.has(path)).toBe(true)
    }
  })
  test('a nonce stands on script and styles', () => {
    const html = renderWatchPage({ stream: sampleStream(), handle: 'ada', assets, nonce: 'n0nce' })
    expect(html.match(/nonce="n0nce"/g)?.length).toBe(2)
  })
  test('the headers allow no framing unless told, and never everybody', () => {
    const policy = (frameAncestors: string[]) =>
      pageHeaders({ origin: 'https://live.example', frameAncestors })['Content-Security-Policy'] ?? ''
    expect(policy([])).toContain("frame-ancestors 'none'")
    expect(policy(['https://a.example', 'https://b.example'])).toContain(
      'frame-ancestors https://a.example https://b.example',
    )
    expect(policy([])).toContain("connect-src 'self' wss://live.example")
    expect(policy([])).not.toContain('unsafe')
  })
})

test('a sign-in link’s page only asks: the form posts', () => {
  const html = renderSignInPage({ handle: 'ada', action: '/sign-in/abc?x=1&y=2', assets })
  expect(html).toContain('<form method="post" action="/sign-in/abc?x=1&amp;y=2">')
  expect(words(html)).toContain('Sign in as @ada')
  expect(words(renderSignInPage({ action: '/s', assets }))).toContain('Sign in')
})
