import { Gstreamer } from '../gstreamer/gstreamer.ts'
import { playByWerift } from '../werift/werift.ts'
import { absence } from './absent.ts'
import type { Air } from './air.ts'
import { type ChromiumBrowser, firefoxProgram, openFirefox } from './browsers.ts'
import type { LedPage } from './led-page.ts'
import { mediaAddress } from './network.ts'

/** What a player has had: pictures (decoded frames; werift's packets) and sound (packets; GStreamer's decoded buffers). */
export interface Had {
  readonly pictures: number
  readonly sound: number
}

/** A client that plays picture and sound. */
export interface PlayingClient {
  readonly name: string
  readonly absent: string | null
  play(air: Air, chromium: ChromiumBrowser): Promise<{ had(): Promise<Had>; stop(): Promise<void> }>
}

export const playingClients: readonly PlayingClient[] = [
  inChromium('Chromium', 'page'),
  inChromium('whip-whep', 'whip-whep'),
  {
    name: "Footlight's own player",
    absent: null,
    async play({ watchUrl }, { browser }) {
      const page = await browser.newPage()
      await page.goto(watchUrl)
      return {
        had: () =>
          page.evaluate(() => {
            const video = document.querySelector('video')
            const stream = video?.srcObject
            const tracks = stream instanceof MediaStream ? stream.getAudioTracks() : []
            return {
              pictures: video?.getVideoPlaybackQuality().totalVideoFrames ?? 0,
              // Its connection is not ours to ask: an audio track that is not muted gets packets.
              sound: tracks.some((track) => !track.muted) ? 1000 : 0,
            }
          }),
        stop: () => page.close(),
      }
    },
  },
  {
    name: 'Firefox',
    absent: await absence('Firefox'),
    async play({ play }) {
      const firefox = await openFirefox(firefoxProgram() ?? '')
      await firefox.page.ask('play', 'viewer', play)
      return {
        had: () => hadBy(firefox.page, 'viewer'),
        async stop() {
          await firefox.page.ask('stopPlaying', 'viewer')
          await firefox.close()
        },
      }
    },
  },
  {
    name: 'GStreamer',
    absent: await absence('GStreamer'),
    async play({ play }) {
      const gstreamer = new Gstreamer('play', play)
      return {
        had: async () => ({ pictures: gstreamer.counts.video, sound: gstreamer.counts.audio }),
        stop: () => gstreamer.stop(),
      }
    },
  },
  {
    name: 'werift',
    absent: await absence('werift'),
    async play({ play }) {
      const werift = await playByWerift(play, mediaAddress())
      return {
        async had() {
          const { video, keyFrames, audio } = werift.received()
          return { pictures: keyFrames > 0 ? video : 0, sound: audio }
        },
        stop: () => werift.stop(),
      }
    },
  },
]

function inChromium(name: string, client: 'page' | 'whip-whep'): PlayingClient {
  return {
    name,
    absent: null,
    async play({ id, play }, { page }) {
      await page.ask('play', `viewer ${id}`, { ...play, client })
      return {
        had: () => hadBy(page, `viewer ${id}`),
        stop: () => page.ask('stopPlaying', `viewer ${id}`),
      }
    },
  }
}

async function hadBy(page: LedPage, name: string): Promise<Had> {
  const { frames, audioPackets } = await page.ask('played', name)
  return { pictures: frames, sound: audioPackets }
}
