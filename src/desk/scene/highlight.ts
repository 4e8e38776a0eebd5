/** A piece of a code row and the class that colours it; '' for plain text. */
export type CodePiece = readonly [text: string, tint: '' | 'key' | 'str' | 'num' | 'rem' | 'typ' | 'fun']

const token =
  /(?<rem>\/\/.*|\/\*.*)|(?<str>'[^']*'?)|(?<num>\b\d+\b)|(?<key>\b(?:import|export|from|type|function|const|let|for|of|return|if)\b)|(?<typ>\b[A-Z]\w*|\bnumber\b)|(?<fun>\b[a-z]\w*(?=\())/g

/** Splits one row of TypeScript into coloured pieces. Good enough for a half-typed row. */
export function highlight(row: string): CodePiece[] {
  const pieces: CodePiece[] = []
  let end = 0
  for (const match of row.matchAll(token)) {
    if (match.index > end) pieces.push([row.slice(end, match.index), ''])
    const tint = Object.entries(match.groups ?? {}).find(([, text]) => text !== undefined)?.[0] ?? ''
    pieces.push([match[0], tint as CodePiece[1]])
    end = match.index + match[0].length
  }
  if (end < row.length) pieces.push([row.slice(end), ''])
  return pieces
}
