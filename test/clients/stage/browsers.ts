import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Browser, chromium } from 'playwright-core'
import { browserPackages, clientPackages, programOf } from '../../../src/cli/setup/debian-packages.ts'
import { LedPage } from './led-page.ts'

/** A browser with one page that the test leads. */
export interface LedBrowser {
  readonly page: LedPage
  close(): Promise<void>
}

/** Where Debian's Firefox is, if it is there. */
export function firefoxProgram(): string | undefined {
  const wanted = clientPackages.packages.find(({ name }) => name === 'firefox-esr')
  return wanted && programOf(wanted)
}

export interface ChromiumBrowser extends LedBrowser {
  /** For more pages in the same browser, as our own watch page. */
  readonly browser: Browser
}

export async function openChromium(): Promise<ChromiumBrowser> {
  const wanted = browserPackages.packages.find(({ name }) => name === 'chromium')
  const page = await LedPage.serve()
  const browser = await chromium.launch({
    executablePath: (wanted && programOf(wanted)) ?? 'chromium',
    headless: false,
    args: [
      '--headless=new',
      '--no-sandbox',
      '--disable-gpu',
      '--disable-quic',
      '--no-first-run',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
      '--allow-loopback-in-peer-connection',
      '--autoplay-policy=no-user-gesture-required',
    ],
  })
  await (await browser.newPage()).goto(page.url)
  await page.opened()
  return {
    page,
    browser,
    async close() {
      await browser.close()
      await page.close()
    },
  }
}

/** What Firefox needs to be left alone. */
const firefoxSettings: Readonly<Record<string, boolean | number | string>> = {
  // A fake microphone, and nobody is asked whether a page may use it.
  'media.navigator.permission.disabled': true,
  'media.navigator.streams.fake': true,
  'media.peerconnection.ice.obfuscate_host_addresses': false,
  'media.autoplay.default': 0,
  'media.autoplay.blocking_policy': 0,
  'browser.shell.checkDefaultBrowser': false,
  'browser.aboutwelcome.enabled': false,
  'browser.startup.homepage_override.mstone': 'ignore',
  'datareporting.policy.dataSubmissionEnabled': false,
  'toolkit.telemetry.reportingpolicy.firstRun': false,
  'app.normandy.enabled': false,
  'app.update.enabled': false,
  'extensions.update.enabled': false,
  'media.gmp-manager.updateEnabled': false,
  'network.captive-portal-service.enabled': false,
  'network.connectivity-service.enabled': false,
  'browser.safebrowsing.downloads.remote.enabled': false,
  'services.settings.server': 'data:,#',
  'dom.min_background_timeout_value': 4,
}

/** Firefox without WebDriver: a page of ours is led all the same. */
export async function openFirefox(program: string): Promise<LedBrowser> {
  const page = await LedPage.serve()
  const profile = await mkdtemp(join(tmpdir(), 'footlight-firefox-'))
  const settings = Object.entries(firefoxSettings).map(
    ([name, value]) => `user_pref(${JSON.stringify(name)}, ${JSON.stringify(value)});`,
  )
  await Bun.write(join(profile, 'user.js'), settings.join('\n'))
  const child = Bun.spawn([program, '--headless', '--no-remote', '--profile', profile, page.url], {
    env: { ...process.env, HOME: profile, MOZ_CRASHREPORTER_DISABLE: '1' },
    stdio: ['ignore', 'ignore', 'ignore'],
  })
  await Promise.race([
    page.opened(),
    child.exited.then((code) => {
      throw new Error(`Firefox ended with ${code} before it had opened the page`)
    }),
  ])
  await page.ask('useMicrophone')
  return {
    page,
    async close() {
      child.kill()
      await child.exited
      await page.close()
      await rm(profile, { recursive: true, force: true })
    },
  }
}
