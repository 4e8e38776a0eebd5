import type { Still } from '../../actors/ports/store.ts'

/**
 * What a picture is, by its first bytes and not by what anybody says of it: JPEG (ITU-T T.81
 * annex B: SOI and a marker) or WebP (RFC 9649 section 2.3: RIFF container). `null`: neither.
 */
export function stillType(bytes: Uint8Array): Still['type'] | null {
  if (bytes.length > 3 && bytes[0] === 0xff && bytes[1] === 0xd8 && bytes[2] === 0xff) return 'image/jpeg'
  const ascii = (from: number, to: number) => String.fromCharCode(...bytes.subarray(from, to))
  if (bytes.length > 15 && ascii(0, 4) === 'RIFF' && ascii(8, 12) === 'WEBP') return 'image/webp'
  return null
}
