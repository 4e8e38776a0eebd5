import { describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import { RefusedError } from '../../src/contracts/problem.ts'
import { readSdpFragment, type WrittenFragment, writeSdpFragment } from '../../src/contracts/sdp-fragment.ts'

const ufrag = 'EsAw'
const pwd = 'P2uYro0UCOQ4zxjKXaWCBui1'
const candidates = [
  '1387637174 1 udp 2122260223 192.0.2.1 61764 typ host generation 0 ufrag EsAw network-id 1',
  '2154773085 1 tcp 1518214911 2001:db8::1 9 typ host tcptype active generation 0',
  '842163049 1 UDP 1677729535 198.51.100.2 61765 typ srflx raddr 192.0.2.1 rport 61764',
]
const lines = (...all: string[]) => all.map((line) => `${line}\r\n`).join('')
const whole: WrittenFragment = {
  ufrag,
  pwd,
  iceLite: true,
  iceOptions: 'ice2',
  bundle: ['0', '1'],
  section: { line: 'audio 9 UDP/TLS/RTP/SAVPF 111', mid: '0' },
  candidates,
  endOfCandidates: true,
}

function refusal(text: string): string {
  try {
    readSdpFragment(text)
  } catch (error) {
    if (error instanceof RefusedError) return error.refusal.code
    throw error
  }
  return 'read'
}

describe('an SDP fragment', () => {
  test('is written in the order of RFC 8840, and read as it was written', () => {
    const text = writeSdpFragment(whole)
    expect(text).toBe(
      lines(
        'a=ice-lite',
        'a=ice-options:ice2',
        'a=group:BUNDLE 0 1',
        'm=audio 9 UDP/TLS/RTP/SAVPF 111',
        'a=mid:0',
        `a=ice-ufrag:${ufrag}`,
        `a=ice-pwd:${pwd}`,
        ...candidates.map((candidate) => `a=candidate:${candidate}`),
        'a=end-of-candidates',
      ),
    )
    expect(readSdpFragment(text)).toEqual({
      ufrag,
      pwd,
      iceLite: true,
      iceOptions: ['ice2'],
      endOfCandidates: true,
      candidates: [
        { transport: 'udp', address: '192.0.2.1', port: 61764, type: 'host' },
        { transport: 'tcp', address: '2001:db8::1', port: 9, type: 'host' },
        { transport: 'udp', address: '198.51.100.2', port: 61765, type: 'srflx' },
      ],
    })
  })

  test('is read as clients send it: at session level, with LF alone, without an end, with an empty candidate', () => {
    expect(readSdpFragment(`a=ice-ufrag:${ufrag}\na=ice-pwd:${pwd}`)).toEqual({
      ufrag,
      pwd,
      iceLite: false,
      iceOptions: [],
      endOfCandidates: false,
      candidates: [],
    })
    const many = lines(
      `a=ice-ufrag:${ufrag}`,
      `a=ice-pwd:${pwd}`,
      'm=video 9 RTP/AVP 0',
      'a=mid:{7a4e1f09-8e0b-4b32-9a63-0f4d2a6c7e22}',
      'a=',
      'm=audio 9 UDP/TLS/RTP/SAVPF 0',
      'a=mid:audio0',
      `a=ice-ufrag:${ufrag}`,
      `a=ice-pwd:${pwd}`,
      'a=x-unknown:whatever',
      'a=end-of-candidates',
    )
    expect([readSdpFragment(many).ufrag, readSdpFragment(many).endOfCandidates]).toEqual([ufrag, true])
    expect(readSdpFragment(lines(`a=candidate:${candidates[0]}`)).ufrag).toBeNull()
  })

  test('loses silently what cannot be used, and keeps the rest', () => {
    const some = [
      '1 1 sctp 2122260223 192.0.2.1 61764 typ host',
      '2 1 udp 2122260223 7ba5e4a6-5c1f-4d0f-9d9e-1f1c2c3a4b5c.local 61764 typ host',
      '3 1 udp 2122260223 desk.example 61764 typ host',
      '4 1 udp 2122260223 192.0.2.4 61764 typ host',
    ]
    const read = readSdpFragment(lines(...some.map((candidate) => `a=candidate:${candidate}`)))
    expect(read.candidates.map(({ address }) => address)).toEqual(['192.0.2.4'])
  })

  test('that is malformed is refused', () => {
    const credentials = [`a=ice-ufrag:${ufrag}`, `a=ice-pwd:${pwd}`]
    const bad = [
      '',
      '\r\n\r\n',
      'hello',
      '{"candidate":"…"}',
      lines('v=0', 'o=- 1 1 IN IP4 0.0.0.0', 's=-', 't=0 0'),
      lines('a=mid:0'),
      lines('m=audio 9 RTP/AVP 0', 'a=mid:0'),
      lines(...credentials, 'm=audio'),
      lines(...credentials, 'c=IN IP4 0.0.0.0'),
      lines('a=ice-ufrag:abc', `a=ice-pwd:${pwd}`),
      lines(`a=ice-ufrag:${ufrag}`, 'a=ice-pwd:short'),
      lines('a=ice-ufrag:sp ace', `a=ice-pwd:${pwd}`),
      lines(...credentials, 'm=video 9 RTP/AVP 0', 'a=ice-ufrag:other'),
      lines(...credentials, 'a=candidate:'),
      lines(...credentials, 'a=candidate:nonsense'),
      lines(...credentials, 'a=candidate:1 1 udp x 192.0.2.1 61764 typ host'),
      lines(...credentials, 'a=candidate:1 1 udp 1 192.0.2.1 70000 typ host'),
      lines(...credentials, 'a=candidate:1 1 udp 1 192.0.2.1 7000 typ host odd'),
      lines(...credentials, 'a=candidate:1 1 udp 1 192.0.2.1 7000 host'),
    ]
    expect(bad.map((text) => [text, refusal(text)])).toEqual(bad.map((text) => [text, 'invalid_sdp_fragment']))
  })

  test('of any text at all is read or refused, in little time', () => {
    const piece = fc.oneof(
      fc.string({ unit: 'binary' }),
      fc.constantFrom('a=', 'm=', 'candidate:', 'typ', ' ', '\r\n', 'a=ice-ufrag:', '1 1 udp 1 1.1.1.1 1 typ host'),
    )
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 30 }), (pieces) => {
        expect(['read', 'invalid_sdp_fragment']).toContain(refusal(pieces.join('')))
      }),
      { numRuns: 2000 },
    )
    const long = `a=ice-ufrag:${ufrag}\r\na=candidate:1 1 udp 1 1.1.1.1 1 typ host${' a'.repeat(32_000)}`
    expect(refusal(long)).toBe('read')
    expect(refusal(`${long} b c`.replace('typ', 'tip'))).toBe('invalid_sdp_fragment')
  })
})
