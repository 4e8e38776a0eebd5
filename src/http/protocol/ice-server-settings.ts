/** STUN and TURN servers that clients are told of. */
export interface IceServerSettings {
  /** URIs (RFC 7064, RFC 7065): `stun:stun.example`, `turn:turn.example:3478?transport=udp`. */
  readonly urls: readonly string[]
  /** What the TURN servers check credentials with (coturn's `static-auth-secret`); `null`: there are none. */
  readonly turnSecret: string | null
  /** How long credentials are good for, in seconds. */
  readonly turnLifetime: number
}

const uri = /^(stuns?|turns?):(\[[0-9A-Fa-f:.]+\]|[A-Za-z0-9.-]+)(:\d{1,5})?(\?transport=(udp|tcp))?$/

/**
 * Reads the settings of ICE servers.
 * @param faults gets a sentence for all that is wrong
 */
export function readIceServerSettings(
  text: (name: string) => string | null,
  lifetime: number,
  faults: string[],
): IceServerSettings {
  const urls = (text('FOOTLIGHT_ICE_SERVERS') ?? '').split(/[\s,]+/).filter(Boolean)
  for (const url of urls) {
    const [, scheme = '', , , transport] = uri.exec(url) ?? []
    // RFC 7064: a STUN URI has no transport.
    if (scheme !== '' && !(scheme.startsWith('stun') && transport !== undefined)) continue
    faults.push(
      `FOOTLIGHT_ICE_SERVERS must list addresses such as stun:stun.example or turn:turn.example:3478?transport=udp; ${JSON.stringify(url)} is none.`,
    )
  }
  const turnSecret = text('FOOTLIGHT_TURN_SECRET')
  const turn = urls.some(isTurn)
  if (turn && turnSecret === null) {
    faults.push('FOOTLIGHT_ICE_SERVERS names a TURN server: set FOOTLIGHT_TURN_SECRET to its static-auth-secret.')
  }
  if (!turn && turnSecret !== null) {
    faults.push('FOOTLIGHT_TURN_SECRET is set, and FOOTLIGHT_ICE_SERVERS names no TURN server. Name one.')
  }
  return { urls, turnSecret, turnLifetime: lifetime }
}

export function isTurn(url: string): boolean {
  return url.startsWith('turn')
}
