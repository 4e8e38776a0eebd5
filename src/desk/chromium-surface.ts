import type { OpenedBrowser } from './browser.ts'
import { openBrowser } from './browser.ts'
import { type SceneServer, serveScene } from './scene/server.ts'
import { SetbackError } from './setback.ts'

/** The desk's screen: a Chromium with the scene in it, captured by itself. */
export interface Surface {
  open(): Promise<void>
  close(): Promise<void>
  observeGone(gone: () => void): () => void
  observeLink(tell: (session: number, state: string) => void): () => void
  offer(session: number, encode: boolean): Promise<string>
  accept(session: number, answer: string): Promise<void>
  encode(on: boolean): Promise<void>
  /** The screen as it is now, as JPEG. */
  still(): Promise<Uint8Array>
  /** Covers the whole picture, or uncovers it; resolved when it is so on the screen. */
  blank(on: boolean): Promise<void>
}

/** How long a call into the page may take; a page that is stuck must not hold up the desk. */
const pageLimit = 10_000

/**
 * Sends the playout-delay header extension with 0 to 0 ms: "interactive", viewers show each frame as
 * it comes. Their jitter buffers would else hold a screen's picture back by what its one large key
 * frame took, for minutes. Measured: p50 from 51 to 28 ms (docs/desk.md).
 */
const noPlayoutDelay = '--force-fieldtrials=WebRTC-ForceSendPlayoutDelay/min_ms:0,max_ms:0/'

export function createChromiumSurface(options: { readonly executable?: string } = {}): Surface {
  const goneObservers = new Set<() => void>()
  const linkObservers = new Set<(session: number, state: string) => void>()
  let scene: SceneServer | undefined
  let browser: OpenedBrowser | undefined
  let opening: Promise<void> | undefined
  let closed = false

  const page = () => {
    if (browser === undefined) throw new SetbackError({ kind: 'broken', sentence: "The desk's browser is not open." })
    return browser.page
  }
  const inTime = <T>(work: Promise<T>, what: string) =>
    new Promise<T>((resolve, reject) => {
      const timer = setTimeout(
        () => reject(new SetbackError({ kind: 'broken', sentence: `The desk's browser did not ${what} in time.` })),
        pageLimit,
      )
      work.then(resolve, reject).finally(() => clearTimeout(timer))
    })

  const open = async () => {
    scene = await serveScene()
    browser = await openBrowser({
      args: ['--auto-accept-this-tab-capture', noPlayoutDelay],
      ...(options.executable === undefined ? {} : { executable: options.executable }),
    })
    const gone = () => {
      if (!closed) for (const tell of goneObservers) tell()
    }
    const { page } = browser
    page.once('crash', gone)
    void browser.gone.then(gone)
    await page.exposeFunction('footlightLink', (session: number, state: string) => {
      for (const tell of linkObservers) tell(session, state)
    })
    await page.goto(scene.url)
    const captured = page.evaluate(async () => {
      await document.fonts.ready
      await window.footlightDesk?.publisher.capture()
    })
    await inTime(captured, 'capture its tab')
  }

  return {
    open() {
      opening ??= open()
      return opening
    },
    async close() {
      closed = true
      // A browser that is still being opened would stay behind.
      await opening?.catch(() => undefined)
      await browser?.close()
      scene?.stop()
    },
    observeGone(gone) {
      goneObservers.add(gone)
      return () => goneObservers.delete(gone)
    },
    observeLink(tell) {
      linkObservers.add(tell)
      return () => linkObservers.delete(tell)
    },
    async offer(session, encode) {
      const offer = page().evaluate(
        async ([session, encode]) => {
          await window.footlightDesk?.publisher.encode(encode)
          return window.footlightDesk?.publisher.offer(session)
        },
        [session, encode] as const,
      )
      const sdp = await inTime(offer, 'make an offer')
      if (sdp === undefined) throw new SetbackError({ kind: 'broken', sentence: "The desk's page has no publisher." })
      return sdp
    },
    async accept(session, answer) {
      const accepted = page().evaluate(([session, answer]) => window.footlightDesk?.publisher.accept(session, answer), [
        session,
        answer,
      ] as const)
      await inTime(accepted, "take the server's answer")
    },
    async encode(on) {
      await inTime(
        page().evaluate((on) => window.footlightDesk?.publisher.encode(on), on),
        'switch its encoder',
      )
    },
    async still() {
      return await inTime(page().screenshot({ type: 'jpeg', quality: 60 }), 'take a still')
    },
    async blank(on) {
      await inTime(
        page().evaluate((on) => window.footlightDesk?.blank(on), on),
        'cover its picture',
      )
    },
  }
}
