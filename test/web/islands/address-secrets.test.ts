import { describe, expect, test } from 'bun:test'
import { type AddressBar, addressToReturnTo, takeAddressSecrets } from '../../../src/web/islands/address-secrets.ts'

const id = 'ags_01JC8Z6M3F9Q2W4E5R6T7Y8V9A'
const other = 'ags_01JC8Z6M3F9Q2W4E5R6T7Y8V9B'
const vt = `wvt_${'a'.repeat(43)}`
const k = 'k'.repeat(22)
const page = `https://live.example/@ada/agents/${id}`

/** One tab. */
function openTab(href: string, over: { framed?: boolean; storage?: 'refused' } = {}) {
  const kept = new Map<string, string>()
  const refuse = () => {
    throw new DOMException('no', 'SecurityError')
  }
  const bar = {
    location: { href },
    history: {
      state: { scroll: 7 },
      replaceState: (state: unknown, _unused: string, url?: string | URL | null) => {
        expect(state).toEqual({ scroll: 7 })
        bar.location.href = String(url)
      },
    },
    get sessionStorage() {
      if (over.storage === 'refused') return refuse()
      return {
        getItem: (name: string) => kept.get(name) ?? null,
        setItem: (name: string, value: string) => void kept.set(name, value),
        removeItem: (name: string) => void kept.delete(name),
      }
    },
    framed: over.framed ?? false,
  } satisfies AddressBar
  return { bar, kept }
}

describe('a page that was opened by a secret', () => {
  test('takes it out of its address, and nothing else', () => {
    const { bar } = openTab(`${page}?a=1&k=${k}&vt=${vt}&b=2#steps`)
    expect(takeAddressSecrets(id, bar)).toEqual({ vt, k })
    expect(bar.location.href).toBe(`${page}?a=1&b=2#steps`)
  })
  test('finds back after a reload', () => {
    for (const search of [`k=${k}`, `vt=${vt}`, `vt=${vt}&k=${k}`]) {
      const { bar } = openTab(`${page}?${search}`)
      takeAddressSecrets(id, bar)
      expect(bar.location.href).toBe(page)
      expect(addressToReturnTo(bar)).toBe(`${page}?${search}`)
    }
  })
  test('tries one that has lost its worth once, and then forgets it', () => {
    const { bar, kept } = openTab(`${page}?k=${k}`)
    takeAddressSecrets(id, bar)
    bar.location.href = addressToReturnTo(bar) ?? ''
    expect(addressToReturnTo(bar)).toBeNull()
    expect(kept.size).toBe(0)
    bar.location.href = page
    expect(addressToReturnTo(bar)).toBeNull()
  })
  test('has the key of its tab for a new ticket, though its address names none', () => {
    const { bar } = openTab(`${page}?k=${k}`)
    takeAddressSecrets(id, bar)
    expect(takeAddressSecrets(id, bar)).toEqual({ vt: null, k })
  })
  test('keeps it for its own stream only', () => {
    const { bar } = openTab(`${page}?k=${k}`)
    takeAddressSecrets(id, bar)
    bar.location.href = `https://live.example/@ada/agents/${other}`
    expect(takeAddressSecrets(other, bar)).toEqual({ vt: null, k: null })
    expect(addressToReturnTo(bar)).toBeNull()
  })
  test('in a frame leaves its address alone', () => {
    const { bar, kept } = openTab(`${page}?vt=${vt}`, { framed: true })
    expect(takeAddressSecrets(id, bar).vt).toBe(vt)
    expect(bar.location.href).toBe(`${page}?vt=${vt}`)
    expect(kept.size).toBe(0)
  })
  test('where the browser keeps nothing, leaves its address alone too', () => {
    const { bar } = openTab(`${page}?k=${k}`, { storage: 'refused' })
    expect(takeAddressSecrets(id, bar)).toEqual({ vt: null, k })
    expect(bar.location.href).toBe(`${page}?k=${k}`)
    expect(addressToReturnTo(bar)).toBeNull()
    bar.location.href = page
    expect(addressToReturnTo(bar)).toBeNull()
  })
})

describe('what opens nothing', () => {
  const bad = ['', 'k=', 'k=short', `k=${k}x`, `k=${k.slice(1)}/`, 'vt=wvt_abc', `vt=wpt_${'a'.repeat(43)}`, `K=${k}`]
  for (const search of bad) {
    test(`is not taken: ${JSON.stringify(search)}`, () => {
      const { bar, kept } = openTab(`${page}?${search}`)
      expect(takeAddressSecrets(id, bar)).toEqual({ vt: null, k: null })
      expect(bar.location.href).toBe(`${page}?${search}`)
      expect(kept.size).toBe(0)
    })
  }
  test('other pages are not returned from', () => {
    for (const path of [
      '/',
      '/nothing',
      `/@ada/agents/${id}/steps`,
      '/@ada/agents/ags_x',
      `/@ada/agents/${id.toLowerCase()}`,
    ]) {
      expect(addressToReturnTo(openTab(`https://live.example${path}`).bar)).toBeNull()
    }
  })
})
