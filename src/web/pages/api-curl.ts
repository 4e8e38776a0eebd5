import type { Credential, PlacedOperation } from '../../contracts/operation.ts'

/** What stands in an address for each part of a path. */
const partValues: Readonly<Record<string, string>> = {
  id: '$STREAM',
  session: '$SESSION',
  channel: '$CHANNEL',
  handle: 'ada',
  link: '$LINK',
  name: 'live.agent-stream@1',
  code: 'not_live',
}

const credentialVariables = {
  service_token: '$TOKEN',
  publish_ticket: '$TICKET',
  view_ticket: '$VIEW_TICKET',
  operator_token: '$OPERATOR_TOKEN',
} as const satisfies Partial<Record<Credential, string>>

/** The call as a command for a shell: one argument a line, variables for what only the caller knows. */
export function curlOf(operation: PlacedOperation): string {
  const { method, answers, sends } = operation
  const parts = [
    `${command(operation)} ${method === 'GET' ? '' : `-X ${method} `}"$FOOTLIGHT${address(operation)}"`,
    ...credential(operation),
    ...body(operation),
  ]
  if (101 in answers) {
    parts.push(
      "-H 'Connection: Upgrade' -H 'Upgrade: websocket'",
      "-H 'Sec-WebSocket-Version: 13' -H 'Sec-WebSocket-Key: Rm9vdGxpZ2h0IGlzIGxpdg=='",
    )
  }
  if (sends !== undefined) parts.push(`-H 'Content-Type: ${sends.types[0]}'`, `--data-binary @${sends.file}`)
  return parts.join(' \\\n  ')
}

/** With `-i` where the answer is in its headers. */
function command({ answers }: PlacedOperation): string {
  const bodies = Object.values(answers).filter(({ contract, types }) => contract !== undefined || types !== undefined)
  if (bodies.some(({ types }) => types?.some((type) => type.startsWith('image/')))) return 'curl -o still.jpg'
  return bodies.length === 0 || bodies.some(({ headers }) => headers !== undefined) ? 'curl -i' : 'curl'
}

function address({ path, query }: PlacedOperation): string {
  const filled = path.replace(/:(\w+)/g, (_all, name: string) => partValues[name] ?? `$${name.toUpperCase()}`)
  const required = query?.required ?? []
  return required.length === 0 ? filled : `${filled}?${required.map((name) => `${name}=bob`).join('&')}`
}

function credential({ method, accepts }: PlacedOperation): string[] {
  const [first] = accepts
  if (first === undefined) return []
  if (first !== 'session') return [`-H "Authorization: Bearer ${credentialVariables[first]}"`]
  return ['-b "footlight_session=$COOKIE"', ...(method === 'GET' ? [] : ['-H "Origin: $FOOTLIGHT"'])]
}

function body({ body: schema }: PlacedOperation): string[] {
  if (schema === null) return []
  const [example = {}] = (schema.examples as readonly unknown[] | undefined) ?? []
  return ["-H 'Content-Type: application/json'", `-d '${JSON.stringify(example)}'`]
}
