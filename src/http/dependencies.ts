import type { ActorSystem } from '../actors/system.ts'
import type { IdentityStore } from '../store/identity-store.ts'
import type { ModeratorStore, SharingPort, StillStore, StreamListing, ViewTicketStore } from '../store/viewing-store.ts'
import type { Assets } from '../web/assets.ts'
import type { LocalIssuer } from './identity/local-issuer.ts'
import type { OidcProvider } from './identity/oidc-provider.ts'
import type { ServiceTokens } from './identity/service-tokens.ts'
import type { IceServerSettings } from './protocol/ice-server-settings.ts'
import type { RateLimits } from './rate-limits/rate-limits.ts'

/** What every route may use. Given once, by main.ts. */
export interface Dependencies {
  readonly system: ActorSystem
  readonly identity: IdentityStore
  readonly viewTickets: ViewTicketStore
  readonly sharing: SharingPort
  readonly moderators: ModeratorStore
  readonly stills: StillStore
  readonly listing: StreamListing
  /** This server's own issuer: the operator's tokens come from it alone. */
  readonly issuer: LocalIssuer
  /** Verifies service tokens of every issuer that counts here. */
  readonly tokens: ServiceTokens
  /** Who signs people in, when it is not one-time links alone. */
  readonly oidc: OidcProvider | null
  readonly rateLimits: RateLimits
  readonly assets: Assets
  /** mediasoup's router capabilities: what players are told before they consume. */
  readonly rtpCapabilities: Record<string, unknown>
  /** The audience of tokens for this server. */
  readonly audience: string
  /** STUN and TURN servers that WHIP and WHEP clients are told of. */
  readonly iceServers: IceServerSettings
  readonly frameAncestors: readonly string[]
  /** `https://live.example`: how people reach the server, without a slash at the end. */
  readonly origin: () => string
  /** Milliseconds since the epoch. */
  readonly now: () => number
  /** Resolves when the database answers. */
  readonly pingStore: () => Promise<void>
  /** Something broke that is not the caller's doing. */
  readonly report: (error: unknown) => void
  /** Calls `before` when the server is about to stop, and waits for it a moment. */
  readonly onStopping: (before: () => Promise<void>) => void
}
