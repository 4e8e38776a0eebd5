import type { TSchema } from '@sinclair/typebox'
import { wordsOf } from '../../contracts/literals.ts'

/** A JSON Schema as the OpenAPI document holds it. */
export type JsonSchema = Record<string, unknown>

/**
 * The `components.schemas` of a document: every contract stands once, under its name, and
 * what holds it refers to it. Keys of components may have no `@` (OpenAPI 3.1 section
 * 4.8.7.1): `live.agent-stream@1` stands as `live.agent-stream.v1`.
 */
export class SchemaComponents {
  readonly #schemas = new Map<string, JsonSchema>()

  /** The schema, by reference where it is a contract. */
  schemaOf(schema: TSchema): JsonSchema {
    const contract = schema.$id
    if (contract === undefined) return this.#inline(schema)
    const key = contract.replace('@', '.v')
    if (!this.#schemas.has(key)) {
      this.#schemas.set(key, {})
      this.#schemas.set(key, { title: contract, ...this.#inline(schema) })
    }
    return { $ref: `#/components/schemas/${key}` }
  }

  /** All that was asked for, by name. */
  all(): Record<string, JsonSchema> {
    return Object.fromEntries([...this.#schemas].sort(([a], [b]) => (a < b ? -1 : 1)))
  }

  #inline(schema: TSchema): JsonSchema {
    const words = wordsOf(schema)
    const { $id: _id, anyOf, ...rest } = schema
    // Symbols (TypeBox's own) are left behind: entries are of string keys.
    const plain = Object.fromEntries(Object.entries(rest).map(([key, value]) => [key, this.#value(key, value)]))
    if (words !== null) return { ...plain, type: 'string', enum: words }
    return anyOf === undefined ? plain : { ...plain, anyOf: this.#value('anyOf', anyOf) }
  }

  #value(key: string, value: unknown): unknown {
    if (key === 'examples' || key === 'const' || key === 'default') return value
    if (key === 'properties' || key === 'patternProperties') {
      return Object.fromEntries(Object.entries(value as object).map(([name, of]) => [name, this.schemaOf(of)]))
    }
    if (Array.isArray(value)) return value.map((item) => (isSchema(item) ? this.schemaOf(item) : item))
    return isSchema(value) ? this.schemaOf(value) : value
  }
}

function isSchema(value: unknown): value is TSchema {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
