/**
 * True when a request comes from our own pages: its `Origin` is the address that people reach
 * us by, or the one that this very request was sent to. Browsers set both; a page of another
 * site can change neither.
 */
export function isSameOrigin(headers: Headers, ownOrigin: string): boolean {
  const origin = headers.get('origin')
  if (origin === null || !URL.canParse(origin)) return false
  return origin === ownOrigin || new URL(origin).host === headers.get('host')
}
