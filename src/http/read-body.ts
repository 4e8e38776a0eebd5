import { type ParseError, parse, printParseErrorCode } from 'jsonc-parser'
import { RefusedError, refuse } from '../contracts/problem.ts'

/** No body that a route takes is larger: SDP and JSON alike. */
export const bodyLimit = 64 * 1024

/**
 * Reads a body, and stops at the limit whatever the headers promised.
 * @param limit in bytes
 * @throws RefusedError `body_too_large`
 */
export async function readBytes(request: Request, limit: number): Promise<Uint8Array> {
  const tooLarge = () =>
    new RefusedError(refuse('body_too_large', `The body may have ${limit} bytes at most. Send a smaller one.`))
  if (Number(request.headers.get('content-length') ?? 0) > limit) throw tooLarge()
  const chunks: Uint8Array[] = []
  let size = 0
  for await (const chunk of request.body ?? []) {
    size += chunk.byteLength
    if (size > limit) throw tooLarge()
    chunks.push(chunk)
  }
  return Buffer.concat(chunks)
}

/** Reads a body as UTF-8 text. @throws RefusedError `body_too_large` */
export async function readText(request: Request): Promise<string> {
  return new TextDecoder().decode(await readBytes(request, bodyLimit))
}

/** True when the header names this media type: in any case, with or without parameters (RFC 9110 section 8.3.1). */
export function hasType(header: string | null | undefined, type: string): boolean {
  return header?.split(';', 1)[0]?.trim().toLowerCase() === type
}

/**
 * Reads a JSON body. No body at all is `null`, which no schema takes. (Not `undefined`: Elysia would
 * then read the body itself, which has been read.)
 * @throws RefusedError `unsupported_media_type`, `body_too_large` or `malformed_json`, with the place
 */
async function readJson(request: Request): Promise<unknown> {
  const text = await readText(request)
  if (text === '') return null
  if (!hasType(request.headers.get('content-type'), 'application/json')) {
    throw new RefusedError(refuse('unsupported_media_type', 'Send JSON with Content-Type: application/json.'))
  }
  try {
    return JSON.parse(text)
  } catch {
    throw new RefusedError(refuse('malformed_json', `Send valid JSON: ${placeOfFault(text)}.`))
  }
}

/** Where JSON breaks, and how. Bun's own message does not say where. */
function placeOfFault(text: string): string {
  const faults: ParseError[] = []
  parse(text, faults, { disallowComments: true, allowTrailingComma: false, allowEmptyContent: false })
  const [first] = faults
  if (first === undefined) return 'it cannot be parsed'
  const before = text.slice(0, first.offset).split('\n')
  const what = printParseErrorCode(first.error)
    .replace(/([a-z])([A-Z])/g, '$1 $2')
    .toLowerCase()
  return `${what} at line ${before.length}, column ${(before.at(-1)?.length ?? 0) + 1}`
}

/** A route's `parse`: its body is JSON. */
export function parseJson({ request }: { request: Request }): Promise<unknown> {
  return readJson(request)
}

/** A route's `parse`: its body is JSON, and may be missing. */
export async function parseOptionalJson({ request }: { request: Request }): Promise<unknown> {
  return (await readJson(request)) ?? {}
}
