import { type TLiteral, type TSchema, type TUnion, Type } from '@sinclair/typebox'

type Literals<T extends readonly string[]> = { -readonly [K in keyof T]: TLiteral<T[K]> }

/** A schema of a closed list of words, typed as exactly these. */
export function literals<const T extends readonly string[]>(words: T): TUnion<Literals<T>> {
  return Type.Union(words.map((word) => Type.Literal(word))) as unknown as TUnion<Literals<T>>
}

/** The words of a closed list (`Type.Union` of literals); `null`: it is none. */
export function wordsOf(schema: TSchema): readonly string[] | null {
  const { anyOf } = schema as { anyOf?: readonly TSchema[] }
  if (anyOf === undefined || anyOf.length === 0) return null
  return anyOf.every((option) => typeof option.const === 'string') ? anyOf.map((option) => String(option.const)) : null
}
