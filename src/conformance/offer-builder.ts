/** A description of a client's offer; `writeOffer` makes the SDP text of it. */
export interface OfferDescription {
  readonly sections: readonly SectionDescription[]
  readonly setup?: 'actpass' | 'active' | 'passive' | null
  /** Where ICE, fingerprint and setup stand. */
  readonly transportAt?: 'session' | 'media'
  readonly bundle?: boolean
  readonly sessionLines?: readonly string[]
  readonly lineEnd?: '\r\n' | '\n'
  readonly fingerprint?: string | null
  readonly ice?: boolean
  readonly finalLineEnd?: boolean
}

export interface SectionDescription {
  readonly kind: 'audio' | 'video' | 'application'
  readonly mid?: string
  readonly direction?: 'sendonly' | 'sendrecv' | 'recvonly' | 'inactive' | null
  readonly codecs?: readonly CodecDescription[]
  readonly ssrcs?: readonly number[]
  /** Pairs ssrcs[0] with ssrcs[1]. */
  readonly fid?: boolean
  readonly rids?: readonly string[]
  readonly extensions?: Readonly<Record<number, string>>
  readonly port?: number
  readonly ufrag?: string
  readonly lines?: readonly string[]
  readonly protocol?: string
}

export interface CodecDescription {
  readonly payload: number
  readonly name: string
  readonly fmtp?: string
  readonly feedback?: readonly string[]
  /** The payload type of its RTX. */
  readonly rtx?: number
}

export const midExtension = 'urn:ietf:params:rtp-hdrext:sdes:mid'
export const opus: CodecDescription = { payload: 111, name: 'opus/48000/2', fmtp: 'minptime=10;useinbandfec=1' }
const video = ['nack', 'nack pli', 'ccm fir', 'goog-remb', 'transport-cc']
export const vp8: CodecDescription = { payload: 96, name: 'VP8/90000', feedback: video, rtx: 97 }
export const h264 = (payload: number, profile: string, mode = 1, rtx?: number): CodecDescription => ({
  payload,
  name: 'H264/90000',
  fmtp: `level-asymmetry-allowed=1;packetization-mode=${mode};profile-level-id=${profile}`,
  feedback: video,
  ...(rtx === undefined ? {} : { rtx }),
})

const sha256 = Array.from({ length: 32 }, (_, index) => (index * 7 + 16).toString(16).toUpperCase()).join(':')

export function writeOffer(offer: OfferDescription): string {
  const transport = (ufrag = 'ufr1') => [
    ...(offer.ice === false ? [] : [`a=ice-ufrag:${ufrag}`, 'a=ice-pwd:0123456789abcdef01234567']),
    ...(offer.fingerprint === null ? [] : [`a=fingerprint:${offer.fingerprint ?? `sha-256 ${sha256}`}`]),
    ...(offer.setup === null ? [] : [`a=setup:${offer.setup ?? 'actpass'}`]),
  ]
  const mids = offer.sections.flatMap(({ mid }) => (mid === undefined ? [] : [mid]))
  const lines = [
    'v=0',
    'o=- 4215775240449105457 2 IN IP4 127.0.0.1',
    's=-',
    't=0 0',
    ...(offer.bundle === false || mids.length === 0 ? [] : [`a=group:BUNDLE ${mids.join(' ')}`]),
    ...(offer.sessionLines ?? []),
    ...(offer.transportAt === 'session' ? transport() : []),
    ...offer.sections.flatMap((section) => [
      ...writeSection(section),
      ...(offer.transportAt === 'session' ? [] : transport(section.ufrag)),
    ]),
  ]
  const end = offer.lineEnd ?? '\r\n'
  return lines.join(end) + (offer.finalLineEnd === false ? '' : end)
}

function writeSection(section: SectionDescription): string[] {
  const port = section.port ?? 9
  const mid = section.mid === undefined ? [] : [`a=mid:${section.mid}`]
  if (section.kind === 'application') {
    return [`m=application ${port} UDP/DTLS/SCTP webrtc-datachannel`, 'c=IN IP4 0.0.0.0', ...mid, 'a=sctp-port:5000']
  }
  const codecs = section.codecs ?? [section.kind === 'audio' ? opus : vp8]
  const payloads = codecs.flatMap(({ payload, rtx }) => (rtx === undefined ? [payload] : [payload, rtx]))
  const ssrcs = section.ssrcs ?? (section.kind === 'audio' ? [1111] : [2222])
  return [
    `m=${section.kind} ${port} ${section.protocol ?? 'UDP/TLS/RTP/SAVPF'} ${payloads.join(' ')}`,
    'c=IN IP4 0.0.0.0',
    ...mid,
    ...(section.direction === null ? [] : [`a=${section.direction ?? 'sendonly'}`]),
    'a=rtcp-mux',
    ...Object.entries(section.extensions ?? {}).map(([id, uri]) => `a=extmap:${id} ${uri}`),
    ...codecs.flatMap(({ payload, name, fmtp, feedback, rtx }) => [
      `a=rtpmap:${payload} ${name}`,
      ...(fmtp === undefined ? [] : [`a=fmtp:${payload} ${fmtp}`]),
      ...(feedback ?? []).map((each) => `a=rtcp-fb:${payload} ${each}`),
      ...(rtx === undefined ? [] : [`a=rtpmap:${rtx} rtx/90000`, `a=fmtp:${rtx} apt=${payload}`]),
    ]),
    ...(section.rids ?? []).map((rid) => `a=rid:${rid} send`),
    ...(section.rids === undefined ? [] : [`a=simulcast:send ${section.rids.join(';')}`]),
    ...(section.fid === true ? [`a=ssrc-group:FID ${ssrcs.join(' ')}`] : []),
    ...(section.rids === undefined ? ssrcs.map((ssrc) => `a=ssrc:${ssrc} cname:client`) : []),
    ...(section.lines ?? []),
  ]
}
