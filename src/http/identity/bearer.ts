/** The token of an `Authorization: Bearer` header (RFC 6750 section 2.1); `null`: it is none. */
export function readBearer(header: string | null): string | null {
  return /^Bearer +([^\s]+)$/i.exec(header ?? '')?.[1] ?? null
}
