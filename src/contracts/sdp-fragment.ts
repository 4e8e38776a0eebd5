import { RefusedError, refuse } from './problem.ts'

/**
 * SDP fragments (RFC 8840 section 9): what a WHIP or WHEP client sends with PATCH, and what the
 * server answers to an ICE restart.
 */
export const sdpFragmentType = 'application/trickle-ice-sdpfrag'

/** A candidate that could be used: its transport is known and its address is one. */
export interface FragmentCandidate {
  readonly transport: 'udp' | 'tcp'
  readonly address: string
  readonly port: number
  readonly type: string
}

/** A fragment, understood. Plain data. */
export interface SdpFragment {
  /** The sender's ICE credentials; `null` where it names none: those that it had. */
  readonly ufrag: string | null
  readonly pwd: string | null
  readonly candidates: readonly FragmentCandidate[]
  readonly endOfCandidates: boolean
  readonly iceLite: boolean
  readonly iceOptions: readonly string[]
}

const credentials = {
  // RFC 8839 section 5.4.
  'ice-ufrag': /^[A-Za-z0-9+/]{4,256}$/,
  'ice-pwd': /^[A-Za-z0-9+/]{22,256}$/,
} as const

/** RFC 8839 section 5.1: foundation, component, transport, priority, address, port, type, and pairs of more. */
const candidateShape = /^[A-Za-z0-9+/]{1,32} \d{1,5} (\S+) \d{1,10} (\S+) (\d{1,5}) typ (\S+)((?: [^\s]+ [^\s]+)*)$/

/**
 * Reads a fragment. What it does not know of attributes is skipped, and so are candidates of
 * another transport or with a name for an address: RFC 9725 section 4.3.2 has both dropped silently.
 * @throws RefusedError `invalid_sdp_fragment`
 */
export function readSdpFragment(text: string): SdpFragment {
  // Browsers end their candidates with an empty one, which some clients send as such.
  const lines = text.split(/\r\n|\n/).filter((line) => line !== '' && line !== 'a=')
  if (lines[0]?.startsWith('v=')) {
    throw malformed('This is a whole SDP. A session is not renegotiated: end it and start another with all its tracks.')
  }
  const values = lines.flatMap((line) => readLine(line) ?? [])
  const all = (name: string) => values.filter((value) => value.name === name).map(({ value }) => value)
  const fragment: SdpFragment = {
    ufrag: credentialOf('ice-ufrag', all('ice-ufrag')),
    pwd: credentialOf('ice-pwd', all('ice-pwd')),
    candidates: all('candidate').flatMap((value) => readCandidate(value) ?? []),
    endOfCandidates: all('end-of-candidates').length > 0,
    iceLite: all('ice-lite').length > 0,
    iceOptions: [...new Set(all('ice-options').flatMap((value) => value.split(' ').filter(Boolean)))],
  }
  const says = fragment.ufrag !== null || fragment.endOfCandidates || all('candidate').length > 0
  if (!says) throw malformed('It has neither a=ice-ufrag nor candidates.')
  return fragment
}

function readLine(line: string): { readonly name: string; readonly value: string } | null {
  // RFC 8840 section 9.1: pseudo m-lines, which only say where the attributes below belong.
  if (/^m=[a-z]+ \d{1,5}(\/\d+)? \S+( \S+)+$/.test(line)) return null
  const [, name, value = ''] = /^a=([A-Za-z0-9!#$%&'*+.^_`{|}~-]+)(?::(.*))?$/.exec(line) ?? []
  if (name === undefined) throw malformed('Every line must be an attribute (a=…) or an m-line.')
  return { name, value: value.trim() }
}

/** One pair for all: BUNDLE leaves one transport (RFC 9725 section 4.4.1). */
function credentialOf(name: keyof typeof credentials, values: readonly string[]): string | null {
  const [first = null, ...others] = new Set(values)
  if (first === null) return null
  if (others.length > 0) throw malformed(`It has different a=${name}. There is one ICE transport.`)
  if (!credentials[name].test(first)) throw malformed(`Its a=${name} cannot be read (RFC 8839 section 5.4).`)
  return first
}

function readCandidate(value: string): FragmentCandidate | null {
  const [, transport = '', address = '', port = '', type = ''] = candidateShape.exec(value) ?? []
  if (type === '' || Number(port) > 65_535) throw malformed('A candidate cannot be read (RFC 8839 section 5.1).')
  const known = transport.toLowerCase()
  if ((known !== 'udp' && known !== 'tcp') || !isAddress(address)) return null
  return { transport: known, address, port: Number(port), type }
}

/** IPv4 or IPv6; browsers also send names (`….local`), which nobody but their own network can resolve. */
function isAddress(text: string): boolean {
  return /^\d{1,3}(\.\d{1,3}){3}$/.test(text) || (text.includes(':') && /^[0-9A-Fa-f:.]+(%\S+)?$/.test(text))
}

function malformed(why: string): RefusedError {
  return new RefusedError(refuse('invalid_sdp_fragment', `The SDP fragment cannot be used. ${why}`))
}

/** What {@link writeSdpFragment} writes. */
export interface WrittenFragment {
  readonly ufrag: string
  readonly pwd: string
  readonly iceLite?: boolean
  readonly iceOptions?: string
  /** The BUNDLE group, and the m-section that stands for it (RFC 9143 section 7.2). */
  readonly bundle?: readonly string[]
  readonly section?: { readonly line: string; readonly mid: string | null }
  /** Whole candidate lines without `a=candidate:`. */
  readonly candidates?: readonly string[]
  readonly endOfCandidates?: boolean
}

/** Writes a fragment in the order of RFC 8840 section 9. Without a section all of it stands at session level. */
export function writeSdpFragment(fragment: WrittenFragment): string {
  const { section, bundle = [] } = fragment
  const lines = [
    ...(fragment.iceLite === true ? ['a=ice-lite'] : []),
    ...(fragment.iceOptions === undefined ? [] : [`a=ice-options:${fragment.iceOptions}`]),
    ...(bundle.length > 0 ? [`a=group:BUNDLE ${bundle.join(' ')}`] : []),
    ...(section === undefined ? [] : [`m=${section.line}`]),
    ...(section === undefined || section.mid === null ? [] : [`a=mid:${section.mid}`]),
    `a=ice-ufrag:${fragment.ufrag}`,
    `a=ice-pwd:${fragment.pwd}`,
    ...(fragment.candidates ?? []).map((candidate) => `a=candidate:${candidate}`),
    ...(fragment.endOfCandidates === true ? ['a=end-of-candidates'] : []),
  ]
  return `${lines.join('\r\n')}\r\n`
}
