/** How clients name their layers, from the lowest: browsers' samples and OBS. */
const namings: readonly (readonly string[])[] = [
  ['q', 'h', 'f'],
  ['l', 'm', 'h'],
  ['low', 'mid', 'high'],
  ['low', 'medium', 'high'],
  ['r0', 'r1', 'r2'],
]

/**
 * Orders simulcast rids from the lowest layer to the highest, as mediasoup wants them.
 * SDP does not say which is which. A known naming decides; otherwise the list is read by
 * RFC 8853 section 5.2, most preferred first, which clients (OBS: 0, 1, 2) take as the highest.
 */
export function lowestFirst(rids: readonly string[]): readonly string[] {
  const naming = namings.find((names) => rids.every((rid) => names.includes(rid)))
  if (naming === undefined) return [...rids].reverse()
  return [...rids].sort((one, other) => naming.indexOf(one) - naming.indexOf(other))
}
