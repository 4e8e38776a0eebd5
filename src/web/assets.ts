import { createHash } from 'node:crypto'
import { fileURLToPath } from 'node:url'

/** One file as it is served. Its path carries its hash: cache it for ever. */
export interface Asset {
  readonly body: Uint8Array<ArrayBuffer>
  /** The same, for `Content-Encoding: gzip`. */
  readonly gzip: Uint8Array<ArrayBuffer>
  /** `Content-Type` */
  readonly type: string
  /** Strong and quoted, as in RFC 9110 section 8.8.3. */
  readonly etag: string
}

export const assetNames = ['watch.js', 'return.js', 'site.css', 'embed.css', 'api.css', 'icon.svg'] as const
export type AssetName = (typeof assetNames)[number]

export interface Assets {
  /** By path: `/assets/watch-1a2b3c4d.js`. */
  readonly files: ReadonlyMap<string, Asset>
  /** The path of each, for pages to name. */
  readonly paths: Readonly<Record<AssetName, string>>
}

const sources: Record<AssetName, string> = {
  'watch.js': './islands/watch.tsx',
  'return.js': './islands/return.ts',
  'site.css': './styles/site.css',
  'embed.css': './styles/embed.css',
  'api.css': './styles/api.css',
  'icon.svg': './styles/icon.svg',
}

const types: Record<string, string> = {
  js: 'text/javascript; charset=utf-8',
  css: 'text/css; charset=utf-8',
  svg: 'image/svg+xml',
}

/**
 * Bundles what browsers load, in memory. Runs at every start (under 300 ms). Throws an
 * `AggregateError` of the bundler when a source does not build: a broken checkout.
 */
export async function buildAssets(): Promise<Assets> {
  const built = await Promise.all(
    assetNames.map(async (name) => {
      const bytes = await read(name)
      const hash = createHash('sha256').update(bytes).digest('hex').slice(0, 16)
      const [stem, extension] = name.split('.') as [string, string]
      const asset: Asset = {
        body: bytes,
        gzip: Bun.gzipSync(bytes),
        type: types[extension] ?? 'application/octet-stream',
        etag: `"${hash}"`,
      }
      return { name, path: `/assets/${stem}-${hash}.${extension}`, asset }
    }),
  )
  return {
    files: new Map(built.map(({ path, asset }) => [path, asset])),
    paths: Object.fromEntries(built.map(({ name, path }) => [name, path])) as Record<AssetName, string>,
  }
}

async function read(name: AssetName): Promise<Uint8Array<ArrayBuffer>> {
  const source = fileURLToPath(new URL(sources[name], import.meta.url))
  if (name.endsWith('.svg')) return new Uint8Array(await Bun.file(source).arrayBuffer())
  const { outputs } = await Bun.build({
    entrypoints: [source],
    target: 'browser',
    format: 'esm',
    minify: true,
    define: { 'process.env.NODE_ENV': '"production"' },
  })
  const [output] = outputs
  if (output === undefined) throw new Error(`The bundler made nothing of ${name}.`)
  return new Uint8Array(await output.arrayBuffer())
}
