import { matrix, type Route } from './matrix.ts'
import { callers, groups } from './principals.ts'
import { readLines, spellCell } from './read-matrix.ts'

/** `docs/access.md`: the table that the tests walk, for people. */
export function accessDocument(): string {
  return [
    introduction,
    everybodyWhoCalls(),
    'What follows names groups of callers in *italics*.',
    ...matrix.map(section),
  ]
    .join('\n\n')
    .concat('\n')
}

const introduction = `# Who may do what

<!-- Printed from test/http/access/matrix.ts: change it there, then run
bun test/http/access/write-document.ts -->

Every route and every socket message, and what is answered to everybody who could call it. The
tests send each of these requests to a running server and hold the answer to this table; a route
that is missing here fails them, and so does a refused request that leaves anything in the
database.

The rules behind it:

- Whoever may not view a stream is told that there is none: the same answer as for a stream that
  never was. A ticket is told that it is not valid, stream or no stream.
- A private stream is for its owner and the people whom it is shared with; an unlisted one also
  for whoever has its link, and for the channel's moderators; a public one for everybody.
- Media of a private or unlisted stream goes to view tickets alone: whoever may view the stream
  gets one, and comes with it.
- WHIP and the desk's own calls take the publish ticket and nothing else.
- A token that does not verify is refused, also where nobody needs one. Developer apps are
  refused everywhere.
- A service acts for the person in its token's \`sub\`, or, when it is \`svc:…\` or \`node:…\` and holds
  \`live.agent_stream.publish\`, for the person in \`X-OV-Subject\`. To see what its person may see it
  needs nothing more; to act in their name it needs the capability.
- A write that the session's cookie alone vouches for must come from this server's own pages.

A cell is the status, and for refusals the code. *Ended*: a stream that was public and has ended.`

function everybodyWhoCalls(): string {
  const groupOf = (name: string) =>
    Object.entries(groups).find(([, members]) => members.some((one) => one.name === name))?.[0]
  const rows = callers.map(({ name, is }) => `| ${name} | ${is} | ${groupOf(name) ?? ''} |`)
  return ['## Who calls', '', '| who | shows | group |', '| --- | --- | --- |', ...rows].join('\n')
}

function section(route: Route): string {
  const { heading, does, columns } = route
  const lines = readLines(route).filter(({ callers: whom }) => whom.length > 0)
  const cells = lines.map((line) => ({ who: line.who.map(spellWho).join(', '), cells: line.cells.map(spellCell) }))
  const title = `### \`${route.route}\``
  const about = `${does[0]?.toUpperCase()}${does.slice(1)}${route.live ? ' (the desk publishes)' : ''}${does.endsWith('?') ? '' : '.'}`
  const above = heading === undefined ? [] : [`## ${heading}`]
  const [only] = cells
  // One answer for everybody needs no table.
  const same = cells.length === 1 && only !== undefined && new Set(only.cells).size === 1
  const table = same
    ? `Everybody: ${only.cells[0]}.`
    : [
        `| who | ${columns.map((column) => column || 'answer').join(' | ')} |`,
        `| --- |${' --- |'.repeat(columns.length)}`,
        ...cells.map(({ who, cells: answers }) => `| ${who} | ${answers.join(' | ')} |`),
      ].join('\n')
  return [...above, title, about, table].join('\n\n')
}

function spellWho(name: string): string {
  return Object.hasOwn(groups, name) ? `*${name}*` : name
}
