import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { writeSdpFragment } from '../../../src/contracts/sdp-fragment.ts'
import { mintSecret } from '../../../src/http/identity/secret.ts'
import { operatorCapability } from '../../../src/http/operator/operator-capability.ts'
import { clients } from '../../media/sdp-bridge/clients.ts'
import { type OfferDescription, writeOffer } from '../../media/sdp-bridge/offer-builder.ts'
import { startTestServer, type TestServer } from '../test-server.ts'
import { type ApiExample, readApiExamples, readCommonRefusals } from './api-examples.ts'

const markdown = await Bun.file(new URL('../../../docs/api.md', import.meta.url)).text()
const examples = readApiExamples(markdown)
/** A JPEG as far as anybody looks: its first bytes (ITU-T T.81 annex B). */
const picture = new Uint8Array([0xff, 0xd8, 0xff, 0xe0, 0, 16, 0x4a, 0x46, 0x49, 0x46, 0, 1, 1, 0, 0, 1, 0, 1, 0, 0])
const player = writeOffer({
  sections: [
    { kind: 'video', mid: '0', direction: 'recvonly' },
    { kind: 'audio', mid: '1', direction: 'recvonly' },
  ],
})

let server: TestServer
let folder = ''
const variables: Record<string, string> = {}

beforeAll(async () => {
  server = await startTestServer()
  folder = await mkdtemp(join(tmpdir(), 'footlight-api-'))
  await writeFile(join(folder, 'still.jpg'), picture)
  await writeFile(join(folder, 'offer.sdp'), writeOffer(clients.chromium as OfferDescription))
  await writeFile(join(folder, 'play.sdp'), player)
  await writeFile(
    join(folder, 'restart.sdpfrag'),
    writeSdpFragment({ ufrag: 'fresh', pwd: 'a/new+password0123456789' }),
  )
  const ada = await server.person('ada')
  await server.person('bob')
  const { secret, hash } = mintSecret('signInLink')
  await server.identity.createSignInLink({ hash, person: ada.id, expiresAt: Date.now() + 60_000 })
  variables.FOOTLIGHT = server.url
  variables.LINK = `${server.url}/sign-in/${secret}`
  variables.TOKEN = ada.token
  variables.OPERATOR_TOKEN = await server.issuer.sign({
    subject: 'svc:cli',
    capabilities: [operatorCapability],
    audience: server.config.audience,
    minutes: 5,
  })
}, 60_000)
afterAll(async () => {
  await server.stop()
  await rm(folder, { recursive: true, force: true })
})

interface Outcome {
  readonly status: number
  readonly headers: Headers
  readonly output: string
  readonly method: string
  readonly path: string
}

/** Pastes the command into a shell; a function of the shell's notes what curl says beside the answer. */
async function paste({ command }: ApiExample): Promise<Outcome> {
  const noted = `curl() { command curl -sS --dump-header headers.txt --write-out '%{stderr}%{http_code} %{method} %{url_effective}' "$@"; }`
  const shell = Bun.spawn(['bash', '-uc', `${noted}\n${command}`], {
    cwd: folder,
    env: { PATH: process.env.PATH ?? '', HOME: folder, ...variables },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const [output, notes] = await Promise.all([new Response(shell.stdout).text(), new Response(shell.stderr).text()])
  await shell.exited
  const [, status, method = '', url = ''] = /(\d{3}) ([A-Z]+) (http\S+)$/.exec(notes) ?? []
  if (status === undefined) throw new Error(`curl said ${notes}`)
  const lines = (await readFile(join(folder, 'headers.txt'), 'utf8')).split('\r\n').slice(1).filter(Boolean)
  const headers = new Headers(lines.map((line) => line.split(/: ?(.*)/s, 2) as [string, string]))
  return { status: Number(status), headers, output, method, path: new URL(url).pathname }
}

function kept({ output, headers }: Outcome, { from, name }: ApiExample['keeps'][number]): unknown {
  if (from === 'header') return headers.get(name)
  const json: unknown = JSON.parse(output.slice(output.indexOf('{')))
  return name.split('.').reduce<unknown>((value, key) => (value as Record<string, unknown> | undefined)?.[key], json)
}

describe('docs/api.md', () => {
  const called: { operation: string; example: ApiExample }[] = []

  for (const [at, example] of examples.entries()) {
    test(`${at + 1}: ${example.command.replace(/\s*\\\n\s*/g, ' ').slice(0, 90)}`, async () => {
      const outcome = await paste(example)
      expect([example.command, outcome.status, outcome.output]).toEqual([
        example.command,
        example.status,
        outcome.output,
      ])
      const link = outcome.headers.get('link')
      if (example.contract !== null) expect(link).toBe(`</contracts/${example.contract}>; rel="describedby"`)
      for (const keep of example.keeps) {
        const value = kept(outcome, keep)
        expect([keep.name, typeof value]).toEqual([keep.name, 'string'])
        variables[keep.variable] = String(value)
      }
      called.push({ operation: await operationOf(outcome), example })
    })
  }

  test('has every operation of the API', async () => {
    const { body } = await server.call('GET', '/openapi.json')
    const all = Object.entries(body.paths as Record<string, object>).flatMap(([path, methods]) =>
      Object.keys(methods).map((method) => `${method.toUpperCase()} ${path}`),
    )
    expect([...new Set(called.map(({ operation }) => operation))].sort()).toEqual(all.sort())
  })

  test('says of each operation what it refuses, beside what many refuse', async () => {
    const common = readCommonRefusals(markdown)
    expect(common.size).toBeGreaterThan(10)
    const said = new Map<string, Set<string>>()
    for (const { operation, example } of called) {
      said.set(operation, new Set([...(said.get(operation) ?? []), ...example.refuses]))
    }
    const { body } = await server.call('GET', '/openapi.json')
    const faults = [...said].flatMap(([operation, codes]) => {
      const [method = '', path = ''] = operation.split(' ')
      const documented = codesOf(body.paths[path][method.toLowerCase()])
      const missing = documented.filter((code) => !common.has(code) && !codes.has(code))
      const wrong = [...codes].filter((code) => !documented.includes(code))
      return missing.length + wrong.length === 0 ? [] : [{ operation, missing, wrong }]
    })
    expect(faults).toEqual([])
  })

  async function operationOf({ method, path }: Outcome): Promise<string> {
    const { body } = await server.call('GET', '/openapi.json')
    const templates = Object.keys(body.paths).sort((a, b) => a.split('{').length - b.split('{').length)
    const template = templates.find((at) => new RegExp(`^${at.replace(/\{\w+\}/g, '[^/]+')}$`).test(path))
    return `${method} ${template}`
  }
})

// biome-ignore lint/suspicious/noExplicitAny: an operation of an OpenAPI document
function codesOf(operation: any): string[] {
  // biome-ignore lint/suspicious/noExplicitAny: its responses
  return Object.values(operation.responses as Record<string, any>).flatMap((response) =>
    (response.content?.['application/problem+json']?.schema.allOf ?? []).flatMap(
      (part: { properties?: { code?: { enum: string[] } } }) => part.properties?.code?.enum ?? [],
    ),
  )
}
