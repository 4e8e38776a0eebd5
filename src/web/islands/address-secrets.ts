/** What opens a stream and stands in a page's address: a view ticket (`?vt=`), a link's key (`?k=`). */
export interface AddressSecrets {
  readonly vt: string | null
  readonly k: string | null
}

/** Of the window: as much as is needed here. */
export interface AddressBar {
  readonly location: Pick<Location, 'href'>
  readonly history: Pick<History, 'state' | 'replaceState'>
  /** Throws where the browser keeps nothing for this page. */
  readonly sessionStorage: Pick<Storage, 'getItem' | 'setItem' | 'removeItem'>
  /** The page fills a frame of another page. */
  readonly framed: boolean
}

/** As the contract has them (`ViewTicketRequest`); what looks otherwise opens nothing. */
const shapes = { vt: /^wvt_[A-Za-z0-9_-]{43}$/, k: /^[A-Za-z0-9_-]{22}$/ } as const

/**
 * Reads the secrets of a page that they have opened, and takes them out of its address: an
 * address is copied, photographed and kept in histories. They are kept for this tab, so that a
 * reload still finds the stream ({@link addressToReturnTo}).
 *
 * A frame's address stays: nobody sees it, and "Reload frame" has nothing else to go by. So does
 * one whose secrets the browser refuses to keep.
 */
export function takeAddressSecrets(stream: string, bar: AddressBar): AddressSecrets {
  const address = new URL(bar.location.href)
  const found = secretsOf(address)
  const kept = readKept(stream, bar)
  if ((found.vt !== null || found.k !== null) && !bar.framed && keep(stream, found, bar)) {
    address.searchParams.delete('vt')
    address.searchParams.delete('k')
    bar.history.replaceState(bar.history.state, '', address.href)
  }
  return { vt: found.vt, k: found.k ?? kept.k }
}

/**
 * For the page that says "not found": where this tab's reader was let in before, or `null`.
 * Secrets that are in the address already have been tried in vain, and are forgotten.
 */
export function addressToReturnTo(bar: AddressBar): string | null {
  const address = new URL(bar.location.href)
  const stream = /\/(ags_[0-9A-HJKMNP-TV-Z]{26})$/.exec(address.pathname)?.[1]
  if (stream === undefined) return null
  if (address.searchParams.has('vt') || address.searchParams.has('k')) {
    forget(stream, bar)
    return null
  }
  const { vt, k } = readKept(stream, bar)
  if (vt === null && k === null) return null
  if (vt !== null) address.searchParams.set('vt', vt)
  if (k !== null) address.searchParams.set('k', k)
  return address.href
}

function secretsOf({ searchParams }: URL): AddressSecrets {
  const read = (name: keyof AddressSecrets) => {
    const value = searchParams.get(name)
    return value !== null && shapes[name].test(value) ? value : null
  }
  return { vt: read('vt'), k: read('k') }
}

const nameOf = (stream: string) => `footlight:${stream}`

function keep(stream: string, { vt, k }: AddressSecrets, bar: AddressBar): boolean {
  const kept = new URLSearchParams()
  if (vt !== null) kept.set('vt', vt)
  if (k !== null) kept.set('k', k)
  try {
    bar.sessionStorage.setItem(nameOf(stream), kept.toString())
    return true
  } catch {
    return false
  }
}

function readKept(stream: string, bar: AddressBar): AddressSecrets {
  try {
    const kept = bar.sessionStorage.getItem(nameOf(stream)) ?? ''
    return secretsOf(new URL(`?${kept}`, bar.location.href))
  } catch {
    return { vt: null, k: null }
  }
}

function forget(stream: string, bar: AddressBar): void {
  try {
    bar.sessionStorage.removeItem(nameOf(stream))
  } catch {
    // Then nothing was kept either.
  }
}

/** The window's own. */
export function addressBarOf(page: Window): AddressBar {
  return {
    location: page.location,
    history: page.history,
    get sessionStorage() {
      return page.sessionStorage
    },
    framed: page.parent !== page,
  }
}
