import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'bun:test'
import type { Browser, BrowserContext, Page } from 'playwright-core'
import { type Reply, startTestServer, type TestServer } from '../http/test-server.ts'
import { launchBrowser } from './browser.ts'

/** The pages of private and unlisted streams in a real browser, against the real server. */

let server: TestServer
let browser: Browser
let context: BrowserContext
let page: Page
let ada: Awaited<ReturnType<TestServer['person']>>
let bob: Awaited<ReturnType<TestServer['person']>>

beforeAll(async () => {
  server = await startTestServer()
  ada = await server.person('ada')
  bob = await server.person('bob')
  browser = await launchBrowser()
}, 60_000)
afterAll(async () => {
  await browser?.close()
  await server?.stop()
}, 30_000)
beforeEach(async () => {
  context = await browser.newContext()
  page = await context.newPage()
})
afterEach(() => context.close())

const phase = (value: string) => page.waitForSelector(`.stage[data-phase="${value}"]`)
const notFound = () => page.getByText('The stage is empty').waitFor()
const noLonger = () => page.getByText('You may not watch this stream any more').first().waitFor()

/** What the test's own calls are answered must be well. */
async function did(call: Promise<Reply>): Promise<Reply> {
  const reply = await call
  if (reply.status >= 300) throw new Error(`answered ${reply.status} ${JSON.stringify(reply.body)}`)
  return reply
}
async function signIn(cookie: string) {
  const [name = '', value = ''] = cookie.split('=')
  await context.addCookies([{ name, value, url: server.url }])
}
/** What the player asks of `view-ticket`, and what it is answered, in order. */
function watchTickets() {
  const seen: string[] = []
  page.on('response', (response) => {
    if (!response.url().endsWith('/view-ticket')) return
    const [asked = 'own right'] = Object.keys(response.request().postDataJSON())
    seen.push(`${asked} ${response.status()}`)
  })
  return seen
}
async function unlisted() {
  const stream = await server.stream(ada, 'unlisted')
  const { body } = await did(server.call('POST', `${stream.path}/rotate-link`, { cookie: ada.cookie }))
  return { ...stream, link: body.url as string }
}
const setVisibility = (path: string, visibility: string) =>
  did(server.call('PATCH', path, { cookie: ada.cookie, body: { visibility } }))

describe('a private stream', () => {
  test('is not there for others; its owner’s page waits, with a ticket that is renewed', async () => {
    const { stream } = await server.stream(ada)
    await page.goto(stream.page_url)
    await notFound()
    await signIn(ada.cookie)
    const tickets = watchTickets()
    const renewed = page.waitForResponse(/view-ticket$/)
    await page.goto(stream.page_url)
    await phase('waiting')
    expect((await renewed).status()).toBe(200)
    expect(tickets).toEqual(['renew 200'])
  }, 30_000)

  test('that was shared is gone once it is not', async () => {
    const { stream, path } = await server.stream(ada)
    await did(server.call('PUT', `${path}/share`, { cookie: ada.cookie, body: { handle: 'bob' } }))
    await signIn(bob.cookie)
    await page.goto(stream.page_url)
    await phase('waiting')
    const tickets = watchTickets()
    await did(server.call('DELETE', `${path}/share?handle=bob`, { cookie: ada.cookie }))
    await phase('refused')
    await noLonger()
    expect(tickets.at(-1)).toBe('own right 404')
  }, 30_000)

  test('in an embed comes by the ticket of its address', async () => {
    const { stream, path } = await server.stream(ada)
    const { body } = await did(server.call('POST', `${path}/view-ticket`, { cookie: ada.cookie }))
    const tickets = watchTickets()
    const renewed = page.waitForResponse(/view-ticket$/)
    await page.goto(`${stream.embed_url}?vt=${body.ticket}`)
    await phase('waiting')
    await renewed
    expect(page.url()).toBe(stream.embed_url)
    await page.reload()
    await phase('waiting')
    expect(page.url()).toBe(stream.embed_url)
    expect(tickets[0]).toBe('renew 200')
  }, 30_000)
})

describe('an unlisted stream', () => {
  test('opens by its link, also after a reload; a new link ends that', async () => {
    const { stream, path, link } = await unlisted()
    await page.goto(link)
    await phase('waiting')
    expect(page.url()).toBe(stream.page_url)
    await page.reload()
    await phase('waiting')
    expect(page.url()).toBe(stream.page_url)
    const tickets = watchTickets()
    await did(server.call('POST', `${path}/rotate-link`, { cookie: ada.cookie }))
    await phase('refused')
    await noLonger()
    expect(tickets.at(-1)).toBe('k 404')
    await page.reload()
    await page.waitForURL(link)
    await notFound()
  }, 30_000)
})

describe('visibility', () => {
  test('public to private drops who watches by nothing else, and not the owner', async () => {
    const { stream, path } = await server.stream(ada, 'public')
    await page.goto(stream.page_url)
    await phase('waiting')
    const owner = await browser.newContext()
    try {
      const [name = '', value = ''] = ada.cookie.split('=')
      await owner.addCookies([{ name, value, url: server.url }])
      const own = await owner.newPage()
      await own.goto(stream.page_url)
      await own.waitForSelector('.stage[data-phase="waiting"]')
      await setVisibility(path, 'private')
      await phase('refused')
      await noLonger()
      await did(server.call('POST', `${path}/end`, { cookie: ada.cookie }))
      await own.waitForSelector('.stage[data-phase="ended"]')
    } finally {
      await owner.close()
    }
  }, 30_000)

  test('public to unlisted: who came by the link gets a ticket by its key and goes on', async () => {
    const { stream, path, link } = await unlisted()
    await setVisibility(path, 'public')
    await page.goto(link)
    await phase('waiting')
    expect(page.url()).toBe(stream.page_url)
    const minted = page.waitForResponse(/view-ticket$/)
    await setVisibility(path, 'unlisted')
    expect((await minted).status()).toBe(201)
    await phase('waiting')
  }, 30_000)

  test('private to public: all go on', async () => {
    const { stream, path } = await server.stream(ada)
    await signIn(ada.cookie)
    await page.goto(stream.page_url)
    await phase('waiting')
    await setVisibility(path, 'public')
    await did(server.call('POST', `${path}/end`, { cookie: ada.cookie }))
    await phase('ended')
  }, 30_000)
})
