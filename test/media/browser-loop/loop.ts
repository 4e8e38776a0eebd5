import { type Browser, chromium, type Page } from 'playwright-core'
import type { PublicationFact, ViewerFact } from '../../../src/actors/ports/media.ts'
import { RefusedError } from '../../../src/contracts/problem.ts'
import type { MediaLayer } from '../../../src/media/media-layer.ts'
import { startLayer } from '../layer-under-test.ts'

/** A page of the test's own, driven over the media port as the HTTP layer will drive it. */
export class Loop {
  readonly layer: MediaLayer
  readonly page: Page
  /** What was told of each publication and viewer, in order. */
  readonly told = new Map<string, string[]>()
  readonly #browser: Browser
  readonly #server: Bun.Server<undefined>

  static async start(): Promise<Loop> {
    const layer = await startLayer(['w1'])
    const script = await Bun.build({ entrypoints: [`${import.meta.dir}/page.ts`], target: 'browser' })
    const code = await script.outputs[0]?.text()
    const browser = await chromium.launch({
      executablePath: '/usr/bin/chromium',
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
    return new Loop(layer, browser, await browser.newPage(), code ?? '')
  }

  private constructor(layer: MediaLayer, browser: Browser, page: Page, code: string) {
    this.layer = layer
    this.page = page
    this.#browser = browser
    this.#server = Bun.serve({
      hostname: '127.0.0.1',
      port: 0,
      fetch: async (request) => {
        const { pathname } = new URL(request.url)
        if (request.method === 'GET') {
          return pathname === '/page.js'
            ? new Response(code, { headers: { 'content-type': 'text/javascript' } })
            : new Response('<!doctype html><script src="/page.js"></script>', {
                headers: { 'content-type': 'text/html' },
              })
        }
        try {
          return Response.json(await this.#answer(pathname, (await request.json()) as never))
        } catch (error) {
          if (!(error instanceof RefusedError)) throw error
          return Response.json(error.refusal, { status: 400 })
        }
      },
    })
  }

  async open(): Promise<void> {
    await this.page.goto(`http://127.0.0.1:${this.#server.port}/`)
    await this.page.waitForFunction(() => window.page !== undefined)
  }

  async close(): Promise<void> {
    await this.#browser.close()
    await this.#server.stop(true)
    await this.layer.close()
  }

  counts(player: string): Promise<{ video: number; audio: number }> {
    return this.page.evaluate((name) => window.page.counts(name), player)
  }

  /** Waits until a player has decoded `more` video frames beyond those that it has now. */
  async moreFrames(player: string, more = 3): Promise<void> {
    const { video } = await this.counts(player)
    await this.page.waitForFunction(
      async ([name, least]) => (await window.page.counts(name)).video >= least,
      [player, video + more] as const,
      { timeout: 15_000, polling: 100 },
    )
  }

  /** Waits until a player has received audio. */
  async hears(player: string): Promise<void> {
    await this.page.waitForFunction(async (name) => (await window.page.counts(name)).audio > 0, player, {
      timeout: 15_000,
      polling: 100,
    })
  }

  /** Waits until a fact was told of a publication or viewer. */
  async until(id: string, fact: string, times = 1): Promise<void> {
    const deadline = Date.now() + 20_000
    while ((this.told.get(id) ?? []).filter((told) => told === fact).length < times) {
      if (Date.now() > deadline) throw new Error(`${id} was told ${this.told.get(id)}, never ${fact} ${times} times`)
      await Bun.sleep(20)
    }
  }

  async #answer(path: string, body: Record<string, never>): Promise<unknown> {
    const { media } = this.layer
    const stream = 'loop'
    if (path === '/capabilities') return { routerRtpCapabilities: media.rtpCapabilities }
    if (path === '/publish') {
      const { publication, offer } = body as unknown as { publication: string; offer: string }
      const answer = await media.openPublication({ stream, publication, worker: 'w1', offer, held: false })
      media.observePublication({ publication }, (fact) => this.#note(publication, fact))
      return answer
    }
    const { viewer } = body as unknown as { viewer: string }
    if (path === '/connect') {
      const { dtlsParameters } = body as unknown as { dtlsParameters: Record<string, unknown> }
      await media.connectViewer({ stream, viewer, dtlsParameters })
      return {}
    }
    const opened =
      path === '/whep'
        ? await media.openWhepViewer({ stream, viewer, offer: body.offer as unknown as string })
        : await media.openViewer({ stream, viewer, rtpCapabilities: body.rtpCapabilities as never })
    media.observeViewer({ viewer }, (fact) => {
      this.#note(viewer, fact)
      if (fact.type === 'connected') void media.startViewer({ stream, viewer }).catch(() => {})
    })
    return opened
  }

  #note(id: string, { type }: PublicationFact | ViewerFact): void {
    this.told.set(id, [...(this.told.get(id) ?? []), type])
  }
}
