import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { until } from '../http/test-server.ts'
import { type Air, type OpenAir, openAir } from './stage/air.ts'
import { type ChromiumBrowser, openChromium } from './stage/browsers.ts'
import { playingClients } from './stage/players.ts'
import { publishingClients } from './stage/publishers.ts'

/** Every client that publishes watched in Chromium, and every client that plays on what Chromium publishes. */

const patience = 30_000

let air: OpenAir
let chromium: ChromiumBrowser
beforeAll(async () => {
  ;[air, chromium] = await Promise.all([openAir(), openChromium()])
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
    await air.end(stream)
  }
}

describe('is watched in Chromium when it publishes, and its DELETE ends the session:', () => {
  for (const client of publishingClients) {
    test.skipIf(client.absent !== null)(client.name, () =>
      onStream(async (stream) => {
        const publishing = await client.publish(stream, chromium.page)
        await chromium.page.ask('play', stream.id, stream.play)
        const played = () => chromium.page.ask('played', stream.id)
        await until(async () => (await played()).frames >= 15, patience)
        if (client.sound) await until(async () => (await played()).audioPackets >= 15, patience)
        const { width, height, keyFrames } = await played()
        expect([width, height]).toEqual([320, 240])
        expect(keyFrames).toBeGreaterThan(0)
        await publishing.stop()
        await until(async () => (await air.look(stream)).state === 'idle')
      }),
    )
  }
})

describe('plays what Chromium publishes, is counted, and its DELETE ends the session:', () => {
  for (const client of playingClients) {
    test.skipIf(client.absent !== null)(client.name, () =>
      onStream(async (stream) => {
        await chromium.page.ask('publish', stream.id, { ...stream.publish, video: { codec: 'video/VP8' } })
        const playing = await client.play(stream, chromium)
        await until(async () => (await playing.had()).pictures >= 15, patience)
        await until(async () => (await playing.had()).sound >= 15, patience)
        expect((await air.look(stream)).viewers).toBe(1)
        await playing.stop()
        await until(async () => (await air.look(stream)).viewers === 0)
        expect((await air.look(stream)).state).toBe('live')
      }),
    )
  }
})
