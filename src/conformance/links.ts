/** One `Link` (RFC 8288 section 3). */
export interface WebLink {
  readonly target: string
  readonly parameters: Readonly<Record<string, string>>
}

/** Reads a `Link` header, whose fields `Headers` has joined with commas. */
export function readLinks(header: string | null): WebLink[] {
  return [...(header ?? '').matchAll(/<([^>]*)>((?:\s*;\s*[\w!#$&+.^`|~-]+(?:\s*=\s*(?:"[^"]*"|[^\s;,"]*))?)*)/g)].map(
    ([, target = '', rest = '']) => ({
      target,
      parameters: Object.fromEntries(
        [...rest.matchAll(/;\s*([\w!#$&+.^`|~-]+)(?:\s*=\s*(?:"([^"]*)"|([^\s;,"]*)))?/g)].map(
          ([, name = '', quoted, bare]) => [name.toLowerCase(), quoted ?? bare ?? ''],
        ),
      ),
    }),
  )
}

/** The links that have this relation among theirs. */
export function linksOf(header: string | null, relation: string): WebLink[] {
  return readLinks(header).filter(({ parameters }) => parameters.rel?.split(/\s+/).includes(relation))
}
