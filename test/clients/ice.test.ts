import { afterAll, beforeAll, expect, test } from 'bun:test'
import { until } from '../http/test-server.ts'
import { absence } from './stage/absent.ts'
import { type Air, type OpenAir, openAir } from './stage/air.ts'
import { type ChromiumBrowser, openChromium } from './stage/browsers.ts'
import { blockUdp } from './stage/network.ts'

/** ICE over TCP alone, and ICE that is restarted while a picture is on. */

const patience = 30_000
const video = { codec: 'video/VP8', framesPerSecond: 30 }

let air: OpenAir
let chromium: ChromiumBrowser
beforeAll(async () => {
  ;[air, chromium] = await Promise.all([openAir(), openChromium()])
}, 60_000)
afterAll(async () => {
  await chromium?.close()
  await air?.stop()
}, 30_000)

const played = (name: string) => chromium.page.ask('played', name)

async function onStream(then: (stream: Air) => Promise<void>): Promise<void> {
  const stream = await air.stream()
  try {
    await then(stream)
  } finally {
    await air.end(stream)
  }
}

/** Waits for so many more frames on the viewer's screen. */
async function moreFrames(name: string, more: number): Promise<void> {
  const { frames } = await played(name)
  await until(async () => (await played(name)).frames >= frames + more, patience)
}

test('plays over TCP where the client has no UDP candidate', () =>
  onStream(async (stream) => {
    await chromium.page.ask('publish', stream.id, { ...stream.publish, video, transports: 'tcp' })
    await chromium.page.ask('play', stream.id, { ...stream.play, transports: 'tcp' })
    await moreFrames(stream.id, 15)
    expect((await played(stream.id)).protocol).toBe('tcp')
  }))

const noNetwork = await absence('a network without UDP')
test.skipIf(noNetwork !== null)(
  'plays over TCP where the network drops UDP: a desk, a WHEP viewer, our own player',
  () =>
    onStream(async (stream) => {
      const unblock = blockUdp()
      const tab = await chromium.browser.newPage()
      try {
        await chromium.page.ask('publish', stream.id, { ...stream.publish, video })
        await Promise.all([chromium.page.ask('play', stream.id, stream.play), tab.goto(stream.watchUrl)])
        await moreFrames(stream.id, 15)
        expect((await played(stream.id)).protocol).toBe('tcp')
        const shown = () =>
          tab.evaluate(() => document.querySelector('video')?.getVideoPlaybackQuality().totalVideoFrames ?? 0)
        await until(async () => (await shown()) >= 15, patience)
      } finally {
        unblock()
        await tab.close()
      }
    }),
)

test.each(['the desk', 'the viewer'])('the picture stays when %s restarts ICE', (who) =>
  onStream(async (stream) => {
    await chromium.page.ask('publish', stream.id, { ...stream.publish, video })
    await chromium.page.ask('play', stream.id, stream.play)
    await moreFrames(stream.id, 60)
    const quiet = await chromium.page.ask('longestGap', stream.id, 1000)
    const before = await chromium.page.ask('iceOf', stream.id, who === 'the desk' ? 'publisher' : 'player')
    const restarted = who === 'the desk' ? 'restartPublisher' : 'restartPlayer'
    const begun = performance.now()
    expect(await chromium.page.ask(restarted, stream.id)).toEqual({ status: 200 })
    await until(async () => {
      const now = await chromium.page.ask('iceOf', stream.id, who === 'the desk' ? 'publisher' : 'player')
      return now.state === 'connected' && now.ufrag !== before.ufrag
    }, patience)
    await moreFrames(stream.id, 30)
    const gap = await chromium.page.ask('longestGap', stream.id, performance.now() - begun)
    console.log(
      `ICE restart by ${who}: longest gap between frames ${gap.toFixed(0)} ms (${quiet.toFixed(0)} ms in the second before)`,
    )
    expect((await played(stream.id)).state).toBe('connected')
    // The same session, all along.
    expect((await air.look(stream)).viewers).toBe(1)
  }),
)
