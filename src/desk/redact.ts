/** Takes tickets, view tickets and bearer tokens out of a text that a person or a log will see. */
export function redact(text: string): string {
  return text
    .replace(/\b(w[pv]t)_[\w-]+/g, '$1_…')
    .replace(/\beyJ[\w-]+\.[\w-]+\.[\w-]*/g, 'token…')
    .replace(/\b(Bearer)\s+[^\s"',]+/gi, '$1 …')
}
