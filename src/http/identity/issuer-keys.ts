import { readFile, stat } from 'node:fs/promises'
import { createLocalJWKSet, createRemoteJWKSet, errors, type JWTVerifyGetKey } from 'jose'
import type { TrustedIssuer } from './issuer-settings.ts'

/** The issuer's keys could not be had, or are no usable key set: not the caller's doing. */
export class IssuerKeysError extends Error {
  override readonly name = 'IssuerKeysError'
}

export interface IssuerKeysOptions {
  /** How long after a fetch an unknown key makes no new one, ms. */
  readonly cooldownMs: number
  /** How long a fetch may take, ms. */
  readonly timeoutMs: number
}

/**
 * How jose finds the key for a token of this issuer. Keys are kept; one that is not known
 * makes the set be read again, so that an issuer may change its keys at any time.
 * The function rejects with {@link IssuerKeysError} when the keys cannot be had.
 */
export function issuerKeys(keys: TrustedIssuer['keys'], options: IssuerKeysOptions): JWTVerifyGetKey {
  const find = 'url' in keys ? remoteKeys(keys.url, options) : fileKeys(keys.file)
  return async (header, token) => {
    try {
      return await find(header, token)
    } catch (error) {
      if (isAboutTheToken(error)) throw error
      throw new IssuerKeysError(error instanceof Error ? error.message : String(error), { cause: error })
    }
  }
}

function remoteKeys(url: string, { cooldownMs, timeoutMs }: IssuerKeysOptions): JWTVerifyGetKey {
  const keys = createRemoteJWKSet(new URL(url), { cooldownDuration: cooldownMs, timeoutDuration: timeoutMs })
  return async (header, token) => {
    try {
      return await keys(header, token)
    } catch (error) {
      // A set with an unusable key may have been corrected since: jose would keep it for ten minutes.
      if (isAboutTheToken(error) || !keys.fresh || keys.coolingDown) throw error
      await keys.reload()
      return await keys(header, token)
    }
  }
}

/** Keys of a file, which is read anew when it changed and when a key is unknown. */
function fileKeys(file: string): JWTVerifyGetKey {
  let read: { readonly stamp: string; readonly find: JWTVerifyGetKey } | null = null
  const load = async () => {
    // The stamp is taken first: a change in between is seen at the next look.
    const stamp = await stampOf(file)
    read = { stamp, find: createLocalJWKSet(JSON.parse(await readFile(file, 'utf8'))) }
    return read
  }
  return async (header, token) => {
    const kept = read !== null && read.stamp === (await stampOf(file)) ? read : null
    if (kept === null) return await (await load()).find(header, token)
    try {
      return await kept.find(header, token)
    } catch (error) {
      if (!(error instanceof errors.JWKSNoMatchingKey)) throw error
      return await (await load()).find(header, token)
    }
  }
}

async function stampOf(file: string): Promise<string> {
  const { mtimeNs, size, ino } = await stat(file, { bigint: true })
  return `${mtimeNs} ${size} ${ino}`
}

/** The set is fine; the token names no key of it, or too many. */
function isAboutTheToken(error: unknown): boolean {
  return (
    error instanceof errors.JWKSNoMatchingKey ||
    error instanceof errors.JWKSMultipleMatchingKeys ||
    error instanceof errors.JOSENotSupported
  )
}
