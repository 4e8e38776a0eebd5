/** SHA-256 in hex, as callers of the store hash their secrets. */
export function sha256(secret: string): string {
  return new Bun.CryptoHasher('sha256').update(secret).digest('hex')
}
