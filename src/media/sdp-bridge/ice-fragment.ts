import { writeSdpFragment } from '../../contracts/sdp-fragment.ts'
import { iceOptions, numbered, type ServerTransport } from './answer.ts'
import type { Offer } from './offer.ts'

/**
 * Our half of the ICE session as the answer to a restart (RFC 9725 section 4.3.3): the new
 * credentials, every candidate, and `ice-lite` and `ice-options` as the answer to the offer
 * had them. It stands in the m-section that the others are bundled with (RFC 8840 section 9).
 * @param accepted whether the answer accepted the section with this index
 */
export function writeIceFragment(
  { sections, bundle }: Offer,
  { iceParameters, iceCandidates }: ServerTransport,
  accepted: (section: number) => boolean,
): string {
  const live = sections.filter((_, index) => accepted(index))
  const mids = live.flatMap(({ mid }) => (mid !== null && bundle?.includes(mid) ? [mid] : []))
  const tagged = live.find(({ mid }) => mid !== null && mid === mids[0]) ?? live[0]
  return writeSdpFragment({
    iceLite: true,
    iceOptions,
    bundle: mids,
    ...(tagged === undefined
      ? {}
      : {
          section: {
            line: `${tagged.media.type} 9 ${tagged.media.protocol} ${tagged.media.payloads ?? 0}`,
            mid: tagged.mid,
          },
        }),
    ufrag: iceParameters.usernameFragment,
    pwd: iceParameters.password,
    candidates: numbered(iceCandidates).map(
      ({ foundation, protocol, priority, address, port, type, tcpType }) =>
        `${foundation} 1 ${protocol} ${priority} ${address} ${port} typ ${type}${tcpType === undefined ? '' : ` tcptype ${tcpType}`}`,
    ),
    endOfCandidates: true,
  })
}
