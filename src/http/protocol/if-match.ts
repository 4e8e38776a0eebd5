import type { Precondition } from '../../actors/ice-session/ice-patch.ts'

/**
 * Reads `If-Match` (RFC 9110 section 13.1.1): `*`, or a list of entity tags. Weak ones never match
 * (the comparison is strong), and neither does what is no entity tag at all.
 */
export function readIfMatch(header: string | null): Precondition {
  if (header === null) return { type: 'none' }
  if (header.trim() === '*') return { type: 'any' }
  const tags = [...header.matchAll(/(?:^|,)[ \t]*"([\x21\x23-\x7e\x80-\xff]*)"[ \t]*(?=,|$)/g)]
  return { type: 'tags', tags: tags.map(([, tag = '']) => tag) }
}
