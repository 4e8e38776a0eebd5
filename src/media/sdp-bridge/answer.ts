import type { types } from 'mediasoup'
import { RemoteAnswerMediaSection } from 'mediasoup-client/handlers/sdp/RemoteMediaSection'
import * as sdpTransform from 'sdp-transform'
import type { Offer, OfferSection } from './offer.ts'

/** Our half of the transport, as mediasoup made it. Plain data. */
export interface ServerTransport {
  readonly iceParameters: types.IceParameters
  readonly iceCandidates: readonly types.IceCandidate[]
  readonly dtlsParameters: types.DtlsParameters
}

/** One m-section of the answer, beside the offer's at the same place. */
export type AnswerSection =
  | {
      readonly type: 'accepted'
      readonly direction: 'recvonly' | 'sendonly' | 'inactive'
      readonly codecs: readonly types.RtpCodecParameters[]
      readonly headerExtensions: readonly types.RtpHeaderExtensionParameters[]
      /** What we send (WHEP): named by SSRC, since the client may not be able to tell by MID. */
      readonly sending?: {
        readonly cname: string
        readonly ssrc: number
        readonly rtxSsrc?: number
        readonly streamId: string
        readonly trackId: string
      }
      /** Simulcast is answered where the client sends to us. */
      readonly simulcast?: boolean
    }
  | { readonly type: 'rejected' }

/**
 * Writes the answer (RFC 9429): ICE lite, every candidate in it, the BUNDLE group mirrored,
 * one answer section for each of the offer's, in the offer's order.
 */
export function writeAnswer(offer: Offer, transport: ServerTransport, sections: readonly AnswerSection[]): string {
  const media = offer.sections.map((section, index) => {
    const answer = sections[index]
    return answer === undefined || answer.type === 'rejected'
      ? rejected(section)
      : accepted(offer, section, answer, transport)
  })
  const bundled = (offer.bundle ?? []).filter((mid) =>
    media.some((section) => section.mid === mid && section.port !== 0),
  )
  return sdpTransform.write({
    version: 0,
    origin: {
      username: '-',
      // RFC 8866 section 5.2: digits; the ICE credentials' own randomness would not be.
      sessionId: String(sessionNumber(transport.iceParameters.usernameFragment)),
      sessionVersion: 1,
      netType: 'IN',
      ipVer: 4,
      address: '127.0.0.1',
    },
    name: '-',
    timing: { start: 0, stop: 0 },
    icelite: 'ice-lite',
    ...(bundled.length > 0 ? { groups: [{ type: 'BUNDLE', mids: bundled.join(' ') }] } : {}),
    ...(offer.session.extmapAllowMixed === undefined ? {} : { extmapAllowMixed: 'extmap-allow-mixed' }),
    msidSemantic: { semantic: 'WMS', token: '*' },
    media,
  } as sdpTransform.SessionDescription)
}

function accepted(
  offer: Offer,
  section: OfferSection,
  answer: Extract<AnswerSection, { type: 'accepted' }>,
  transport: ServerTransport,
): sdpTransform.MediaDescription {
  const written = new RemoteAnswerMediaSection({
    iceParameters: transport.iceParameters as never,
    iceCandidates: numbered(transport.iceCandidates) as never,
    // We answer the other role than the client's (RFC 8842 section 5.3).
    dtlsParameters: {
      ...transport.dtlsParameters,
      role: offer.dtlsParameters.role === 'server' ? 'client' : 'server',
    } as never,
    offerMediaObject: answer.simulcast === true ? section.media : withoutSimulcast(section.media),
    answerRtpParameters: { codecs: answer.codecs, headerExtensions: answer.headerExtensions } as never,
  }).getObject()
  written.direction = answer.direction
  written.connection = { ip: '0.0.0.0', version: 4 }
  written.port = 9
  written.fingerprint = fingerprintOf(transport)
  written.iceOptions = iceOptions
  if (section.mid === null) delete written.mid
  // RFC 9725 section 4.4.1: rtcp-mux-only in each bundled m-section.
  else if (offer.bundle?.includes(section.mid)) {
    // sdp-transform knows no such attribute and writes what it does not know from here.
    written.invalid = [{ value: 'rtcp-mux-only' }]
  }
  if (answer.sending !== undefined) {
    const { cname, ssrc, rtxSsrc, streamId, trackId } = answer.sending
    written.msid = [{ id: streamId, appdata: trackId }] as never
    written.ssrcs = [{ id: ssrc, attribute: 'cname', value: cname }]
    if (rtxSsrc !== undefined) {
      written.ssrcs.push({ id: rtxSsrc, attribute: 'cname', value: cname })
      written.ssrcGroups = [{ semantics: 'FID', ssrcs: `${ssrc} ${rtxSsrc}` }]
    }
  }
  return written
}

/** RFC 3264 section 6: port 0, the formats as they were. */
function rejected({ media, mid }: OfferSection): sdpTransform.MediaDescription {
  return {
    type: media.type,
    port: 0,
    protocol: media.protocol,
    payloads: media.payloads,
    rtp: [],
    fmtp: [],
    direction: 'inactive',
    connection: { ip: '0.0.0.0', version: 4 },
    ...(mid === null ? {} : { mid }),
  }
}

function withoutSimulcast(media: sdpTransform.MediaDescription): sdpTransform.MediaDescription {
  const { simulcast: _, simulcast_03: __, rids: ___, ...rest } = media
  return rest
}

/** The only option that goes with us; mediasoup-client writes one that only its own client knows. */
export const iceOptions = 'ice2'

/** Foundations must be digits: FFmpeg reads mediasoup's `udpcandidate` as a number and fails. */
export function numbered(candidates: readonly types.IceCandidate[]): types.IceCandidate[] {
  return candidates.map((candidate, index) => ({ ...candidate, foundation: String(index + 1) }))
}

/** One is enough, and not every client knows more than sha-256 (RFC 8122 section 5). */
function fingerprintOf({ dtlsParameters }: ServerTransport): { type: string; hash: string } {
  const fingerprint = dtlsParameters.fingerprints.find(({ algorithm }) => algorithm === 'sha-256')
  if (fingerprint === undefined) throw new Error('the worker made no sha-256 fingerprint')
  return { type: fingerprint.algorithm, hash: fingerprint.value }
}

function sessionNumber(text: string): bigint {
  let number = 0n
  for (const character of text) number = (number * 131n + BigInt(character.codePointAt(0) ?? 0)) % 2n ** 62n
  return number
}
