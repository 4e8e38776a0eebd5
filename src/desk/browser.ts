import { existsSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { chromium, type Page } from 'playwright-core'

/** A Chromium of its own with one page. */
export interface OpenedBrowser {
  readonly page: Page
  /** Resolves when the browser is gone, whoever ended it. */
  readonly gone: Promise<void>
  /** Ends the browser and removes its profile. Idempotent. */
  close(): Promise<void>
}

const programs = ['chromium', 'chromium-browser', 'google-chrome-stable', 'google-chrome']

/**
 * Where Chromium is: `CHROMIUM_BIN`, else the first of its names on the `PATH`. Throws with a
 * sentence that says what to do.
 */
export function findChromium(environment: Record<string, string | undefined> = process.env): string {
  const named = environment.CHROMIUM_BIN
  if (named) {
    if (existsSync(named)) return named
    throw new Error(`CHROMIUM_BIN names ${named}, which is not there.`)
  }
  for (const program of programs) {
    const path = Bun.which(program, { PATH: environment.PATH ?? '' })
    if (path !== null) return path
  }
  throw new Error('Chromium was not found. Install it (apt-get install chromium), or name it in CHROMIUM_BIN.')
}

/**
 * Starts Chromium without a window, with a fresh profile, at 1280 × 720.
 *
 * The new headless mode is asked for by argument: playwright's own `headless: true` starts the old
 * one, which cannot capture a tab.
 */
export async function openBrowser(
  options: { readonly args?: readonly string[]; readonly executable?: string } = {},
): Promise<OpenedBrowser> {
  const executablePath = options.executable ?? findChromium()
  const profile = await mkdtemp(join(tmpdir(), 'footlight-browser-'))
  const removeProfile = () => rm(profile, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 })
  try {
    const context = await chromium.launchPersistentContext(profile, {
      executablePath,
      headless: false,
      viewport: { width: 1280, height: 720 },
      timeout: 30_000,
      // The desk stops in order by itself when it is told to.
      handleSIGINT: false,
      handleSIGTERM: false,
      handleSIGHUP: false,
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
        ...(options.args ?? []),
      ],
    })
    const gone = new Promise<void>((resolve) => context.once('close', () => resolve()))
    const page = context.pages()[0] ?? (await context.newPage())
    let closing: Promise<void> | undefined
    const close = () => {
      closing ??= context
        .close()
        .catch(() => undefined)
        .then(removeProfile)
      return closing
    }
    return { page, gone, close }
  } catch (error) {
    await removeProfile()
    throw error
  }
}
