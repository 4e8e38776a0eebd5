/** So many calls in so many seconds; a window begins with its first call. `null`: no limit. */
export type RateRule = { readonly calls: number; readonly seconds: number } | null

/** What is limited, and the limits without settings: far above what a person or a desk does. */
export const rateDefaults = {
  /** By whoever mints: a desk renews every three hours. */
  publish_ticket: { calls: 240, seconds: 3600 },
  /** By whoever asks: a page renews every ten minutes; a whole office may share an address. */
  view_ticket: { calls: 300, seconds: 60 },
  /** By address: links used and sign-ins begun. */
  sign_in: { calls: 60, seconds: 60 },
  /** By whoever creates. */
  create_stream: { calls: 240, seconds: 3600 },
  /** By stream and address: a desk that reconnects without a pause. */
  whip: { calls: 120, seconds: 60 },
  /** By stream and address: two hundred viewers behind one address, twice. */
  whep: { calls: 600, seconds: 60 },
  /** By stream and address: candidates, ICE restarts and ends of WHIP sessions. */
  whip_session: { calls: 240, seconds: 60 },
  /** By address: the same of WHEP sessions, and their events. Whoever guesses at sessions is counted, too. */
  whep_session: { calls: 2400, seconds: 60 },
} as const satisfies Record<string, RateRule>

export type RateKind = keyof typeof rateDefaults
export type RateRules = Readonly<Record<RateKind, RateRule>>

export const rateKinds = Object.keys(rateDefaults) as RateKind[]

/** The setting of a limit: `FOOTLIGHT_RATE_WHIP`. */
export function rateSetting(kind: RateKind): string {
  return `FOOTLIGHT_RATE_${kind.toUpperCase()}`
}

/**
 * Reads the limits: `CALLS/SECONDS` or `off` for each kind.
 * @param faults gets a sentence for all that is wrong
 */
export function readRateSettings(text: (name: string) => string | null, faults: string[]): RateRules {
  const rule = (kind: RateKind): RateRule => {
    const value = text(rateSetting(kind))
    if (value === null) return rateDefaults[kind]
    if (value === 'off') return null
    const [, calls = 0, seconds = 0] = (/^(\d{1,7})\/(\d{1,5})$/.exec(value) ?? []).map(Number)
    if (calls >= 1 && seconds >= 1 && seconds <= 86_400) return { calls, seconds }
    faults.push(
      `${rateSetting(kind)} must be CALLS/SECONDS, such as 60/60 (at most 9999999/86400), or off; it is ${JSON.stringify(value)}.`,
    )
    return rateDefaults[kind]
  }
  return Object.fromEntries(rateKinds.map((kind) => [kind, rule(kind)])) as Record<RateKind, RateRule>
}
