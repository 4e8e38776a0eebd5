import { exportJWK, generateKeyPair, type JWK, SignJWT } from 'jose'

/** A key that signs, and its public half as it stands in a key set. */
export interface SigningKey {
  readonly kid: string
  readonly alg: string
  readonly publicJwk: JWK
  /** A token with these claims; `exp` and `iat` are set where the claims do not say. */
  sign(claims: Record<string, unknown>): Promise<string>
}

export async function signingKey(kid: string, alg = 'ES256'): Promise<SigningKey> {
  const { privateKey, publicKey } = await generateKeyPair(alg, { extractable: true })
  const publicJwk = { ...(await exportJWK(publicKey)), kid, alg, use: 'sig' }
  return {
    kid,
    alg,
    publicJwk,
    sign(claims) {
      const now = Math.floor(Date.now() / 1000)
      return new SignJWT({ iat: now, exp: now + 300, ...claims }).setProtectedHeader({ alg, kid }).sign(privateKey)
    },
  }
}

/** A web server that hands out a key set, or what a test wants instead. */
export function serveKeys(keys: readonly JWK[]) {
  let fetches = 0
  let answer: () => Response | Promise<Response> = () => Response.json({ keys })
  const server = Bun.serve({
    hostname: '127.0.0.1',
    port: 0,
    fetch() {
      fetches++
      return answer()
    },
  })
  return {
    url: `${server.url.origin}/keys`,
    port: server.port,
    /** How often the keys were asked for. */
    fetches: () => fetches,
    publish: (now: readonly JWK[]) => {
      answer = () => Response.json({ keys: now })
    },
    answer: (instead: () => Response | Promise<Response>) => {
      answer = instead
    },
    stop: () => server.stop(true),
  }
}
