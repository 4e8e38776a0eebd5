import { isIP } from 'node:net'

/** The little of Bun's server that tells who is at the other end. */
export interface PeerSource {
  requestIP(request: Request): { readonly address: string } | null
}

/**
 * The address that a request came from. Of `X-Forwarded-For` only what the last
 * `trustedProxies` proxies wrote is believed: with 0 it is not looked at.
 * IPv4 as such, also where it came mapped into IPv6; IPv6 as its /64, which one household
 * or machine has for itself. `unknown` when the connection is gone.
 */
export function callerAddress(request: Request, server: PeerSource | null, trustedProxies: number): string {
  const peer = server?.requestIP(request)?.address ?? 'unknown'
  const forwarded = (request.headers.get('x-forwarded-for') ?? '').split(',').map((hop) => bare(hop.trim()))
  let address = peer
  // From the nearest proxy outwards. What is no address, or is not there, ends the way.
  for (let hop = 0; hop < trustedProxies; hop++) {
    const next = forwarded[forwarded.length - 1 - hop]
    if (next === undefined || isIP(next) === 0) break
    address = next
  }
  return network(address)
}

/** Without a port: proxies write `1.2.3.4:5678` and `[2001:db8::1]:5678`, too. */
function bare(hop: string): string {
  const [, inBrackets, withPort] = /^\[([^\]]+)\](?::\d+)?$|^([^:]+):\d+$/.exec(hop) ?? []
  return inBrackets ?? withPort ?? hop
}

function network(address: string): string {
  const plain = address.split('%', 1)[0] ?? ''
  if (isIP(plain) !== 6) return plain
  const groups = groupsOf(plain)
  const [sixth = 0, seventh = 0] = groups.slice(6)
  const mapped = groups.slice(0, 5).every((group) => group === 0) && groups[5] === 0xffff
  if (mapped) return [sixth >> 8, sixth & 255, seventh >> 8, seventh & 255].join('.')
  return `${groups
    .slice(0, 4)
    .map((group) => group.toString(16))
    .join(':')}::/64`
}

/** The eight groups of an IPv6 address (RFC 4291 section 2.2), an IPv4 tail among the forms. */
function groupsOf(address: string): number[] {
  const hex = address.replace(/(\d+)\.(\d+)\.(\d+)\.(\d+)$/, (_all, ...bytes: string[]) => {
    const [a = 0, b = 0, c = 0, d = 0] = bytes.slice(0, 4).map(Number)
    return `${((a << 8) | b).toString(16)}:${((c << 8) | d).toString(16)}`
  })
  const [head = '', tail] = hex.split('::')
  const read = (part: string) => (part === '' ? [] : part.split(':').map((group) => Number.parseInt(group, 16)))
  const before = read(head)
  if (tail === undefined) return before
  const after = read(tail)
  return [...before, ...new Array<number>(8 - before.length - after.length).fill(0), ...after]
}
