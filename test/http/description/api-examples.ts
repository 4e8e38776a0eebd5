/** One call of docs/api.md, and what the text below it promises. */
export interface ApiExample {
  /** The shell's words, as they are pasted. */
  readonly command: string
  readonly status: number
  /** The contract that the answer is said to have. */
  readonly contract: string | null
  /** What the text says to keep: a field of the JSON answer, or a header. */
  readonly keeps: readonly { readonly from: 'field' | 'header'; readonly name: string; readonly variable: string }[]
  /** The codes that the text says it refuses with. */
  readonly refuses: readonly string[]
}

/**
 * Reads the calls of a page in the words that it is written in: a block of `sh` with a `curl`,
 * then "Answers `201` `contract@1`", "Keep `field` as `$VARIABLE`", "Refuses with `code`, …".
 */
export function readApiExamples(markdown: string): ApiExample[] {
  const [, ...blocks] = markdown.split('```sh\n')
  return blocks.flatMap((block) => {
    const [command = '', after = ''] = block.split('\n```\n', 2)
    if (!command.startsWith('curl ')) return []
    const text = after.split(/\n#/, 1)[0]?.replace(/\s+/g, ' ').trim() ?? ''
    const answers = /^Answers `(\d{3})`(?: `([^`]+@\d+)`)?/.exec(text)
    if (answers === null) throw new Error(`docs/api.md does not say what this answers: ${command}`)
    const fields = [...text.matchAll(/`([a-z_.]+)` as `\$([A-Z_]+)`/g)].map(
      ([, name = '', variable = '']) => ({ from: 'field', name, variable }) as const,
    )
    const headers = [...text.matchAll(/the `([A-Za-z-]+)` header as `\$([A-Z_]+)`/g)].map(
      ([, name = '', variable = '']) => ({ from: 'header', name, variable }) as const,
    )
    const [, refused = ''] = /Refuses with ((?:`[a-z_.]+`(?:, )?)+)/.exec(text) ?? []
    return [
      {
        command,
        status: Number(answers[1]),
        contract: answers[2] ?? null,
        keeps: [...fields, ...headers],
        refuses: [...refused.matchAll(/`([a-z_.]+)`/g)].map(([, code = '']) => code),
      },
    ]
  })
}

/** The codes of the table "What many calls refuse". */
export function readCommonRefusals(markdown: string): ReadonlySet<string> {
  const table = markdown.split('### What many calls refuse')[1]?.split('\n## ', 1)[0] ?? ''
  return new Set([...table.matchAll(/`([a-z_.]+)`/g)].map(([, code = '']) => code))
}
