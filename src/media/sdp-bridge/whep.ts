import type { types } from 'mediasoup'
import { type AnswerSection, type ServerTransport, writeAnswer } from './answer.ts'
import { writeIceFragment } from './ice-fragment.ts'
import { type OfferSection, readOffer, sdpRefusal } from './offer.ts'

/** A WHEP offer, understood. */
export interface Playing {
  readonly dtlsParameters: types.DtlsParameters
  /** The client's ICE username fragment. */
  readonly iceUfrag: string
  /** The sections that could be filled: the first of each kind that wants to receive. */
  readonly wanted: readonly WantedTrack[]
  /** The SDP answer for the consumers that were made, by the index of the section. */
  answer(transport: ServerTransport, tracks: ReadonlyMap<number, OutgoingTrack>): string
  /** The SDP fragment that answers an ICE restart; `sent`: the sections that the answer accepted. */
  iceFragment(transport: ServerTransport, sent: ReadonlySet<number>): string
}

export interface WantedTrack {
  /** Which m-section, counted from 0. */
  readonly section: number
  readonly kind: types.MediaKind
  readonly mid: string | null
  readonly rtpCapabilities: types.RtpCapabilities
}

/** What is sent in one m-section: a consumer's own parameters. */
export interface OutgoingTrack {
  readonly rtpParameters: types.RtpParameters
  readonly streamId: string
  readonly trackId: string
}

/**
 * Reads a WHEP offer (draft-ietf-wish-whep-03 section 4.2): `recvonly` or `sendrecv`
 * sections, at most one of each kind filled, every other one kept in its place and rejected.
 *
 * Throws `RefusedError`: `invalid_sdp` or `unsupported_offer`.
 */
export function readWhepOffer(text: string): Playing {
  const offer = readOffer(text)
  const wanted: WantedTrack[] = []
  for (const [section, { kind, enabled, direction, mid, capabilities }] of offer.sections.entries()) {
    if (kind === 'other' || !enabled || (direction !== 'recvonly' && direction !== 'sendrecv')) continue
    if (wanted.some((other) => other.kind === kind)) continue
    wanted.push({ section, kind, mid, rtpCapabilities: capabilities })
  }
  if (wanted.length === 0) {
    throw sdpRefusal(
      'unsupported_offer',
      'A WHEP offer must receive: add a recvonly audio or video transceiver before creating it.',
    )
  }
  return {
    dtlsParameters: offer.dtlsParameters,
    iceUfrag: offer.iceUfrag,
    wanted,
    iceFragment: (transport, sent) => writeIceFragment(offer, transport, (section) => sent.has(section)),
    answer: (transport, tracks) =>
      writeAnswer(
        offer,
        transport,
        offer.sections.map((section, index) => {
          const track = tracks.get(index)
          return track === undefined ? { type: 'rejected' } : sending(section, track)
        }),
      ),
  }
}

function sending({ media }: OfferSection, { rtpParameters, streamId, trackId }: OutgoingTrack): AnswerSection {
  const encoding = rtpParameters.encodings?.[0]
  return {
    type: 'accepted',
    direction: 'sendonly',
    codecs: rtpParameters.codecs,
    headerExtensions: (rtpParameters.headerExtensions ?? []).filter(({ uri, id }) =>
      (media.ext ?? []).some((offered) => offered.uri === uri && offered.value === id),
    ),
    ...(encoding?.ssrc === undefined
      ? {}
      : {
          sending: {
            cname: rtpParameters.rtcp?.cname ?? 'footlight',
            ssrc: encoding.ssrc,
            ...(encoding.rtx === undefined ? {} : { rtxSsrc: encoding.rtx.ssrc }),
            streamId,
            trackId,
          },
        }),
  }
}
