import type { TSchema } from '@sinclair/typebox'
import { areas, type Credential, credentials, headerMeanings, type PlacedOperation } from '../../contracts/operation.ts'
import { Problem, type ProblemCode, problems } from '../../contracts/problem.ts'
import { publishedContracts } from '../../contracts/published.ts'
import { type JsonSchema, SchemaComponents } from './schema-components.ts'

/** An OpenAPI 3.1 document, as JSON. */
export type OpenApiDocument = Record<string, unknown>

export interface OpenApiInput {
  readonly operations: readonly PlacedOperation[]
  /** Of the server. */
  readonly version: string
  /** How people reach the server, without a slash at the end. */
  readonly origin: string
  /** The session cookie's name. */
  readonly sessionCookie: string
}

/** The API as an OpenAPI 3.1 document: from the routes' own words and the schemas that validate. Pure. */
export function openApiDocument({ operations, version, origin, sessionCookie }: OpenApiInput): OpenApiDocument {
  const components = new SchemaComponents()
  const paths: Record<string, Record<string, unknown>> = {}
  for (const operation of operations) {
    const path = templateOf(operation.path)
    paths[path] = { ...paths[path], [operation.method.toLowerCase()]: operationObject(operation, components) }
  }
  // What no operation names, the socket's messages, is part of the document, too.
  for (const contract of publishedContracts) components.schemaOf(contract)
  return {
    openapi: '3.1.0',
    info: {
      title: 'Footlight',
      version,
      summary: 'Puts an AI agent’s screen on air',
      description:
        'Every refusal is RFC 9457 problem details with a code; /problems lists them. JSON answers name their contract by a Link header with rel="describedby".',
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
    },
    servers: [{ url: origin }],
    tags: areas.map(({ name, about }) => ({ name, description: about })),
    paths,
    components: { schemas: components.all(), securitySchemes: securitySchemes(sessionCookie) },
  }
}

function operationObject(operation: PlacedOperation, components: SchemaComponents) {
  const { area, name, summary, about, who, body } = operation
  return {
    operationId: name,
    tags: [area],
    summary,
    description: [about, `Who: ${who}`].filter(Boolean).join('\n\n'),
    parameters: [
      ...pathParameters(operation),
      ...queryParameters(operation, components),
      ...otherParameters(operation),
    ],
    ...(body !== null && { requestBody: jsonBody(body, components) }),
    ...(operation.sends !== undefined && {
      requestBody: { required: true, content: rawContent(operation.sends.types) },
    }),
    responses: { ...answers(operation, components), ...refusals(operation.refuses, components) },
    security: [
      ...operation.accepts.map((credential) => ({ [credential]: [] })),
      ...(operation.open === true ? [{}] : []),
    ],
  }
}

/** `/whip/agent/:id` as OpenAPI writes it: `/whip/agent/{id}`. */
function templateOf(path: string): string {
  return path.replace(/:(\w+)/g, '{$1}')
}

/** What the parts of paths are. */
const pathMeanings: Readonly<Record<string, string>> = {
  id: 'The stream: ags_ and a ULID.',
  session: 'The session’s own id, as its Location names it.',
  events: 'The event stream’s own id, as its Location names it.',
  channel: 'The channel: chn_ and a ULID.',
  handle: 'The person’s handle, without @.',
  link: 'The secret of the one-time link.',
  name: 'The contract: live.agent-stream@1.',
  code: 'The problem’s code: not_live.',
}

function pathParameters({ path }: PlacedOperation) {
  return [...path.matchAll(/:(\w+)/g)].map(([, name = '']) => ({
    name,
    in: 'path',
    required: true,
    schema: { type: 'string' },
    ...(pathMeanings[name] !== undefined && { description: pathMeanings[name] }),
  }))
}

function queryParameters({ query }: PlacedOperation, components: SchemaComponents) {
  if (query === null) return []
  const required = new Set(query.required ?? [])
  return Object.entries(query.properties).map(([name, schema]) => {
    const { description, ...rest } = components.schemaOf(schema)
    return { name, in: 'query', required: required.has(name), ...(description ? { description } : {}), schema: rest }
  })
}

function otherParameters({ parameters = [], accepts }: PlacedOperation) {
  const named = parameters.map(({ says, ...parameter }) => ({
    ...parameter,
    required: false,
    description: says,
    schema: { type: 'string' },
  }))
  if (!accepts.includes('service_token')) return named
  const description = 'The person (usr_…) that a token of svc:… or node:… acts for.'
  return [...named, { name: 'X-OV-Subject', in: 'header', required: false, description, schema: { type: 'string' } }]
}

function jsonBody(body: TSchema, components: SchemaComponents) {
  // A body without a required field may be left out whole.
  const required = ((body.required as readonly string[] | undefined) ?? []).length > 0
  return { required, content: { 'application/json': { schema: components.schemaOf(body) } } }
}

function rawContent(types: readonly string[]) {
  return Object.fromEntries(types.map((type) => [type, { schema: rawSchema(type) }]))
}

function rawSchema(type: string): JsonSchema {
  if (type.endsWith('json')) return { type: 'object' }
  // Bytes have no schema in OpenAPI 3.1 (section 4.8.14.3).
  return /^(text|application\/sdp)/.test(type) ? { type: 'string' } : {}
}

function answers({ answers: said }: PlacedOperation, components: SchemaComponents) {
  return Object.fromEntries(
    Object.entries(said).map(([status, { says, contract, types, headers = [] }]) => {
      const json = contract === undefined ? {} : { 'application/json': { schema: components.schemaOf(contract) } }
      const content = { ...json, ...rawContent(types ?? []) }
      const named = headers.map((name) => [name, { description: headerMeanings[name], schema: { type: 'string' } }])
      return [
        status,
        {
          description: says,
          ...(headers.length > 0 && { headers: Object.fromEntries(named) }),
          ...(Object.keys(content).length > 0 && { content }),
        },
      ]
    }),
  )
}

/** The refusals by status, with the codes that each may carry. */
function refusals(codes: readonly ProblemCode[], components: SchemaComponents) {
  const statuses = [...new Set(codes.map((code) => problems[code].status))].sort((a, b) => a - b)
  return Object.fromEntries(
    statuses.map((status) => {
      const here = codes.filter((code) => problems[code].status === status)
      const schema = {
        allOf: [components.schemaOf(Problem), { properties: { code: { type: 'string', enum: here } } }],
      }
      const waits = status === 429 || status === 503
      const retry = { description: 'seconds to wait', schema: { type: 'integer' } }
      return [
        String(status),
        {
          description: here.map((code) => `${code}: ${problems[code].title}.`).join('\n'),
          ...(waits && { headers: { 'Retry-After': retry } }),
          content: { 'application/problem+json': { schema } },
        },
      ]
    }),
  )
}

function securitySchemes(sessionCookie: string): Record<Credential, object> {
  const bearer = (of: Credential, bearerFormat: string) => ({
    type: 'http',
    scheme: 'bearer',
    bearerFormat,
    description: credentials[of].about,
  })
  return {
    session: { type: 'apiKey', in: 'cookie', name: sessionCookie, description: credentials.session.about },
    service_token: bearer('service_token', 'JWT'),
    publish_ticket: bearer('publish_ticket', 'wpt_…'),
    view_ticket: bearer('view_ticket', 'wvt_…'),
    operator_token: bearer('operator_token', 'JWT'),
  }
}
