import { fileURLToPath } from 'node:url'
import { bundleForBrowser } from '../browser-bundle.ts'

/** The scene's page on a loopback port: a secure context, so the page may capture its own tab. */
export interface SceneServer {
  readonly url: string
  stop(): void
}

/** Bundles the page and serves it on any free port of 127.0.0.1. */
export async function serveScene(): Promise<SceneServer> {
  const script = await bundleForBrowser(fileURLToPath(new URL('../page.ts', import.meta.url)))
  const file = (path: string, type: string) => () =>
    new Response(Bun.file(path), { headers: { 'content-type': type, 'cache-control': 'no-store' } })
  const own = (name: string) => fileURLToPath(new URL(name, import.meta.url))
  const font = (name: string) => Bun.resolveSync(`@fontsource-variable/${name}`, import.meta.dir)

  const server = Bun.serve({
    hostname: '127.0.0.1',
    port: 0,
    routes: {
      '/': file(own('./scene.html'), 'text/html; charset=utf-8'),
      '/scene.css': file(own('./scene.css'), 'text/css; charset=utf-8'),
      '/page.js': () => new Response(script, { headers: { 'content-type': 'text/javascript; charset=utf-8' } }),
      '/sans.woff2': file(font('inter/files/inter-latin-wght-normal.woff2'), 'font/woff2'),
      '/mono.woff2': file(font('jetbrains-mono/files/jetbrains-mono-latin-wght-normal.woff2'), 'font/woff2'),
    },
    fetch: () => new Response('Not found', { status: 404 }),
  })
  return { url: `http://127.0.0.1:${server.port}/`, stop: () => void server.stop(true) }
}
