import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { createLocalJWKSet, exportJWK, generateKeyPair, importJWK, type JWK, jwtVerify, SignJWT } from 'jose'
import { localIssuerName } from './issuer-settings.ts'
import { readServiceClaims, type ServiceClaims } from './service-claims.ts'

export interface LocalIssuer {
  /** RFC 7517 key set, public halves only. */
  readonly jwks: { readonly keys: readonly JWK[] }
  /** Signs a token for `audience` (RFC 7519). */
  sign(claims: {
    readonly subject: string
    readonly capabilities: readonly string[]
    readonly audience: string
    readonly minutes: number
  }): Promise<string>
  /** @throws when the signature, audience, issuer or time does not hold */
  verify(token: string, audience: string): Promise<ServiceClaims>
}

const algorithm = 'ES256'

/**
 * The server's own issuer: an ES256 key in the data folder, made at first use and readable
 * by its owner alone. Whoever can read it is the operator.
 */
export async function openLocalIssuer(dataFolder: string): Promise<LocalIssuer> {
  const secret = await loadKey(dataFolder)
  const { d: _private, ...open } = secret
  const key = await importJWK(secret, algorithm)
  const jwks = { keys: [open] }
  const keySet = createLocalJWKSet(jwks)
  return {
    jwks,
    sign({ subject, capabilities, audience, minutes }) {
      return new SignJWT({ capabilities: [...capabilities] })
        .setProtectedHeader({ alg: algorithm, kid: secret.kid ?? '', typ: 'JWT' })
        .setIssuer(localIssuerName)
        .setSubject(subject)
        .setAudience(audience)
        .setIssuedAt()
        .setExpirationTime(`${minutes}m`)
        .sign(key)
    },
    async verify(token, audience) {
      const { payload } = await jwtVerify(token, keySet, {
        issuer: localIssuerName,
        audience,
        algorithms: [algorithm],
        requiredClaims: ['iss', 'sub', 'aud', 'exp', 'iat'],
      })
      return readServiceClaims(payload)
    },
  }
}

async function loadKey(dataFolder: string): Promise<JWK> {
  const file = join(dataFolder, 'issuer-key.json')
  const read = async () => JSON.parse(await readFile(file, 'utf8')) as JWK
  try {
    return await read()
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error
  }
  const { privateKey } = await generateKeyPair(algorithm, { extractable: true })
  const key: JWK = { ...(await exportJWK(privateKey)), alg: algorithm, use: 'sig', kid: crypto.randomUUID() }
  await mkdir(dataFolder, { recursive: true })
  try {
    await writeFile(file, JSON.stringify(key), { mode: 0o600, flag: 'wx' })
    return key
  } catch (error) {
    // Another process made it in the meantime: one key for all.
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return await read()
    throw error
  }
}
