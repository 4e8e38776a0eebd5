import { fileURLToPath } from 'node:url'
import { openBrowser } from '../browser.ts'
import { bundleForBrowser } from '../browser-bundle.ts'
import type { ProbeReport } from './probe.ts'

/** A viewer in a headless Chromium, with a probe in its page. */
export interface ProbedViewer {
  /** Everything seen from sighting number `from` on. */
  read(from?: number): Promise<ProbeReport>
  screenshot(path: string): Promise<void>
  close(): Promise<void>
}

/** Opens a watch page (or an embed) with the probe in it. `chromium`: path of the browser. */
export async function openProbedViewer(pageUrl: string, chromium?: string): Promise<ProbedViewer> {
  const [probe, browser] = await Promise.all([
    bundleForBrowser(fileURLToPath(new URL('./page-probe.ts', import.meta.url)), 'iife'),
    openBrowser(chromium === undefined ? {} : { executable: chromium }),
  ])
  try {
    await browser.page.addInitScript(probe)
    await browser.page.goto(pageUrl)
  } catch (error) {
    await browser.close()
    throw error
  }
  return {
    read: (from = 0) =>
      browser.page.evaluate(async (from) => {
        const report = await window.footlightProbe?.read(from)
        return report ?? { sightings: [], presented: 0, packets: 0 }
      }, from),
    async screenshot(path) {
      await browser.page.screenshot({ path })
    },
    close: () => browser.close(),
  }
}
