import fc from 'fast-check'
import { clients } from '../../media/sdp-bridge/clients.ts'
import { type OfferDescription, writeOffer } from '../../media/sdp-bridge/offer-builder.ts'
import { mutatedOffer } from '../../media/sdp-bridge/offer-mutations.ts'

const offers = Object.values(clients).map((offer: OfferDescription) => writeOffer(offer))
const seeds = { whip: offers, whep: offers.map((offer) => offer.replaceAll('a=sendonly', 'a=recvonly')) }

/** Lines that mean something somewhere, and a line that a mutation may put in anywhere. */
const lines = [
  'm=video 9 UDP/TLS/RTP/SAVPF 96',
  'm=audio 0 UDP/TLS/RTP/SAVPF 111',
  'm=video 9 RTP/AVP 0',
  'm=application 9 UDP/DTLS/SCTP webrtc-datachannel',
  'm=',
  'v=0',
  'a=group:BUNDLE 0 0 0',
  'a=group:BUNDLE',
  'a=mid:0',
  `a=mid:${'x'.repeat(300)}`,
  'a=setup:holdconn',
  'a=setup:passive',
  'a=inactive',
  'a=sendrecv',
  'a=ice-ufrag:',
  'a=ice-pwd:x',
  'a=ice-lite',
  'a=fingerprint:md5 00',
  'a=fingerprint:sha-256',
  'a=rtpmap:96 H264/90000',
  'a=rtpmap:300 VP8/90000',
  'a=rtpmap:96 VP8/0',
  'a=fmtp:96 profile-level-id=zzzzzz;packetization-mode=7',
  'a=fmtp:97 apt=97',
  'a=rtcp-fb:* nack',
  'a=rid:a send pt=96;max-width=x',
  'a=simulcast:send ~a;b,c',
  'a=simulcast:recv a',
  'a=ssrc:0 cname:',
  'a=ssrc-group:SIM 1 2 3',
  'a=ssrc-group:FID 1',
  'a=extmap:0 urn:ietf:params:rtp-hdrext:sdes:mid',
  'a=extmap:15/sendonly urn:x',
  'a=bundle-only',
  'a=candidate:1 1 udp 1 999.999.999.999 99999 typ host',
]

/** One change of an offer's lines. */
type Change = (lines: string[]) => string[]
const at = fc.nat(9999)
const place = (length: number, where: number) => Math.floor((where / 10_000) * length)

const changes: fc.Arbitrary<Change> = fc.oneof(
  fc.tuple(at, fc.nat(4)).map(
    ([where, count]): Change =>
      (all) =>
        all.toSpliced(place(all.length, where), count + 1),
  ),
  fc.tuple(at, fc.constantFrom(...lines)).map(
    ([where, line]): Change =>
      (all) =>
        all.toSpliced(place(all.length, where), 0, line),
  ),
  fc.tuple(at, at).map(
    ([from, to]): Change =>
      (all) => {
        const [line = ''] = all.slice(place(all.length, from))
        return all.toSpliced(place(all.length, from), 1).toSpliced(place(all.length, to), 0, line)
      },
  ),
  // A whole piece twice: m-sections, groups, codecs.
  fc.tuple(at, fc.integer({ min: 1, max: 40 })).map(
    ([where, count]): Change =>
      (all) =>
        all.toSpliced(place(all.length, where), 0, ...all.slice(place(all.length, where)).slice(0, count)),
  ),
  // Another number for a number.
  fc.tuple(at, fc.constantFrom('0', '-1', '1', '65536', '4294967296', '99999999999999999999', '1e9', 'NaN', '')).map(
    ([where, number]): Change =>
      (all) =>
        all.map((line, index) => (index === place(all.length, where) ? line.replace(/\d+/, number) : line)),
  ),
)

const structural = (kind: 'whip' | 'whep') =>
  fc
    .tuple(fc.constantFrom(...seeds[kind]), fc.array(changes, { minLength: 1, maxLength: 5 }))
    .map(([offer, each]) => bytesOf(each.reduce((all, change) => change(all), offer.split('\r\n')).join('\r\n')))

const bytewise = (kind: 'whip' | 'whep') =>
  fc
    .tuple(
      fc.constantFrom(...seeds[kind]),
      fc.array(fc.tuple(at, fc.nat(255), fc.constantFrom('set', 'insert', 'remove', 'cut')), {
        minLength: 1,
        maxLength: 5,
      }),
    )
    .map(([offer, edits]) => {
      const bytes = [...bytesOf(offer)]
      for (const [where, byte, edit] of edits) {
        const index = place(bytes.length, where)
        if (edit === 'set') bytes[index] = byte
        else if (edit === 'insert') bytes.splice(index, 0, byte)
        else if (edit === 'remove') bytes.splice(index, 1)
        // Rarely: little is left of an offer that is cut.
        else if (byte < 16) bytes.length = index
      }
      return Uint8Array.from(bytes)
    })

/** The bytes of a client's offer after changes of its bytes, its text or its lines. */
export function mutatedBody(kind: 'whip' | 'whep'): fc.Arbitrary<Uint8Array<ArrayBuffer>> {
  return fc.oneof(structural(kind), bytewise(kind), mutatedOffer(kind).map(bytesOf))
}

function bytesOf(text: string): Uint8Array<ArrayBuffer> {
  return new TextEncoder().encode(text)
}
