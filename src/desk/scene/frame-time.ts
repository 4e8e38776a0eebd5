import { encodeQR } from 'qr'

/*
 * The frame's time as a QR code: `Date.now()` in decimal digits. Thirteen digits fit version 1
 * (21 × 21 modules) even at the highest error correction, and the version, the level and the mask
 * are fixed, so that a frame costs one small encoding and the code never changes its size.
 */

/** The quiet zone that ISO/IEC 18004 section 5.3.8 asks for, in modules, on each side. */
const quietZone = 4
/** Modules on a side, the quiet zone included. */
export const frameTimeModules = 21 + 2 * quietZone

/** Rows of modules, true where dark, the quiet zone included. `at`: milliseconds since the epoch. */
export function encodeFrameTime(at: number): boolean[][] {
  return encodeQR(String(Math.trunc(at)), 'raw', {
    version: 1,
    ecc: 'high',
    encoding: 'numeric',
    mask: 2,
    border: quietZone,
  })
}

/** Reads what {@link encodeFrameTime} wrote; `null` for any other text. */
export function readFrameTime(text: string): number | null {
  return /^\d{13}$/.test(text) ? Number(text) : null
}
