import type { Answer, Order, Orders } from '../page/page.ts'

type Reply<Name extends keyof Orders> = Awaited<ReturnType<Orders[Name]>>

/**
 * A page that a test leads over a WebSocket, from an origin of its own: so it is the same for
 * every browser, and every request of its clients goes across origins.
 */
export class LedPage {
  readonly url: string
  readonly #server: Bun.Server<undefined>
  readonly #opened = Promise.withResolvers<Bun.ServerWebSocket<undefined>>()
  readonly #asked = new Map<number, { resolve(value: unknown): void; reject(error: Error): void }>()
  #last = 0

  static async serve(): Promise<LedPage> {
    const built = await Bun.build({ entrypoints: [`${import.meta.dir}/../page/page.ts`], target: 'browser' })
    return new LedPage((await built.outputs[0]?.text()) ?? '')
  }

  private constructor(script: string) {
    this.#server = Bun.serve({
      hostname: '127.0.0.1',
      port: 0,
      fetch: (request, server) => {
        const { pathname } = new URL(request.url)
        if (pathname === '/orders' && server.upgrade(request)) return undefined
        if (pathname === '/page.js') return new Response(script, { headers: { 'Content-Type': 'text/javascript' } })
        return new Response(
          '<!doctype html><meta charset="utf-8"><body><script type="module" src="/page.js"></script>',
          {
            headers: { 'Content-Type': 'text/html; charset=utf-8' },
          },
        )
      },
      websocket: {
        idleTimeout: 0,
        open: (socket) => this.#opened.resolve(socket),
        message: (_, text) => this.#answered(JSON.parse(String(text)) as Answer),
        close: () => {
          for (const { reject } of this.#asked.values()) reject(new Error('the page is gone'))
          this.#asked.clear()
        },
      },
    })
    this.url = `http://127.0.0.1:${this.#server.port}/`
  }

  /** Resolves when a browser has the page open. */
  async opened(): Promise<void> {
    await this.#opened.promise
  }

  async ask<Name extends keyof Orders>(name: Name, ...args: Parameters<Orders[Name]>): Promise<Reply<Name>> {
    const socket = await this.#opened.promise
    this.#last += 1
    const id = this.#last
    const { promise, resolve, reject } = Promise.withResolvers<unknown>()
    this.#asked.set(id, { resolve, reject })
    socket.send(JSON.stringify({ id, name, args } satisfies Order))
    return (await promise) as Reply<Name>
  }

  async close(): Promise<void> {
    await this.#server.stop(true)
  }

  #answered(answer: Answer): void {
    const asked = this.#asked.get(answer.id)
    this.#asked.delete(answer.id)
    if ('error' in answer) asked?.reject(new Error(answer.error))
    else asked?.resolve(answer.value)
  }
}
