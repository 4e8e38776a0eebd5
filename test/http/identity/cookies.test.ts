import { describe, expect, test } from 'bun:test'
import { mintSecret } from '../../../src/http/identity/secret.ts'
import { clearSessionCookie, writeSessionCookie } from '../../../src/http/identity/session-cookie.ts'
import { clearSignInCookie, readSignInCookie, writeSignInCookie } from '../../../src/http/identity/sign-in-cookie.ts'

const https = 'https://live.example'
const http = 'http://127.0.0.1:7400'
const begun = { state: 's'.repeat(43), nonce: 'n'.repeat(43), verifier: 'v'.repeat(43), to: '/@ada?k=ü#x' }
const now = 1_796_000_000_000

describe('cookies', () => {
  test('travel by https alone where people reach us by https', () => {
    const { secret } = mintSecret('session')
    const flags = (cookie: string) => cookie.split('; ').slice(1)
    expect(flags(writeSessionCookie(secret, https))).toEqual([
      'Max-Age=2592000',
      'Path=/',
      'HttpOnly',
      'Secure',
      'SameSite=Lax',
    ])
    expect(flags(writeSessionCookie(secret, http))).toEqual(['Max-Age=2592000', 'Path=/', 'HttpOnly', 'SameSite=Lax'])
    for (const clear of [clearSessionCookie, clearSignInCookie]) {
      expect(flags(clear(https))).toEqual(['Max-Age=0', 'Path=/', 'HttpOnly', 'Secure', 'SameSite=Lax'])
    }
    // __Host- asks for Secure and Path=/ and no Domain.
    expect(writeSignInCookie(begun, https, now)).toMatch(
      /^__Host-footlight_sign_in=[^;]+; Max-Age=600; Path=\/; HttpOnly; Secure; SameSite=Lax$/,
    )
  })

  test('keep a begun sign-in for ten minutes', () => {
    for (const origin of [https, http]) {
      const [cookie = ''] = writeSignInCookie(begun, origin, now).split(';', 1)
      expect(readSignInCookie(`a=b; ${cookie}`, origin, now + 599_999)).toEqual(begun)
      expect(readSignInCookie(cookie, origin, now + 600_000)).toBe(null)
    }
    // Under https the name that a neighbour could set is not read.
    const [open = ''] = writeSignInCookie(begun, http, now).split(';', 1)
    expect(readSignInCookie(open, https, now)).toBe(null)
    expect(readSignInCookie(null, https, now)).toBe(null)
  })
})
