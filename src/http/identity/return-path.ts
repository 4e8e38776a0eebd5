/**
 * Where a sign-in leads to: the path that was asked for, if it is one of this server, else
 * the home page. Never to another site, whatever the text looks like.
 */
export function returnPath(to: string | null | undefined, origin: string): string {
  if (!to?.startsWith('/') || to.length > 1000 || !URL.canParse(to, origin)) return '/'
  const url = new URL(to, origin)
  const path = url.pathname + url.search + url.hash
  // `/.//evil.example` is a path of ours, and would be read as another host's.
  return url.origin === new URL(origin).origin && !path.startsWith('//') ? path : '/'
}
