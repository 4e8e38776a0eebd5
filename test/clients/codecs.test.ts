import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import type { Page } from 'playwright-core'
import { until } from '../http/test-server.ts'
import type { VideoWish } from './page/publishers.ts'
import { type Air, type OpenAir, openAir } from './stage/air.ts'
import { type ChromiumBrowser, openChromium } from './stage/browsers.ts'

/** What Chromium can encode, decoded by a WHEP viewer and by our own player. */

const patience = 30_000

let air: OpenAir
let chromium: ChromiumBrowser
let tab: Page
beforeAll(async () => {
  ;[air, chromium] = await Promise.all([openAir(), openChromium()])
  tab = await chromium.browser.newPage()
}, 60_000)
afterAll(async () => {
  await chromium?.close()
  await air?.stop()
}, 30_000)

async function onStream(then: (stream: Air) => Promise<void>): Promise<void> {
  const stream = await air.stream()
  try {
    await then(stream)
  } finally {
    await tab.goto('about:blank')
    await air.end(stream)
  }
}

/** What our own player shows: frames so far, their width, and whether sound comes. */
function shown(): Promise<{ frames: number; width: number; sound: boolean }> {
  return tab.evaluate(() => {
    const video = document.querySelector('video')
    const stream = video?.srcObject
    return {
      frames: video?.getVideoPlaybackQuality().totalVideoFrames ?? 0,
      width: video?.videoWidth ?? 0,
      sound: stream instanceof MediaStream && stream.getAudioTracks().some((track) => !track.muted),
    }
  })
}

const small = { width: 320, height: 240, framesPerSecond: 15 }
/** Chromium encodes three layers of simulcast or SVC from 960 × 540 on. */
const large = { width: 960, height: 540, framesPerSecond: 15 }
const rids = [{ rid: 'q', scaleResolutionDownBy: 4 }, { rid: 'h', scaleResolutionDownBy: 2 }, { rid: 'f' }]
const svc = (scalabilityMode: string) => [{ scalabilityMode } as RTCRtpEncodingParameters]

const cases: readonly (readonly [name: string, video: VideoWish])[] = [
  ['H264 42e01f', { ...small, codec: 'video/H264', profile: 'packetization-mode=1;profile-level-id=42e01f' }],
  ['H264 42001f', { ...small, codec: 'video/H264', profile: 'packetization-mode=1;profile-level-id=42001f' }],
  ['H264 4d001f', { ...small, codec: 'video/H264', profile: 'packetization-mode=1;profile-level-id=4d001f' }],
  ['H264 42e01f, mode 0', { ...small, codec: 'video/H264', profile: 'packetization-mode=0;profile-level-id=42e01f' }],
  ['VP8', { ...small, codec: 'video/VP8' }],
  ['VP9', { ...small, codec: 'video/VP9', profile: 'profile-id=0' }],
  ['AV1', { ...small, codec: 'video/AV1' }],
  ['VP8 simulcast, 3 rids', { ...large, codec: 'video/VP8', encodings: rids }],
  ['H264 simulcast, 3 rids', { ...large, codec: 'video/H264', profile: '42e01f', encodings: rids }],
  ['VP9 SVC L1T3', { ...small, codec: 'video/VP9', profile: 'profile-id=0', encodings: svc('L1T3') }],
  ['VP9 SVC L3T3', { ...large, codec: 'video/VP9', profile: 'profile-id=0', encodings: svc('L3T3') }],
  ['VP9 SVC L3T3_KEY', { ...large, codec: 'video/VP9', profile: 'profile-id=0', encodings: svc('L3T3_KEY') }],
  ['AV1 SVC L1T3', { ...small, codec: 'video/AV1', encodings: svc('L1T3') }],
]

describe('is decoded by a WHEP viewer and by our own player, with Opus:', () => {
  test.each(cases)('%s', (_, video) =>
    onStream(async (stream) => {
      await chromium.page.ask('publish', stream.id, { ...stream.publish, video })
      await Promise.all([chromium.page.ask('play', stream.id, stream.play), tab.goto(stream.watchUrl)])
      const played = () => chromium.page.ask('played', stream.id)
      await until(async () => (await played()).frames >= 15, patience)
      await until(async () => (await shown()).frames >= 15, patience)
      await until(async () => (await played()).audioEnergy > 0, patience)
      await until(async () => (await shown()).sound, patience)
      expect((await played()).codec).toBe(video.codec ?? '')
      if (video.encodings === rids) {
        // How many of the three it sends depends on its bitrate; that it sends some shows that rids work.
        await until(async () => (await chromium.page.ask('sent', stream.id)).rids.length >= 2, patience)
      } else {
        const sizes = [(await played()).width, (await shown()).width]
        for (const width of sizes)
          expect([video.width, (video.width ?? 0) / 2, (video.width ?? 0) / 4]).toContain(width)
      }
    }),
  )
})

test('video alone, to viewers who ask for both', () =>
  onStream(async (stream) => {
    await chromium.page.ask('publish', stream.id, { ...stream.publish, audio: false, video: small })
    await Promise.all([chromium.page.ask('play', stream.id, stream.play), tab.goto(stream.watchUrl)])
    await until(async () => (await chromium.page.ask('played', stream.id)).frames >= 15, patience)
    await until(async () => (await shown()).frames >= 15, patience)
    expect((await chromium.page.ask('played', stream.id)).audioPackets).toBe(0)
  }))

test('sound alone, to viewers who ask for both', () =>
  onStream(async (stream) => {
    await chromium.page.ask('publish', stream.id, { ...stream.publish, video: false })
    await Promise.all([
      chromium.page.ask('play', stream.id, { ...stream.play, kinds: ['video', 'audio'] }),
      tab.goto(stream.watchUrl),
    ])
    await until(async () => (await chromium.page.ask('played', stream.id)).audioEnergy > 0, patience)
    await until(async () => (await shown()).sound, patience)
    expect((await chromium.page.ask('played', stream.id)).frames).toBe(0)
  }))

test('a track that appears later is refused with what to do, and the picture goes on', () =>
  onStream(async (stream) => {
    await chromium.page.ask('publish', stream.id, { ...stream.publish, audio: false, video: small })
    await chromium.page.ask('play', stream.id, stream.play)
    const frames = async () => (await chromium.page.ask('played', stream.id)).frames
    await until(async () => (await frames()) >= 15, patience)
    const { offer, location, etag } = await chromium.page.ask('offerWithOneMoreTrack', stream.id)
    expect(offer.match(/^m=/gm)?.length).toBe(2)
    const send = async (method: string, url: string) => {
      const response = await fetch(url, {
        method,
        body: offer,
        headers: {
          'Content-Type': 'application/sdp',
          'If-Match': etag,
          Authorization: `Bearer ${stream.publish.token}`,
        },
      })
      const { code, detail } = (await response.json()) as { code: string; detail: string }
      return [response.status, code, detail] as const
    }
    const [status, code] = await send('POST', stream.publish.url)
    expect([status, code]).toEqual([409, 'already_publishing'])
    const [patched, why, detail] = await send('PATCH', location)
    expect([patched, why]).toEqual([415, 'unsupported_media_type'])
    expect(detail).toContain('End it and start another')
    const before = await frames()
    await until(async () => (await frames()) >= before + 15, patience)
  }))
