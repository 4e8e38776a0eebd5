/** What happens to the page around the player. */
export type PageFact =
  /** The page is looked at again, or the network is back: do not wait any longer. */
  | { readonly type: 'page.awake' }
  /** The browser says that there is no network: what is open is as good as lost. */
  | { readonly type: 'page.offline' }
  /** The page is being left. It may come back from the back/forward cache. */
  | { readonly type: 'page.leaving' }

/** Reports what happens to the page until the returned function is called. */
export type ObservePage = (tell: (fact: PageFact) => void) => () => void

/** {@link ObservePage} of the browser's own page. */
export const observePage: ObservePage = (tell) => {
  const gone = new AbortController()
  const { signal } = gone
  const awake = () => tell({ type: 'page.awake' })
  document.addEventListener('visibilitychange', () => document.visibilityState === 'visible' && awake(), { signal })
  window.addEventListener('online', awake, { signal })
  // A page that comes back from the back/forward cache has lost its socket.
  window.addEventListener('pageshow', (event) => event.persisted && awake(), { signal })
  window.addEventListener('pagehide', () => tell({ type: 'page.leaving' }), { signal })
  window.addEventListener('offline', () => tell({ type: 'page.offline' }), { signal })
  return () => gone.abort()
}
