import type { types } from 'mediasoup'
import * as sdpCommonUtils from 'mediasoup-client/handlers/sdp/commonUtils'
import * as ortc from 'mediasoup-client/ortc'
import * as sdpTransform from 'sdp-transform'
import { type ProblemCode, RefusedError, refuse } from '../../contracts/problem.ts'

export type Direction = 'sendrecv' | 'sendonly' | 'recvonly' | 'inactive'

/** One m-section of an offer, in the offer's order. */
export interface OfferSection {
  readonly kind: 'audio' | 'video' | 'other'
  /** RFC 5888; `null` when the client writes none (FFmpeg). */
  readonly mid: string | null
  /** False for a section that the client itself switched off with port 0. */
  readonly enabled: boolean
  readonly direction: Direction
  /** What the client can send or receive in this section. Empty for `other`. */
  readonly capabilities: types.RtpCapabilities
  /** The section as sdp-transform reads it. */
  readonly media: sdpTransform.MediaDescription
}

/** A checked offer: what both WHIP and WHEP need of it. Plain data. */
export interface Offer {
  readonly sections: readonly OfferSection[]
  /** The client's ICE username fragment: an ICE restart comes with another. */
  readonly iceUfrag: string
  /** The client's DTLS half; the role is settled (never `auto`). */
  readonly dtlsParameters: types.DtlsParameters
  /** The BUNDLE group's mids, or `null` when the offer has none (RFC 9143). */
  readonly bundle: readonly string[] | null
  readonly session: sdpTransform.SessionDescription
}

export function sdpRefusal(code: ProblemCode, detail: string): RefusedError {
  return new RefusedError(refuse(code, detail))
}

const fingerprintBytes: Readonly<Record<string, number>> = {
  'sha-1': 20,
  'sha-224': 28,
  'sha-256': 32,
  'sha-384': 48,
  'sha-512': 64,
}

const protocols = /^(UDP|TCP)\/TLS\/RTP\/SAVPF?$/i

/**
 * Reads an SDP offer (RFC 8866, RFC 8829) and checks all of what a media transport needs:
 * m-sections, ICE credentials and a DTLS fingerprint, each at session or media level.
 *
 * sdp-transform accepts anything at all, garbage and JSON included, so the checks are here.
 * Throws `RefusedError`: `invalid_sdp` for what is not a usable offer.
 */
export function readOffer(text: string): Offer {
  const session = parse(text)
  const bundle = bundleOf(session)
  const sections = session.media.map((media) => readSection(media, session))
  const active = sections.filter((section) => section.enabled && section.kind !== 'other')
  const iceUfrag = active.length > 0 ? readIceUfrag(session, active) : ''
  return { sections, iceUfrag, dtlsParameters: readDtls(session, active), bundle, session }
}

function parse(text: string): sdpTransform.SessionDescription {
  // Not more than a look: sdp-transform skips what it does not understand.
  if (!/^\s*v=0\s*$/m.test(text.slice(0, 100))) {
    throw sdpRefusal('invalid_sdp', 'The body is not an SDP offer: it must begin with the line v=0.')
  }
  let session: sdpTransform.SessionDescription
  try {
    session = sdpTransform.parse(text)
  } catch {
    throw sdpRefusal('invalid_sdp', 'The SDP offer cannot be read.')
  }
  if (session.media.length === 0) {
    throw sdpRefusal(
      'invalid_sdp',
      'The SDP offer has no m-line. Add a transceiver or a track before creating the offer.',
    )
  }
  if (session.media.length > 16) throw sdpRefusal('invalid_sdp', 'The SDP offer has more than 16 m-lines.')
  return session
}

function readSection(media: sdpTransform.MediaDescription, session: sdpTransform.SessionDescription): OfferSection {
  const kind = media.type === 'audio' || media.type === 'video' ? media.type : 'other'
  if (!Number.isInteger(media.port)) throw sdpRefusal('invalid_sdp', 'An m-line of the SDP offer cannot be read.')
  // sdp-transform gives a numeric mid as a number.
  const mid = media.mid === undefined || String(media.mid) === '' ? null : String(media.mid)
  // RFC 9143 section 6: port 0 with bundle-only does not switch the section off.
  const enabled = media.port !== 0 || 'bundleOnly' in media
  if (kind !== 'other' && enabled && !protocols.test(media.protocol)) {
    throw sdpRefusal('invalid_sdp', 'Every audio and video m-line must be UDP/TLS/RTP/SAVPF (RFC 8827).')
  }
  return {
    kind,
    mid,
    enabled,
    direction: (media.direction ?? session.direction ?? 'sendrecv') as Direction,
    capabilities: kind === 'other' || !enabled ? { codecs: [], headerExtensions: [] } : readCapabilities(media),
    media,
  }
}

/** Per section: mediasoup-client's reader mixes the sections' header extensions when given several. */
function readCapabilities(media: sdpTransform.MediaDescription): types.RtpCapabilities {
  const unreadable = () => sdpRefusal('invalid_sdp', `The codecs of the ${media.type} m-section cannot be read.`)
  let capabilities: types.RtpCapabilities
  try {
    const extracted = sdpCommonUtils.extractRtpCapabilities({ sdpObject: { media: [media] } as never })
    ortc.validateAndNormalizeRtpCapabilities(extracted)
    capabilities = extracted as unknown as types.RtpCapabilities
  } catch {
    throw unreadable()
  }
  // The worker's messages have 7, 8 or 32 bits for these and would take the rest of a larger number.
  for (const { preferredPayloadType, clockRate, channels } of capabilities.codecs ?? []) {
    if (!isBetween(preferredPayloadType, 0, 127) || !isBetween(clockRate, 1, 2 ** 32 - 1)) throw unreadable()
    if (channels !== undefined && !isBetween(channels, 1, 255)) throw unreadable()
  }
  if ((capabilities.headerExtensions ?? []).some(({ preferredId }) => !isBetween(preferredId, 1, 255)))
    throw unreadable()
  return capabilities
}

/** Whether a number that a client wrote is an integer in a range. */
export function isBetween(number: unknown, least: number, most: number): boolean {
  return Number.isInteger(number) && (number as number) >= least && (number as number) <= most
}

/** RFC 8839: credentials at either level; all sections share one transport, so one pair. */
function readIceUfrag(session: sdpTransform.SessionDescription, sections: readonly OfferSection[]): string {
  const ufrags = new Set<string>()
  for (const { media } of sections) {
    const ufrag = media.iceUfrag ?? session.iceUfrag
    const pwd = media.icePwd ?? session.icePwd
    // RFC 9143: a bundle-only section takes them from the section it is bundled with.
    if (ufrag === undefined && 'bundleOnly' in media) continue
    if (ufrag === undefined || pwd === undefined) {
      throw sdpRefusal('invalid_sdp', 'The SDP offer has no a=ice-ufrag and a=ice-pwd (RFC 8839).')
    }
    ufrags.add(String(ufrag))
  }
  if (ufrags.size > 1) {
    throw sdpRefusal(
      'unsupported_offer',
      'The m-sections use several ICE transports. Bundle them (RFC 9725 section 4.4.1).',
    )
  }
  const [ufrag = ''] = ufrags
  return ufrag
}

/**
 * RFC 8842. An offer of `actpass` or `active` makes the client the DTLS client; `passive`
 * (FFmpeg) makes it the server. No `a=setup` means `active` (RFC 4145 section 4).
 */
function readDtls(session: sdpTransform.SessionDescription, sections: readonly OfferSection[]): types.DtlsParameters {
  const medias = sections.map(({ media }) => media)
  const setup = medias.find((media) => media.setup !== undefined)?.setup ?? session.setup ?? 'active'
  const fingerprint = medias.find((media) => media.fingerprint !== undefined)?.fingerprint ?? session.fingerprint
  if (fingerprint === undefined) {
    if (sections.length === 0) return { role: 'client', fingerprints: [] }
    throw sdpRefusal('invalid_sdp', 'The SDP offer has no a=fingerprint (RFC 8122).')
  }
  const algorithm = String(fingerprint.type).toLowerCase()
  const value = String(fingerprint.hash).toUpperCase()
  const bytes = fingerprintBytes[algorithm]
  if (bytes === undefined || !new RegExp(`^[0-9A-F]{2}(:[0-9A-F]{2}){${bytes - 1}}$`).test(value)) {
    throw sdpRefusal('invalid_sdp', 'The a=fingerprint of the SDP offer cannot be read. Use sha-256 (RFC 8122).')
  }
  return {
    role: String(setup).trim() === 'passive' ? 'server' : 'client',
    fingerprints: [{ algorithm: algorithm as types.FingerprintAlgorithm, value }],
  }
}

function bundleOf(session: sdpTransform.SessionDescription): readonly string[] | null {
  const group = (session.groups ?? []).find(({ type }) => type === 'BUNDLE')
  if (group === undefined) return null
  return String(group.mids)
    .split(/\s+/)
    .filter((mid) => mid !== '')
}
