import { Gstreamer } from '../gstreamer/gstreamer.ts'
import { publishByWerift } from '../werift/werift.ts'
import { absence } from './absent.ts'
import type { Air } from './air.ts'
import { firefoxProgram, openFirefox } from './browsers.ts'
import type { LedPage } from './led-page.ts'
import { mediaAddress } from './network.ts'

/** A client that publishes a moving picture of 320 × 240, most with sound. */
export interface PublishingClient {
  readonly name: string
  readonly absent: string | null
  readonly sound: boolean
  /** Resolves when the session is there. `stop` ends it in the client's own way, with DELETE. */
  publish(air: Air, chromium: LedPage): Promise<{ stop(): Promise<void> }>
}

export const publishingClients: readonly PublishingClient[] = [
  inChromium('Chromium', 'page'),
  inChromium('whip-whep', 'whip-whep'),
  inChromium('@eyevinn/whip-web-client', 'eyevinn'),
  {
    name: 'Firefox',
    absent: await absence('Firefox'),
    sound: true,
    async publish({ publish }) {
      const firefox = await openFirefox(firefoxProgram() ?? '')
      await firefox.page.ask('publish', 'desk', publish)
      return {
        async stop() {
          await firefox.page.ask('stopPublishing', 'desk')
          await firefox.close()
        },
      }
    },
  },
  {
    name: 'GStreamer',
    absent: await absence('GStreamer'),
    sound: true,
    async publish({ publish }) {
      const gstreamer = new Gstreamer('publish', publish)
      await gstreamer.connected()
      return gstreamer
    },
  },
  {
    name: 'werift',
    absent: await absence('werift'),
    sound: false,
    publish: ({ publish }) => publishByWerift(publish, mediaAddress()),
  },
]

function inChromium(name: string, client: 'page' | 'whip-whep' | 'eyevinn'): PublishingClient {
  return {
    name,
    absent: null,
    sound: true,
    async publish({ id, publish }, chromium) {
      await chromium.ask('publish', id, { ...publish, client })
      return { stop: () => chromium.ask('stopPublishing', id) }
    },
  }
}
