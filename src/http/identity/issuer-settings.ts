import { resolve } from 'node:path'
import { fileURLToPath } from 'node:url'

/** Somebody whose tokens count here. */
export interface TrustedIssuer {
  /** Compared with the token's `iss`, to the letter. */
  readonly issuer: string
  /** Where its public keys are (a key set of RFC 7517). */
  readonly keys: { readonly url: string } | { readonly file: string }
  /** What its tokens name as their audience. */
  readonly audience: string
}

/** The name of this server's own issuer. A fixed name: the keys say which server it is. */
export const localIssuerName = 'footlight:local'

export interface IssuerSettingsInput {
  /** The setting's name, for the faults. */
  readonly setting: string
  readonly json: string
  /** What relative paths of key files start from. */
  readonly folder: string
  /** For the issuers that name none. */
  readonly audience: string
}

/**
 * Reads the list of trusted issuers, `[{ "issuer", "jwks", "audience"? }]`.
 * @param faults gets a sentence for all that is wrong
 */
export function readIssuerSettings(input: IssuerSettingsInput, faults: string[]): TrustedIssuer[] {
  const { setting, json, audience } = input
  const list = parse(json)
  if (!Array.isArray(list)) {
    faults.push(`${setting} must be a JSON list such as [{"issuer": "https://id.example", "jwks": "https://…"}].`)
    return []
  }
  const issuers: TrustedIssuer[] = []
  for (const [index, entry] of list.entries()) {
    const fault = (sentence: string) => faults.push(`${setting}, entry ${index + 1}: ${sentence}`)
    if (typeof entry !== 'object' || entry === null || Array.isArray(entry)) {
      fault('it must be an object with issuer and jwks.')
      continue
    }
    const { issuer, jwks, audience: own = audience, ...rest } = entry as Record<string, unknown>
    for (const name of Object.keys(rest)) {
      fault(`there is no field ${JSON.stringify(name)}; the fields are issuer, jwks and audience.`)
    }
    const known = nonEmpty(issuer) && (issuer === localIssuerName || issuers.some((other) => other.issuer === issuer))
    if (!nonEmpty(issuer)) fault('issuer must be the text that its tokens carry as iss.')
    else if (known) fault(`the issuer ${JSON.stringify(issuer)} is there already.`)
    if (!nonEmpty(own)) fault('audience must be a text, or be left out.')
    const keys = nonEmpty(jwks) ? keysAt(jwks, input.folder) : null
    if (keys === null) fault('jwks must be an https: address (http: on this machine alone), a file: address or a path.')
    if (nonEmpty(issuer) && !known && nonEmpty(own) && keys !== null) issuers.push({ issuer, keys, audience: own })
  }
  return issuers
}

function keysAt(jwks: string, folder: string): TrustedIssuer['keys'] | null {
  // A Windows path is no address; a one-letter scheme does not exist.
  if (!/^[a-z][a-z0-9+.-]+:/i.test(jwks)) return { file: resolve(folder, jwks) }
  if (!URL.canParse(jwks)) return null
  const url = new URL(jwks)
  if (isSafeWebAddress(url)) return { url: url.href }
  if (url.protocol !== 'file:' || url.host !== '') return null
  try {
    return { file: fileURLToPath(url) }
  } catch {
    return null
  }
}

/** True for what nobody on the way can change: https, or http that does not leave this machine. No password in it. */
export function isSafeWebAddress(url: URL): boolean {
  const loopback = /^(localhost|127\.\d+\.\d+\.\d+|\[::1\])$/.test(url.hostname)
  const safe = url.protocol === 'https:' || (url.protocol === 'http:' && loopback)
  return safe && url.username === '' && url.password === ''
}

function nonEmpty(value: unknown): value is string {
  return typeof value === 'string' && value.trim() !== ''
}

function parse(json: string): unknown {
  try {
    return JSON.parse(json)
  } catch {
    return null
  }
}
