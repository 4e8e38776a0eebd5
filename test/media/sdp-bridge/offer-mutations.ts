import fc from 'fast-check'
import { clients } from './clients.ts'
import { type OfferDescription, writeOffer } from './offer-builder.ts'

const texts = Object.values(clients).map((offer: OfferDescription) => writeOffer(offer))
/** The same clients as viewers. */
const viewing = texts.map((text) => text.replaceAll('a=sendonly', 'a=recvonly'))

const inserts = [
  '\r\nm=video 9 UDP/TLS/RTP/SAVPF 96\r\n',
  '\r\na=mid:\r\n',
  '\r\na=rid:x send\r\na=simulcast:send x;y\r\n',
  '\r\na=fmtp:96 apt=x\r\n',
  '\r\na=ssrc:4294967295 cname:x\r\n',
  '\r\na=extmap:15 urn:ietf:params:rtp-hdrext:sdes:mid\r\n',
  '\r\na=rtpmap:96 opus/48000/2\r\n',
  '99999999999',
  '-1',
  '__proto__',
  '',
]

/** An offer of some client with a piece cut out, put in, or moved: `kind` says what for. */
export function mutatedOffer(kind: 'whip' | 'whep'): fc.Arbitrary<string> {
  const splice = fc.record({
    // Unbiased: fast-check prefers small numbers, and at the very beginning there is only v=0.
    at: fc.noBias(fc.nat(9999)),
    remove: fc.nat(60),
    insert: fc.oneof(fc.string({ maxLength: 30 }), fc.constantFrom(...inserts)),
  })
  return fc
    .tuple(fc.constantFrom(...(kind === 'whip' ? texts : viewing)), fc.array(splice, { minLength: 1, maxLength: 3 }))
    .map(([text, splices]) =>
      splices.reduce((before, { at, remove, insert }) => {
        const from = Math.floor((at / 10_000) * before.length)
        return before.slice(0, from) + insert + before.slice(from + remove)
      }, text),
    )
}
