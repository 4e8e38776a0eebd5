/** Who makes a request, once authenticated. */
export type Principal =
  | { readonly kind: 'anonymous' }
  /** A signed-in person. */
  | { readonly kind: 'person'; readonly person: string; readonly handle: string; readonly channel: string }
  /** A first-party service. `person`: on whose behalf, when it names one. */
  | { readonly kind: 'service'; readonly person: string | null; readonly capabilities: readonly string[] }
  /** Whoever presents a publish ticket. `ticket`: its SHA-256. Whether it is good, the stream knows. */
  | { readonly kind: 'desk'; readonly ticket: string }
  /** Whoever presents a view ticket. `hash`: its SHA-256. Whether it is good, its stream knows. */
  | { readonly kind: 'viewer_ticket'; readonly hash: string }

export const anonymous: Principal = { kind: 'anonymous' }
