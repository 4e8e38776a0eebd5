import { expect, test } from 'bun:test'
import { decodeQR } from 'qr/decode.js'
import { encodeFrameTime, frameTimeModules, readFrameTime } from '../../src/desk/scene/frame-time.ts'

/** The code as pixels, `scale` a module, with every luma moved by up to `noise`. */
function picture(at: number, scale: number, noise = 0) {
  const modules = encodeFrameTime(at)
  const side = modules.length * scale
  const data = new Uint8ClampedArray(side * side * 4)
  for (let y = 0; y < side; y++) {
    for (let x = 0; x < side; x++) {
      const dark = modules[Math.floor(y / scale)]?.[Math.floor(x / scale)] === true
      // A fixed pattern in place of chance: the test must fail the same way twice.
      const luma = (dark ? 0 : 255) + (((x * 31 + y * 17) % 7) / 3 - 1) * noise
      data.set([luma, luma, luma, 255], (y * side + x) * 4)
    }
  }
  return { width: side, height: side, data }
}

test('a time survives the way through the code', () => {
  for (const at of [1_000_000_000_000, 1_793_000_123_456, 1_793_000_123_457, 9_999_999_999_999]) {
    expect(readFrameTime(decodeQR(picture(at, 7)))).toBe(at)
  }
})

test('and a coarse picture of it', () => {
  expect(readFrameTime(decodeQR(picture(1_793_000_123_456, 4, 60)))).toBe(1_793_000_123_456)
})

test('the code has the same size at any time', () => {
  for (const at of [1_000_000_000_000, 9_999_999_999_999]) {
    const modules = encodeFrameTime(at)
    expect(modules.length).toBe(frameTimeModules)
    expect(modules.every((row) => row.length === frameTimeModules)).toBe(true)
  }
})

test('no other text is taken for a time', () => {
  for (const text of ['', '12', 'https://example.org', '17930001234567', '1793000123.56']) {
    expect(readFrameTime(text)).toBeNull()
  }
})
