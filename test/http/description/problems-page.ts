import { type ProblemCode, problems } from '../../../src/contracts/problem.ts'

/**
 * docs/problems.md, from the list that the server answers by. Written anew by
 * `bun test/http/description/problems-page.ts`, then `bun x biome check --write docs/problems.md`.
 */
export function renderProblemsPage(): string {
  const statuses = [...new Set(Object.values(problems).map(({ status }) => status))].sort((a, b) => a - b)
  const parts = statuses.map((status) => {
    const rows = (Object.keys(problems) as ProblemCode[])
      .filter((code) => problems[code].status === status)
      .map((code) => `| \`${code}\` | ${problems[code].title} | ${problems[code].advice} |`)
    return [`## ${status}`, '', '| code | what | what to do |', '| --- | --- | --- |', ...rows, ''].join('\n')
  })
  return `# Problem codes

Every refusal is RFC 9457 problem details with one of these codes; the socket's \`problem\` messages carry them,
too. A code means the same on every call and always has the same status. \`type\` is \`/problems/<code>\`: the
server explains the code there, as JSON or as a page. The list is made of \`src/contracts/problem.ts\`.

${parts.join('\n')}`
}

/** The same text with the tables' columns not lined up: how wide they are says nothing. */
export function withoutPadding(markdown: string): string {
  return markdown.replace(/ {2,}/g, ' ').replace(/-{3,}/g, '---')
}

export const problemsPage = new URL('../../../docs/problems.md', import.meta.url)

if (import.meta.main) await Bun.write(problemsPage, renderProblemsPage())
