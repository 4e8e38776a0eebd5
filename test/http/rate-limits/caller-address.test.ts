import { describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import { callerAddress } from '../../../src/http/rate-limits/caller-address.ts'

const peer = '203.0.113.9'

function address(forwarded: string | null, trusted: number, from: string | null = peer): string {
  const request = new Request('http://x/', { headers: forwarded === null ? {} : { 'X-Forwarded-For': forwarded } })
  return callerAddress(request, { requestIP: () => (from === null ? null : { address: from }) }, trusted)
}

describe('the caller’s address', () => {
  test('is the peer’s where no proxy is trusted, whatever the caller claims', () => {
    expect(address(null, 0)).toBe(peer)
    expect(address('198.51.100.7', 0)).toBe(peer)
  })

  test('is what the last trusted proxy wrote', () => {
    const line = '192.0.2.1, 198.51.100.7,10.0.0.2'
    expect([1, 2, 3, 4].map((trusted) => address(line, trusted))).toEqual([
      '10.0.0.2',
      '198.51.100.7',
      '192.0.2.1',
      '192.0.2.1',
    ])
    expect(address(null, 2)).toBe(peer)
  })

  test('is never what is no address', () => {
    const odd = ['unknown', '', ',', '10.0.0.2, evil', 'a'.repeat(5000), '_hidden', '999.1.1.1']
    expect(odd.map((line) => address(line, 1))).toEqual(odd.map(() => peer))
    expect(address('evil, 10.0.0.2', 2)).toBe('10.0.0.2')
  })

  test('has no port, is IPv4 where it is mapped, and one key for each IPv6 /64', () => {
    const forms: [string, string][] = [
      ['198.51.100.7:4711', '198.51.100.7'],
      ['[2001:db8::1]:4711', '2001:db8:0:0::/64'],
      ['2001:DB8:0:0:ffff::1', '2001:db8:0:0::/64'],
      ['2001:db8:0:1::1', '2001:db8:0:1::/64'],
      ['::1', '0:0:0:0::/64'],
      ['::ffff:198.51.100.7', '198.51.100.7'],
      ['::ffff:c633:6407', '198.51.100.7'],
      ['fe80::1', 'fe80:0:0:0::/64'],
    ]
    expect(forms.map(([line]) => address(line, 1))).toEqual(forms.map(([, key]) => key))
    expect(address(null, 0, 'fe80::1%eth0')).toBe('fe80:0:0:0::/64')
    expect(address(null, 0, '::ffff:127.0.0.1')).toBe('127.0.0.1')
    expect(address(null, 0, null)).toBe('unknown')
  })

  test('of any IPv6 address is its first four groups, however it is written', () => {
    const group = fc.oneof(fc.constant(0), fc.integer({ min: 0, max: 0xffff }))
    fc.assert(
      fc.property(fc.array(group, { minLength: 8, maxLength: 8 }), (groups) => {
        // The first is not 0, so that it is no mapped address.
        const own = [0x2001, ...groups.slice(1)].map((value) => value.toString(16))
        const long = own.map((value) => value.padStart(4, '0').toUpperCase()).join(':')
        const [short = ''] = new URL(`http://[${own.join(':')}]/`).hostname.match(/[0-9a-f:]+/) ?? []
        const dotted = `${own.slice(0, 6).join(':')}:192.0.2.1`
        const key = `${own.slice(0, 4).join(':')}::/64`
        expect([own.join(':'), long, short, dotted].map((form) => address(form, 1))).toEqual([key, key, key, key])
      }),
    )
  })

  test('of any header is an address', () => {
    fc.assert(
      fc.property(fc.string(), fc.integer({ min: 0, max: 16 }), (text, trusted) => {
        const line = text.replace(/[^\x20-\x7e]/g, '?')
        expect(address(line, trusted)).toMatch(/^([0-9a-f:]+::\/64|\d+\.\d+\.\d+\.\d+)$/)
      }),
    )
  })
})
