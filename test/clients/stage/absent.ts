import { browserPackages, clientPackages, missingPackages } from '../../../src/cli/setup/debian-packages.ts'
import { ownNetwork } from './network.ts'

type Needed = 'Firefox' | 'GStreamer' | 'werift' | 'a narrow link' | 'a network without UDP'

/** Why a client cannot be tested here; `null` when it can. Said once, by name: a skipped test is no passed one. */
export async function absence(client: Needed): Promise<string | null> {
  const why = await reason(client)
  if (why !== null) console.log(`skipped: ${client}, since ${why}`)
  return why
}

async function reason(client: Needed): Promise<string | null> {
  const wanted = {
    Firefox: clientPackages.packages.filter(({ name }) => name === 'firefox-esr'),
    GStreamer: clientPackages.packages.filter(({ name }) => /gst/.test(name)),
    werift: browserPackages.packages.filter(({ name }) => name === 'ffmpeg'),
    'a narrow link': clientPackages.packages.filter(({ name }) => name === 'iproute2'),
    'a network without UDP': clientPackages.packages.filter(({ name }) => name === 'iproute2'),
  }[client]
  const missing = await missingPackages({ purpose: '', packages: wanted })
  if (missing.length > 0) return `this machine lacks ${missing.join(', ')}`
  if (client !== 'GStreamer' && client !== 'werift' && !ownNetwork) {
    return 'it needs a network of its own, which ./footlight test makes as root on Linux'
  }
  return null
}
