/**
 * The methods that some route takes at this path: for 405 and its `Allow` (RFC 9110 section
 * 15.5.6). Elysia itself answers 404 for a wrong method.
 */
export function methodsOf(
  routes: readonly { readonly method: string; readonly path: string }[],
  path: string,
): string[] {
  const methods = routes.filter((route) => matches(route.path, path)).map(({ method }) => method)
  return [...new Set(methods)].filter((method) => /^[A-Z]+$/.test(method) && method !== 'WS').sort()
}

function matches(pattern: string, path: string): boolean {
  const wanted = pattern.split('/')
  const given = path.split('/')
  return (
    wanted.length === given.length &&
    wanted.every((part, at) => (part.startsWith(':') && given[at] !== '') || part === given[at])
  )
}
