import { describe, expect, test } from 'bun:test'
import type { types } from 'mediasoup'
import * as ortc from 'mediasoup/ortc'
import { readSdpFragment } from '../../../src/contracts/sdp-fragment.ts'
import { roomCodecs } from '../../../src/media/codecs.ts'
import { readWhepOffer } from '../../../src/media/sdp-bridge/whep.ts'
import { readWhipOffer } from '../../../src/media/sdp-bridge/whip.ts'
import { clients } from './clients.ts'
import { type OfferDescription, writeOffer } from './offer-builder.ts'
import { transport } from './transport.ts'

const capabilities = ortc.generateRouterRtpCapabilities(structuredClone([...roomCodecs])) as types.RtpCapabilities
const restarted = {
  ...transport,
  iceParameters: { usernameFragment: 'newufrag', password: 'newpassword0123456789abcd', iceLite: true },
}
const whip = (offer: OfferDescription) => readWhipOffer(writeOffer(offer), capabilities)

describe('our half of a restarted ICE session', () => {
  for (const [name, offer] of Object.entries(clients as Record<string, OfferDescription>)) {
    test(`is a fragment for ${name}, with the answer’s candidates and options`, () => {
      const publishing = whip(offer)
      const text = publishing.iceFragment(restarted)
      const fragment = readSdpFragment(text)
      expect([fragment.ufrag, fragment.pwd]).toEqual(['newufrag', 'newpassword0123456789abcd'])
      expect([fragment.iceLite, fragment.endOfCandidates]).toEqual([true, true])
      const answer = publishing.answer(transport)
      for (const line of text.split('\r\n').filter((line) => /^a=(candidate|ice-options|ice-lite|group)/.test(line))) {
        expect(answer).toContain(`${line}\r\n`)
      }
      expect(fragment.candidates.length).toBe(2)
    })
  }

  test('stands in the first section of the bundle that was accepted', () => {
    expect(whip(clients.dataChannelBeside).iceFragment(restarted)).toContain(
      'a=group:BUNDLE 0 2\r\nm=audio 9 UDP/TLS/RTP/SAVPF 111\r\na=mid:0\r\n',
    )
    const playing = readWhepOffer(
      writeOffer({
        sections: [
          { kind: 'audio', mid: 'a', direction: 'recvonly' },
          { kind: 'video', mid: 'v', direction: 'recvonly' },
        ],
      }),
    )
    expect(playing.iceFragment(restarted, new Set([1]))).toContain(
      'a=group:BUNDLE v\r\nm=video 9 UDP/TLS/RTP/SAVPF 96 97\r\na=mid:v\r\n',
    )
  })

  test('has no mid and no group for a client that names none', () => {
    const text = whip(clients.ffmpeg).iceFragment(restarted)
    expect(text).toContain('m=audio 9 UDP/TLS/RTP/SAVPF 111\r\na=ice-ufrag:')
    expect(text).not.toMatch(/a=(mid|group)/)
  })

  test('knows the client’s own user name, wherever it stands', () => {
    expect(whip(clients.chromium).iceUfrag).toBe('ufr1')
    expect(whip(clients.obs).iceUfrag).toBe('ufr1')
    expect(whip({ sections: [{ kind: 'video', mid: '0', ufrag: '0123' }] }).iceUfrag).toBe('0123')
    expect(whip({ sections: [{ kind: 'video', mid: '0', ufrag: '1234' }] }).iceUfrag).toBe('1234')
  })
})
