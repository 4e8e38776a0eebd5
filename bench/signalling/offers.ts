import { chromium } from 'playwright-core'
import { browserPackages, programOf } from '../../src/cli/setup/debian-packages.ts'

/** The offers that are posted: what Chromium itself makes for audio and video, with every codec that it has. */
export interface Offers {
  readonly whip: string
  readonly whep: string
}

export async function chromiumOffers(): Promise<Offers> {
  const wanted = browserPackages.packages.find(({ name }) => name === 'chromium')
  const browser = await chromium.launch({
    executablePath: (wanted && programOf(wanted)) ?? 'chromium',
    args: ['--no-sandbox', '--disable-gpu', '--no-first-run', '--disable-background-networking'],
  })
  try {
    const page = await browser.newPage()
    const offer = (direction: 'sendonly' | 'recvonly') =>
      page.evaluate(async (wanted) => {
        const connection = new RTCPeerConnection()
        for (const kind of ['audio', 'video']) connection.addTransceiver(kind, { direction: wanted })
        const { sdp = '' } = await connection.createOffer()
        return sdp
      }, direction)
    return { whip: await offer('sendonly'), whep: await offer('recvonly') }
  } finally {
    await browser.close()
  }
}
