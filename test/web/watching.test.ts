import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'bun:test'
import { mkdir } from 'node:fs/promises'
import type { Browser, Page } from 'playwright-core'
import { findWorker } from '../../src/media/worker-binary/find.ts'
import { launchBrowser } from './browser.ts'
import { type FakeRoom, openFakeRoom } from './fake-room.ts'
import { type FakeServer, onAir, startFakeServer } from './fake-server.ts'
import { sampleStream } from './sample-stream.ts'

/** The pages in a real browser, with real media, against a server that the test leads. */

const screenshots = 'test-results/watching'
const sizes = { desktop: { width: 1280, height: 800 }, phone: { width: 390, height: 844 } } as const
const idle = { stream: sampleStream({ state: 'idle', viewers: 0 }), media: null }

let room: FakeRoom
let server: FakeServer
let browser: Browser
let page: Page
let complaints: string[]

beforeAll(async () => {
  const workerBin = await findWorker()
  if (workerBin === undefined) throw new Error('no mediasoup worker: set MEDIASOUP_WORKER_BIN')
  await mkdir(screenshots, { recursive: true })
  room = await openFakeRoom({ workerBin, audio: true })
  browser = await launchBrowser()
}, 60_000)
afterAll(async () => {
  await browser?.close()
  await room?.close()
}, 30_000)

beforeEach(async () => {
  server = await startFakeServer({ room })
  await room.hold(false)
  page = await open()
})
afterEach(async () => {
  await page.context().close()
  await server.stop()
  // A policy's refusal, a failed load and an exception all end up here.
  expect(complaints).toEqual([])
})

async function open(
  size: keyof typeof sizes = 'desktop',
  colorScheme: 'dark' | 'light' = 'dark',
  more: { reducedMotion?: 'reduce' } = {},
): Promise<Page> {
  complaints = []
  const context = await browser.newContext({ viewport: sizes[size], colorScheme, ...more })
  const opened = await context.newPage()
  opened.on('pageerror', (error) => complaints.push(String(error)))
  opened.on('console', (message) => {
    // The socket that a test breaks is reported by the browser itself: that one is meant.
    if (message.type() === 'error' && !message.text().includes('WebSocket connection')) complaints.push(message.text())
  })
  return opened
}

const status = () => page.locator('.status').textContent()
const phase = (value: string) => page.waitForSelector(`.stage[data-phase="${value}"]`)
const picture = () => page.waitForSelector('.stage[data-picture="shown"]')
const box = () => page.locator('.stage').boundingBox()
const frames = () =>
  page.locator('video').evaluate((video: HTMLVideoElement) => video.getVideoPlaybackQuality().totalVideoFrames)

/** What a script on the page could read off the video element: its size, or nothing. */
const readable = () =>
  page.locator('video').evaluate((video: HTMLVideoElement) => ({
    source: video.srcObject !== null,
    width: video.videoWidth,
    seen: getComputedStyle(video).visibility === 'visible',
  }))

/** The refusals that a test means are reported by the browser itself. */
const expectStatus = (status: number) => {
  complaints = complaints.filter((text) => !text.includes(`status of ${status}`))
}

describe('the watch page', () => {
  test('waits while idle, plays by itself when the desk arrives, and its box does not move', async () => {
    await page.goto(server.watchUrl)
    await phase('waiting')
    expect(await status()).toBe('Waiting for the desk')
    const before = await box()
    expect((before?.width ?? 0) / (before?.height ?? 1)).toBeCloseTo(16 / 9, 1)
    server.show(onAir(1))
    await picture()
    expect(await status()).toBe('Live · 3 watching')
    expect(await box()).toEqual(before)
    expect((await readable()).width).toBe(1280)
  }, 30_000)

  test('a count that changes is shown and not announced', async () => {
    await page.goto(server.watchUrl)
    server.show(onAir(1))
    await picture()
    await page.evaluate(() => {
      const told: string[] = []
      Object.assign(window, { told })
      for (const region of document.querySelectorAll('[role=status]')) {
        new MutationObserver(() => told.push(region.textContent ?? '')).observe(region, {
          subtree: true,
          childList: true,
          characterData: true,
        })
      }
    })
    server.show(onAir(1, { viewers: 8 }))
    await page.getByText('Live · 8 watching').waitFor()
    server.show(onAir(1, { viewers: 9, curtain: { up: true } }))
    await page.waitForSelector('.stage[data-curtain="up"]')
    expect(await page.evaluate(() => (window as unknown as { told: string[] }).told)).toEqual(['Private screen'])
  }, 30_000)

  test('the curtain takes the picture at once and leaves nothing to read; it comes back by itself', async () => {
    await page.goto(server.watchUrl)
    server.show(onAir(1))
    await picture()
    const asked = room.consumed
    await room.hold(true)
    server.show(onAir(1, { curtain: { up: true } }))
    await page.getByText('Private screen').first().waitFor()
    expect(await readable()).toEqual({ source: false, width: 0, seen: false })
    expect(await status()).toBe('Live · 3 watching')
    await room.hold(false)
    server.show(onAir(1))
    await picture()
    expect((await readable()).width).toBe(1280)
    expect(room.consumed).toBe(asked)
  }, 30_000)

  test('who joins while the curtain is up sees nothing until it is down', async () => {
    await room.hold(true)
    server.show(onAir(1, { curtain: { up: true } }))
    await page.goto(server.watchUrl)
    await phase('playing')
    expect(await readable()).toEqual({ source: false, width: 0, seen: false })
    await room.hold(false)
    server.show(onAir(1))
    await picture()
  }, 30_000)

  test('a lost socket does not interrupt the picture', async () => {
    await page.goto(server.watchUrl)
    server.show(onAir(1))
    await picture()
    const asked = room.consumed
    const before = await frames()
    server.dropSockets()
    await phase('reconnecting')
    expect((await readable()).seen).toBe(true)
    await phase('playing')
    await page.waitForFunction(
      (count) => (document.querySelector('video')?.getVideoPlaybackQuality().totalVideoFrames ?? 0) > count,
      before,
    )
    expect(room.consumed).toBe(asked)
    expect(server.heard.filter(({ type }) => type === 'join').length).toBe(2)
  }, 30_000)

  test('a server that was restarted is joined anew, and its desk is waited for', async () => {
    await page.goto(server.watchUrl)
    server.show(onAir(3))
    await picture()
    const port = Number(new URL(server.origin).port)
    await server.stop()
    await phase('reconnecting')
    server = await startFakeServer({ room, port })
    await phase('waiting')
    expect(await readable()).toEqual({ source: false, width: 0, seen: false })
    server.show(onAir(1))
    await picture()
    expect(await status()).toBe('Live · 3 watching')
  }, 30_000)

  test('rejoin: joined anew on the same socket', async () => {
    await page.goto(server.watchUrl)
    server.show(onAir(1))
    await picture()
    server.forgetViewers()
    server.say({ type: 'rejoin' })
    await page.waitForSelector('.stage[data-picture="none"]')
    await picture()
    expect(server.heard.filter(({ type }) => type === 'consume').length).toBe(2)
  }, 30_000)

  test('an ended stream says so and holds no socket', async () => {
    await page.goto(server.watchUrl)
    server.show(onAir(1))
    await picture()
    server.show({ stream: sampleStream({ state: 'ended' }), media: null })
    await phase('ended')
    expect(await status()).toBe('Ended')
    expect(await readable()).toEqual({ source: false, width: 0, seen: false })
  }, 30_000)

  test('a refused join is said in words', async () => {
    server.refuseWith(4003)
    server.show(onAir(1))
    await page.goto(server.watchUrl)
    await phase('refused')
    expect(await page.locator('.veil').textContent()).toContain('ask its owner for a new one')
    expectStatus(404)
  }, 30_000)

  test('a browser without WebRTC is told so', async () => {
    await page.addInitScript(() => {
      Object.assign(window, { RTCPeerConnection: undefined })
    })
    server.show(onAir(1))
    await page.goto(server.watchUrl)
    await page.getByText('This browser cannot show live video').first().waitFor()
  }, 30_000)

  test('sound begins muted; the keyboard alone unmutes it', async () => {
    await page.goto(server.watchUrl)
    server.show(onAir(1))
    await picture()
    const muted = () => page.locator('video').evaluate((video: HTMLVideoElement) => video.muted)
    expect(await muted()).toBe(true)
    const button = page.getByRole('button', { name: 'Unmute' })
    await button.waitFor()
    for (
      let presses = 0;
      presses < 5 && !(await button.evaluate((el) => el === document.activeElement));
      presses += 1
    ) {
      await page.keyboard.press('Tab')
    }
    expect(await button.evaluate((el) => getComputedStyle(el).outlineStyle)).toBe('solid')
    await page.keyboard.press('Enter')
    await page.getByRole('button', { name: 'Mute', exact: true }).waitFor()
    expect(await muted()).toBe(false)
  }, 30_000)

  test('a page that is left says so', async () => {
    await page.goto(server.watchUrl)
    await phase('waiting')
    await page.goto(`${server.origin}/`)
    const deadline = performance.now() + 5000
    while (server.heard.at(-1)?.type !== 'leave' && performance.now() < deadline) await Bun.sleep(10)
    expect(server.heard.map(({ type }) => type)).toEqual(['join', 'leave'])
  }, 30_000)

  test('motion is reduced where asked', async () => {
    await page.context().close()
    page = await open('desktop', 'dark', { reducedMotion: 'reduce' })
    await page.goto(server.watchUrl)
    await phase('waiting')
    expect(await page.evaluate(() => document.getAnimations().length)).toBe(0)
  }, 30_000)
})

/** Waits for what the server is told, not for a time: fails after five seconds. */
async function until(holds: () => boolean) {
  const deadline = performance.now() + 5000
  while (!holds()) {
    if (performance.now() > deadline) throw new Error('it did not come to that')
    await Bun.sleep(10)
  }
}
describe('a private stream', () => {
  const vt = `wvt_${'a'.repeat(43)}`
  const next = `wvt_${'b'.repeat(43)}`
  const k = 'k'.repeat(22)
  const joins = () => server.heard.filter(({ type }) => type === 'join')
  const renewals = () => server.ticketRequests.filter(({ renew }) => renew !== undefined)

  test('the page’s ticket joins, leaves the address and is renewed while the picture plays on', async () => {
    server.guard({ vt, standsFor: 2000 })
    server.show(onAir(1, { visibility: 'private' }))
    await page.goto(`${server.watchUrl}?vt=${vt}&from=a#b`)
    await picture()
    expect(page.url()).toBe(`${server.watchUrl}?from=a#b`)
    const before = await frames()
    // Three lives of the ticket.
    await until(() => renewals().length >= 4)
    expect(server.ticketRequests).toEqual(renewals())
    expect(new Set(renewals().map(({ renew }) => renew))).toEqual(new Set([vt]))
    expect(joins()).toEqual([{ type: 'join', id: 1, stream: sampleStream().id, vt }])
    expect(await frames()).toBeGreaterThan(before)
  }, 30_000)

  test('a ticket that is taken back: another one by the page’s own right; none: the sentence', async () => {
    server.guard({ vt, mint: next, standsFor: 600_000 })
    server.show(onAir(1, { visibility: 'private' }))
    await page.goto(`${server.watchUrl}?vt=${vt}`)
    await picture()
    server.revokeTickets()
    await until(() => joins().length === 2)
    await picture()
    expect(server.ticketRequests).toEqual([{ renew: vt }, {}])
    expect(joins()[1]).toEqual({ type: 'join', id: expect.any(Number), stream: sampleStream().id, vt: next })
  }, 30_000)

  test('a ticket that is taken back, and no other to be had: the sentence', async () => {
    server.guard({ vt, standsFor: 600_000 })
    server.show(onAir(1, { visibility: 'private' }))
    await page.goto(`${server.watchUrl}?vt=${vt}`)
    await picture()
    server.revokeTickets()
    await phase('refused')
    expect(await page.locator('.veil').textContent()).toContain('You may not watch this stream any more')
    expect(await readable()).toEqual({ source: false, width: 0, seen: false })
    expectStatus(404)
  }, 30_000)

  test('a link’s key leaves the address, outlives a reload and mints', async () => {
    server.guard({ vt, k, mint: next, standsFor: 600_000 })
    server.show(onAir(1, { visibility: 'unlisted' }))
    await page.goto(`${server.watchUrl}?k=${k}`)
    await picture()
    expect(page.url()).toBe(server.watchUrl)
    await page.reload()
    await picture()
    expect(page.url()).toBe(server.watchUrl)
    expectStatus(404)
    server.revokeTickets()
    await until(() => joins().length === 3)
    await picture()
    expect(server.ticketRequests).toEqual([{ renew: vt }, { renew: vt }, { k }])
  }, 30_000)

  test('a link that was closed meanwhile: a reload says "not found" and does not go round', async () => {
    server.guard({ vt, k, standsFor: 600_000 })
    await page.goto(`${server.watchUrl}?k=${k}`)
    await phase('waiting')
    server.guard({ vt: next, k: 'o'.repeat(22), standsFor: 600_000 })
    await phase('refused')
    await page.reload()
    await page.waitForURL(`${server.watchUrl}?k=${k}`)
    await page.getByText('The stage is empty').waitFor()
    await page.goto(server.watchUrl)
    await page.getByText('The stage is empty').waitFor()
    expect(page.url()).toBe(server.watchUrl)
    expectStatus(404)
  }, 30_000)

  test('a public stream that is made private is gone from the screen at once', async () => {
    server.show(onAir(1))
    await page.goto(server.watchUrl)
    await picture()
    server.guard({ vt, standsFor: 600_000 })
    await phase('refused')
    expect(await status()).toBe('Not available')
    expect(await readable()).toEqual({ source: false, width: 0, seen: false })
    expect(server.ticketRequests).toEqual([{}])
    expectStatus(404)
  }, 30_000)
})

describe('the embed', () => {
  test('fills its frame, with label, count and curtain on the picture', async () => {
    await page.setViewportSize({ width: 640, height: 500 })
    await page.goto(server.embedUrl)
    await page.getByText('Waiting for the desk').waitFor()
    server.show(onAir(1))
    await picture()
    expect(await box()).toEqual({ x: 0, y: 0, width: 640, height: 500 })
    expect(await page.locator('video').evaluate((video) => getComputedStyle(video).objectFit)).toBe('contain')
    await page.getByText('AI agent').waitFor()
    expect(await page.locator('.corner-status').textContent()).toMatch(/Live\s*3/)
    server.show(onAir(1, { curtain: { up: true } }))
    await page.locator('.veil-private').waitFor()
    expect(await page.locator('.veil').textContent()).toContain('Private screen')
    expect(await readable()).toEqual({ source: false, width: 0, seen: false })
  }, 30_000)
})

describe('every state as a picture', () => {
  for (const size of ['desktop', 'phone'] as const) {
    for (const scheme of ['dark', 'light'] as const) {
      test(`${size}, ${scheme}: nothing is wider than the window`, async () => {
        await page.context().close()
        page = await open(size, scheme)
        const save = async (name: string) => {
          const wide = await page.evaluate(() => document.documentElement.scrollWidth > window.innerWidth)
          expect({ name, wide }).toEqual({ name, wide: false })
          await page.screenshot({ path: `${screenshots}/${name}-${size}-${scheme}.png` })
        }
        for (const [kind, url] of [
          ['watch', server.watchUrl],
          ['embed', server.embedUrl],
        ] as const) {
          server.refuseWith(null)
          server.show(idle)
          await page.goto(url)
          await phase('waiting')
          await save(`${kind}-waiting`)
          server.show(onAir(1))
          await picture()
          await save(`${kind}-live`)
          server.show(onAir(1, { curtain: { up: true } }))
          await page.locator('.veil-private').waitFor()
          await save(`${kind}-private`)
          server.show({ stream: sampleStream({ state: 'ended' }), media: null })
          await phase('ended')
          await save(`${kind}-ended`)
          server.show(onAir(1))
          server.refuseWith(4003)
          await page.reload()
          await phase('refused')
          await save(`${kind}-refused`)
          server.refuseWith(null)
          await page.reload()
          await picture()
          server.guard({ vt: 'wvt_none', standsFor: 0 })
          await phase('refused')
          await save(`${kind}-no-longer`)
          server.guard(null)
        }
        await page.goto(`${server.origin}/`)
        await save('home')
        await page.goto(`${server.origin}/sign-in`)
        await save('sign-in')
        await page.goto(`${server.origin}/nothing-here`)
        await save('not-found')
        // The browser reports the 404 that this very page is.
        complaints = complaints.filter((text) => !text.includes('404'))
      }, 60_000)
    }
  }
})
