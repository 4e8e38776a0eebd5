import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { type Browser, type BrowserContext, chromium, type Page } from 'playwright-core'
import { findChromium } from '../../src/desk/browser.ts'
import { type Desk, startDesk } from '../../src/desk/desk.ts'
import { startTestServer, type TestServer, until } from '../http/test-server.ts'

let server: TestServer
let ada: Awaited<ReturnType<TestServer['person']>>
let browser: Browser
let visitor: BrowserContext
const desks: Desk[] = []

beforeAll(async () => {
  server = await startTestServer()
  ada = await server.person('ada')
  browser = await chromium.launch({
    executablePath: findChromium(),
    args: ['--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run', '--allow-loopback-in-peer-connection'],
  })
  visitor = await browser.newContext()
}, 60_000)
afterAll(async () => {
  await Promise.all(desks.map((desk) => desk.stop()))
  await browser.close()
  await server.stop()
}, 60_000)

function putOnAir(stream: Awaited<ReturnType<TestServer['stream']>>): Desk {
  const desk = startDesk({ streamUrl: server.url + stream.path, publish: stream.publish })
  desks.push(desk)
  return desk
}

async function open(address: string, context = visitor): Promise<Page> {
  const page = await context.newPage()
  await page.goto(address)
  return page
}

function frames(page: Page): Promise<number> {
  return page.evaluate(() => {
    const video = document.querySelector('video')
    return video?.srcObject ? video.getVideoPlaybackQuality().totalVideoFrames : 0
  })
}

/** Waits until the picture moves: frames are decoded, and then more. */
async function moves(page: Page): Promise<void> {
  let before = 0
  await until(async () => {
    before = await frames(page)
    return before > 0
  }, 30_000)
  await until(async () => (await frames(page)) > before + 10, 30_000)
}

async function says(page: Page, selector: string, text: string): Promise<void> {
  await until(async () => ((await page.textContent(selector)) ?? '').includes(text), 20_000)
}

describe('watching', () => {
  test('page and embed wait, play by themselves, hide behind the curtain, wait again and end', async () => {
    const stream = await server.stream(ada, 'public')
    const page = await open(stream.stream.page_url)
    const embed = await open(stream.stream.embed_url)
    await says(page, '.status', 'Waiting for the desk')
    expect(await page.textContent('body')).toContain('AI agent')
    expect(await embed.textContent('body')).toContain('AI agent')

    const desk = putOnAir(stream)
    await moves(page)
    await moves(embed)
    await says(page, '.status', 'Live · 2 watching')
    const fit = await page.evaluate(() => {
      const video = document.querySelector('video') as HTMLVideoElement
      const style = getComputedStyle(video)
      return [style.objectFit, style.objectPosition]
    })
    expect(fit).toEqual(['contain', '50% 50%'])

    const set = (up: boolean) => server.call('POST', `${stream.path}/curtain`, { cookie: ada.cookie, body: { up } })
    expect((await set(true)).status).toBe(200)
    for (const each of [page, embed]) {
      await says(each, '.veil', 'Private screen')
      expect(await each.evaluate(() => document.querySelector('video')?.srcObject ?? null)).toBeNull()
    }
    expect((await set(false)).status).toBe(200)
    for (const each of [page, embed]) await moves(each)

    await desk.stop()
    await says(page, '.status', 'Waiting for the desk')
    await server.call('POST', `${stream.path}/end`, { cookie: ada.cookie })
    await says(page, '.status', 'Ended')
    await Promise.all([page.close(), embed.close()])
  }, 120_000)

  test('nobody watches a private stream: the desk encodes nothing until its owner opens the page', async () => {
    const stream = await server.stream(ada)
    const desk = putOnAir(stream)
    await until(() => desk.status() === 'not_encoding', 40_000)
    const owner = await browser.newContext()
    const [name = '', value = ''] = ada.cookie.split('=')
    await owner.addCookies([{ name, value, url: server.url }])
    const page = await open(stream.stream.page_url, owner)
    await moves(page)
    expect(desk.status()).toBe('on_air')
    expect((await server.call('GET', stream.path, { cookie: ada.cookie })).body.link).toBe('flowing')
    await owner.close()
    await until(() => desk.status() === 'not_encoding', 40_000)
    const stranger = await fetch(stream.stream.page_url)
    expect(stranger.status).toBe(404)
  }, 150_000)
})
