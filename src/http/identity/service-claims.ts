import type { JWTPayload } from 'jose'

/** What a service token says, once it is verified. */
export interface ServiceClaims {
  /** `usr_…`, or `svc:…` / `node:…` when a service acts for people. */
  readonly subject: string
  readonly capabilities: readonly string[]
  /** True for a developer app's token: such a one publishes nothing here. */
  readonly app: boolean
}

/**
 * Reads the claims of a verified token. Capabilities: the list `capabilities`, or without
 * one the words of `scope` (RFC 8693 section 4.2). An app is known by `sub` (`app:…`), by an
 * `app_id`, or by `client_type`.
 */
export function readServiceClaims(payload: JWTPayload): ServiceClaims {
  const { sub = '', capabilities, scope, app_id, client_type } = payload
  const listed = Array.isArray(capabilities)
    ? capabilities.filter((name) => typeof name === 'string')
    : typeof scope === 'string'
      ? scope.split(' ').filter(Boolean)
      : []
  const app = sub.startsWith('app:') || (app_id !== undefined && app_id !== null) || client_type === 'app'
  return { subject: sub, capabilities: listed, app }
}
