import type { types } from 'mediasoup'
import * as sdpCommonUtils from 'mediasoup-client/handlers/sdp/commonUtils'
import * as sdpUnifiedPlanUtils from 'mediasoup-client/handlers/sdp/unifiedPlanUtils'
import * as ortc from 'mediasoup-client/ortc'
import * as sdpTransform from 'sdp-transform'
import { RefusedError } from '../../contracts/problem.ts'
import { type AnswerSection, type ServerTransport, writeAnswer } from './answer.ts'
import { writeIceFragment } from './ice-fragment.ts'
import { isBetween, type Offer, type OfferSection, readOffer, sdpRefusal } from './offer.ts'
import { lowestFirst } from './simulcast.ts'

/** What to produce for one m-section of a WHIP offer. */
export interface IncomingTrack {
  readonly kind: types.MediaKind
  readonly rtpParameters: types.RtpParameters
}

/** A WHIP offer, understood: what to make in mediasoup, and how to answer once it is made. */
export interface Publishing {
  readonly dtlsParameters: types.DtlsParameters
  /** The client's ICE username fragment. */
  readonly iceUfrag: string
  readonly tracks: readonly IncomingTrack[]
  /** The SDP answer; pure, so it may be written before or after the producers are made. */
  answer(transport: ServerTransport): string
  /** The SDP fragment that answers an ICE restart. */
  iceFragment(transport: ServerTransport): string
}

/**
 * Reads a WHIP offer (RFC 9725 sections 4.2 and 4.4) against the router's capabilities.
 *
 * At most one audio and one video section; sections that are neither (a data channel) are
 * rejected one by one, as RFC 3264 section 6 allows. The codec is the first of the offer
 * that we know: the client's own preference.
 *
 * Throws `RefusedError`: `invalid_sdp`, `unsupported_offer` or `no_compatible_codecs`.
 */
export function readWhipOffer(text: string, routerCapabilities: types.RtpCapabilities): Publishing {
  const offer = readOffer(text)
  checkTracks(offer)
  const read = offer.sections.map((section) =>
    section.enabled && section.kind !== 'other'
      ? legibly(() => readTrack(offer, section, section.kind as types.MediaKind, routerCapabilities))
      : null,
  )
  const tracks = read.flatMap((each) => (each === null ? [] : [each.track]))
  const sections = read.map((each): AnswerSection => each?.answer ?? { type: 'rejected' })
  return {
    dtlsParameters: offer.dtlsParameters,
    iceUfrag: offer.iceUfrag,
    tracks,
    answer: (transport) => writeAnswer(offer, transport, sections),
    iceFragment: (transport) => writeIceFragment(offer, transport, (section) => sections[section]?.type === 'accepted'),
  }
}

/** The libraries throw TypeErrors at parameters that contradict themselves: the client's, so a refusal. */
function legibly<T>(read: () => T): T {
  try {
    return read()
  } catch (error) {
    if (error instanceof RefusedError) throw error
    throw sdpRefusal(
      'invalid_sdp',
      'The tracks of the SDP offer cannot be read: their attributes contradict each other.',
    )
  }
}

function checkTracks(offer: Offer): void {
  const tracks = offer.sections.filter(({ kind, enabled }) => kind !== 'other' && enabled)
  if (tracks.length === 0) {
    throw sdpRefusal('unsupported_offer', 'The offer has neither audio nor video. Add a track before creating it.')
  }
  for (const kind of ['audio', 'video'] as const) {
    if (tracks.filter((track) => track.kind === kind).length > 1) {
      throw sdpRefusal('unsupported_offer', `The offer has more than one ${kind} track. Send one.`)
    }
  }
  if (tracks.some(({ direction }) => direction !== 'sendonly' && direction !== 'sendrecv')) {
    throw sdpRefusal(
      'unsupported_offer',
      'A WHIP offer must send: make every transceiver sendonly (RFC 9725 section 4.2).',
    )
  }
}

function readTrack(
  offer: Offer,
  section: OfferSection,
  kind: types.MediaKind,
  routerCapabilities: types.RtpCapabilities,
): { track: IncomingTrack; answer: AnswerSection } {
  // Both are cloned: matching H264 rewrites profile-level-id in place.
  const extended = ortc.getExtendedRtpCapabilities(
    structuredClone(section.capabilities) as never,
    structuredClone(routerCapabilities) as never,
    true,
  )
  const offered = ortc.getSendingRtpParameters(kind, extended)
  const answered = ortc.getSendingRemoteRtpParameters(kind, extended)
  if (offered.codecs.length === 0) {
    throw sdpRefusal(
      'no_compatible_codecs',
      kind === 'audio'
        ? 'No audio codec in common. Offer Opus.'
        : 'No video codec in common. Offer H264, VP8, VP9 or AV1.',
    )
  }
  offered.codecs = ortc.reduceCodecs(offered.codecs)
  answered.codecs = ortc.reduceCodecs(answered.codecs)
  stereoAsOffered(answered.codecs, offered.codecs)
  const rids = simulcastRids(section.media)
  const track: IncomingTrack = {
    kind,
    rtpParameters: {
      ...(offered as unknown as types.RtpParameters),
      ...(section.mid === null ? {} : { mid: section.mid }),
      encodings: rids.length > 0 ? ridEncodings(rids) : ssrcEncodings(section, offered.codecs as never),
      rtcp: { cname: String(sdpCommonUtils.getCname({ offerMediaObject: section.media })), reducedSize: true },
    },
  }
  if (section.mid === null) delete track.rtpParameters.mid
  return {
    track,
    answer: {
      type: 'accepted',
      direction: 'recvonly',
      codecs: answered.codecs as never,
      headerExtensions: answered.headerExtensions as never,
      simulcast: rids.length > 0 && offer.bundle !== null,
    },
  }
}

/** RFC 7587 section 7: who is to send stereo must be told that we take it. */
function stereoAsOffered(
  answered: { mimeType: string; parameters?: unknown }[],
  offered: readonly { mimeType: string; parameters?: unknown }[],
): void {
  const opus = offered.find(({ mimeType }) => mimeType.toLowerCase() === 'audio/opus')
  if (Number((opus?.parameters as Record<string, unknown> | undefined)?.['sprop-stereo']) !== 1) return
  for (const codec of answered) {
    if (codec.mimeType.toLowerCase() === 'audio/opus') {
      codec.parameters = { ...(codec.parameters as Record<string, unknown>), stereo: 1 }
    }
  }
}

/** The rids that the client will send (RFC 8853), the lowest layer first, as mediasoup wants them. */
function simulcastRids(media: sdpTransform.MediaDescription): readonly string[] {
  const sending = (media.rids ?? []).filter(({ direction }) => direction === 'send').map(({ id }) => String(id))
  if (sending.length === 0) return []
  const list = media.simulcast?.dir1 === 'send' ? media.simulcast.list1 : media.simulcast?.list2
  const named =
    list === undefined
      ? sending
      : sdpTransform
          .parseSimulcastStreamList(String(list))
          .flatMap((alternatives) => alternatives.slice(0, 1).map(({ scid }) => String(scid)))
          .filter((rid) => sending.includes(rid))
  return lowestFirst(named.length > 0 ? named : sending)
}

/** L1T3: mediasoup forwards no temporal layer above those that it was told of. */
function ridEncodings(rids: readonly string[]): types.RtpEncodingParameters[] {
  return rids.map((rid) => (rids.length > 1 ? { rid, scalabilityMode: 'L1T3' } : { rid }))
}

/**
 * The SSRCs that the client names (RFC 5576). Without any, mediasoup finds the track by its
 * MID header extension; without that neither, there is no way to tell the tracks apart.
 */
function ssrcEncodings(section: OfferSection, codecs: types.RtpCodecParameters[]): types.RtpEncodingParameters[] {
  const { media } = section
  if ((media.ssrcs ?? []).length === 0) {
    if (section.mid === null) {
      throw sdpRefusal('unsupported_offer', 'The offer names its tracks neither by a=mid nor by a=ssrc. Add one.')
    }
    return [{}]
  }
  // sdp-transform reads a group of one as a number.
  const groups = (media.ssrcGroups ?? []).map(({ semantics, ssrcs }) => ({ semantics, ssrcs: String(ssrcs) }))
  const encodings = sdpUnifiedPlanUtils.getRtpEncodings({
    offerMediaObject: { ...media, ssrcGroups: groups },
    codecs: codecs as never,
  })
  for (const { ssrc, rtx } of encodings) {
    if (!isBetween(ssrc, 1, 2 ** 32 - 1) || (rtx !== undefined && !isBetween(rtx.ssrc, 1, 2 ** 32 - 1))) {
      throw sdpRefusal('invalid_sdp', 'An a=ssrc of the offer is not a number of 32 bits (RFC 5576).')
    }
  }
  const simulcast = groups.some(({ semantics }) => semantics === 'SIM')
  // Several SSRCs that nothing groups are not simulcast: the first is the media.
  return (simulcast ? encodings : encodings.slice(0, 1)) as types.RtpEncodingParameters[]
}
