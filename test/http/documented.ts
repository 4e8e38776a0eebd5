/** The little of an OpenAPI document that answers are held against. */
interface Document {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>
}
interface Operation {
  readonly responses: Readonly<Record<string, { readonly content?: Readonly<Record<string, { schema: Schema }>> }>>
}
interface Schema {
  readonly $ref?: string
  readonly allOf?: readonly { readonly properties?: { readonly code?: { readonly enum: readonly string[] } } }[]
}

interface Answer {
  readonly status: number
  readonly headers: Headers
  // biome-ignore lint/suspicious/noExplicitAny: tests look at any shape of answer
  readonly body: any
}

/**
 * Holds every answer of a server against its own OpenAPI document: the status is one that the
 * operation names, a refusal's code is among those of that status, and a JSON body says which
 * contract it is, the same as in the document.
 * @returns what is wrong with an answer, or `null`
 */
export function documentedBy(document: Document) {
  const paths = Object.entries(document.paths)
    // `/sign-in/callback` before `/sign-in/{link}`.
    .sort(([a], [b]) => parts(a) - parts(b))
    .map(([path, operations]) => ({ path, operations, shape: new RegExp(`^${path.replace(/\{\w+\}/g, '[^/]+')}$`) }))
  return (method: string, path: string, { status, headers, body }: Answer): string | null => {
    const place = paths.find(({ shape }) => shape.test(path.split('?', 1)[0] ?? ''))
    const operation = place?.operations[method.toLowerCase()]
    // Pages, files and what is not there are no operations.
    if (place === undefined || operation === undefined) return null
    const type = headers.get('content-type')?.split(';', 1)[0] ?? null
    const here = `${method} ${place.path} answered ${status}${body?.code === undefined ? '' : ` ${body.code}`}`
    const response = operation.responses[status]
    if (response === undefined) return `${here}: the document names no such status`
    if (type === null || body === '' || (status >= 400 && type === 'text/html')) return null
    const schema = response.content?.[type]?.schema
    if (schema === undefined) return `${here} with ${type}: the document names ${Object.keys(response.content ?? {})}`
    if (type === 'application/problem+json') {
      const codes = schema.allOf?.flatMap((part) => part.properties?.code?.enum ?? []) ?? []
      if (!codes.includes(body.code)) return `${here}: the document names ${codes.join(', ')}`
    }
    if (!/json$/.test(type)) return null
    const named = /^<(?:\/contracts\/)?([^>]+)>; rel="describedby"$/.exec(headers.get('link') ?? '')?.[1]
    if (named === undefined) return `${here} without a Link to its contract`
    const documented = type === 'application/problem+json' ? 'live.problem@1' : contractOf(schema.$ref)
    if (documented !== null && documented !== named) return `${here}: it is ${named}, the document says ${documented}`
    return null
  }
}

function parts(path: string): number {
  return path.split('{').length
}

function contractOf(reference: string | undefined): string | null {
  return reference === undefined ? null : reference.replace('#/components/schemas/', '').replace(/\.v(\d+)$/, '@$1')
}
