import { type TLiteral, type TUnion, Type } from '@sinclair/typebox'

type Literals<T extends readonly string[]> = { -readonly [K in keyof T]: TLiteral<T[K]> }

/** A schema of a closed list of words, typed as exactly these. */
export function literals<const T extends readonly string[]>(words: T): TUnion<Literals<T>> {
  return Type.Union(words.map((word) => Type.Literal(word))) as unknown as TUnion<Literals<T>>
}
