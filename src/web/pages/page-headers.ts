/** What a page's answer says beside its HTML. */
export interface PageHeadersInput {
  /** `https://live.example`: Safari before 15.4 does not count sockets to `'self'`. */
  readonly origin: string
  /** Which origins may frame the page; none when empty. */
  readonly frameAncestors: readonly string[]
}

/** The headers of every page: the strictest policy that they work under. */
export function pageHeaders({ origin, frameAncestors }: PageHeadersInput): Record<string, string> {
  const socketOrigin = origin.replace(/^http/, 'ws')
  const policy = [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    "img-src 'self'",
    `connect-src 'self' ${socketOrigin}`,
    "base-uri 'none'",
    "form-action 'self'",
    `frame-ancestors ${frameAncestors.length === 0 ? "'none'" : frameAncestors.join(' ')}`,
  ]
  return {
    'Content-Type': 'text/html; charset=utf-8',
    'Content-Security-Policy': policy.join('; '),
    'Referrer-Policy': 'no-referrer',
    'X-Content-Type-Options': 'nosniff',
    'Cache-Control': 'no-store',
  }
}
