import { beforeAll, expect, test } from 'bun:test'
import { type Assets, buildAssets } from '../../src/web/assets.ts'

let assets: Assets
beforeAll(async () => {
  assets = await buildAssets()
})

test('every name has a file whose path carries its hash', () => {
  for (const [name, path] of Object.entries(assets.paths)) {
    const [stem, extension] = name.split('.')
    expect(path).toMatch(new RegExp(`^/assets/${stem}-[0-9a-f]{16}\\.${extension}$`))
    expect(assets.files.get(path)?.body.length).toBeGreaterThan(0)
    expect(assets.files.get(path)?.etag).toMatch(/^"[0-9a-f]{16}"$/)
  }
  expect(assets.files.size).toBe(Object.keys(assets.paths).length)
})

test('the same sources make the same paths', async () => {
  expect((await buildAssets()).paths).toEqual(assets.paths)
})

test('gzip holds the same bytes', () => {
  for (const { body, gzip } of assets.files.values()) expect(Bun.gunzipSync(gzip)).toEqual(body)
})

test('JavaScript for a first visit stays below 120 KB compressed', () => {
  const size = assets.files.get(assets.paths['watch.js'])?.gzip.length ?? 0
  console.log(`watch.js: ${size} bytes compressed`)
  expect(size).toBeGreaterThan(0)
  expect(size).toBeLessThan(120_000)
})

test('the bundle is for production and runs under a policy without eval', () => {
  const text = new TextDecoder().decode(assets.files.get(assets.paths['watch.js'])?.body)
  expect(text).not.toContain('jsxDEV')
  expect(text).not.toMatch(/\beval\(|new Function\(/)
})
