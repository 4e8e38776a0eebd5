/** What is secret, by its shape. */
const shapes = {
  'publish ticket': /wpt_[\w-]{43}/g,
  'view ticket': /wvt_[\w-]{43}/g,
  session: /ses_[\w-]{43}/g,
  'sign-in link': /sil_[\w-]{43}/g,
  'link key': /(?<=[?&]k=)[\w-]{22}/g,
  token: /eyJ[\w-]+\.[\w-]+\.[\w-]*/g,
} as const
export type SecretKind = keyof typeof shapes

/** Keeps every secret that was seen, and everything in which none may be seen. */
export class Ledger {
  readonly #secrets = new Map<string, string>()
  readonly #faults: string[] = []

  /** A secret that the test knows from elsewhere. */
  know(secret: string, kind: SecretKind): void {
    this.#secrets.set(secret, kind)
  }

  get count(): number {
    return this.#secrets.size
  }

  /** How many of each kind were seen: a day without secrets proves nothing. */
  get kinds(): Readonly<Record<string, number>> {
    const kinds: Record<string, number> = {}
    for (const kind of this.#secrets.values()) kinds[kind] = (kinds[kind] ?? 0) + 1
    return kinds
  }

  /** The secrets of a kind. */
  of(kind: SecretKind): readonly string[] {
    return [...this.#secrets].filter(([, each]) => each === kind).map(([secret]) => secret)
  }

  /** Everything that was in the wrong place so far. */
  get faults(): readonly string[] {
    return this.#faults
  }

  /**
   * Reads what the server said: it may show the named kinds, for this is the place where they are
   * shown; nothing else.
   */
  read(where: string, text: string, shows: readonly SecretKind[] = []): void {
    for (const [kind, shape] of Object.entries(shapes)) {
      for (const [secret] of text.matchAll(shape)) {
        if (!shows.includes(kind as SecretKind)) this.#faults.push(`${where} shows a ${kind}`)
        this.#secrets.set(secret, kind)
      }
    }
    this.search(where, text, shows)
  }

  /** Looks for every secret that is known, whole and in the encodings that texts travel in. */
  search(where: string, text: string, shows: readonly string[] = []): void {
    for (const [secret, kind] of this.#secrets) {
      if (shows.includes(kind)) continue
      // The random part alone would do as well.
      const random = secret.replace(/^(wpt|wvt|ses|sil)_/, '')
      const forms = [
        secret,
        random,
        Buffer.from(secret).toString('base64').replace(/=+$/, ''),
        Buffer.from(secret).toString('hex'),
      ]
      const raw = Buffer.from(random, 'base64url')
      if (kind !== 'token') forms.push(raw.toString('hex'), raw.toString('latin1'))
      if (forms.some((form) => form.length > 8 && text.includes(form))) this.#faults.push(`${where} holds a ${kind}`)
    }
  }
}
