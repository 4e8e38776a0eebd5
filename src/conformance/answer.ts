/** One m-section of an SDP answer, as far as the checks look at it. */
export interface AnswerSection {
  readonly kind: string
  readonly port: number
  readonly payloads: readonly string[]
  readonly mid: string | null
  readonly direction: string
  readonly setup: string | null
  readonly candidates: readonly string[]
  readonly lines: readonly string[]
}

export interface Answer {
  /** The session's own lines. */
  readonly lines: readonly string[]
  readonly sections: readonly AnswerSection[]
  readonly bundle: readonly string[]
  readonly iceLite: boolean
  readonly iceOptions: readonly string[]
  readonly ufrag: string | null
  readonly pwd: string | null
}

/** Reads an SDP answer (RFC 8866), leniently: what must be in it, the checks say. `null`: it is no SDP. */
export function readAnswer(text: string): Answer | null {
  if (!text.startsWith('v=0')) return null
  const [head = '', ...rest] = text.split(/\r?\n(?=m=)/)
  const lines = linesOf(head)
  const directions = ['sendrecv', 'sendonly', 'recvonly', 'inactive']
  const direction = (of: readonly string[]) => directions.find((each) => of.includes(`a=${each}`)) ?? null
  const sections = rest.map((part): AnswerSection => {
    const own = linesOf(part)
    const [kind = '', port = '', , ...payloads] = (own[0] ?? '').slice(2).split(' ')
    return {
      kind,
      port: Number(port),
      payloads,
      mid: attributeOf(own, 'mid'),
      direction: direction(own) ?? direction(lines) ?? 'sendrecv',
      setup: attributeOf(own, 'setup') ?? attributeOf(lines, 'setup'),
      candidates: own.filter((line) => line.startsWith('a=candidate:')).map((line) => line.slice(12)),
      lines: own,
    }
  })
  const all = [...lines, ...sections.flatMap((section) => section.lines)]
  return {
    lines,
    sections,
    bundle: (lines.find((line) => line.startsWith('a=group:BUNDLE '))?.slice(15) ?? '').split(' ').filter(Boolean),
    iceLite: lines.includes('a=ice-lite'),
    iceOptions: [
      ...new Set(all.flatMap((line) => (line.startsWith('a=ice-options:') ? line.slice(14).split(' ') : []))),
    ],
    ufrag: attributeOf(all, 'ice-ufrag'),
    pwd: attributeOf(all, 'ice-pwd'),
  }
}

function linesOf(text: string): string[] {
  return text.split(/\r?\n/).filter((line) => line !== '')
}

function attributeOf(lines: readonly string[], name: string): string | null {
  return lines.find((line) => line.startsWith(`a=${name}:`))?.slice(name.length + 3) ?? null
}
