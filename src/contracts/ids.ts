import { type TString, Type } from '@sinclair/typebox'
import { ulid } from 'ulid'

/** What an id names. The prefix stands before a ULID: `ags_01JC…`. */
export const idPrefix = {
  agentStream: 'ags',
  person: 'usr',
  channel: 'chn',
  viewer: 'vwr',
  step: 'stp',
} as const

export type IdKind = keyof typeof idPrefix

const ulidBody = '[0-7][0-9A-HJKMNP-TV-Z]{25}'

/** A schema that accepts only ids of one kind, for bodies, queries and paths. */
export function idSchema(kind: IdKind): TString {
  return Type.String({ pattern: `^${idPrefix[kind]}_${ulidBody}$`, description: `id: ${idPrefix[kind]}_<ULID>` })
}

const shapes = Object.fromEntries(
  Object.entries(idPrefix).map(([kind, prefix]) => [kind, new RegExp(`^${prefix}_${ulidBody}$`)]),
) as Record<IdKind, RegExp>

/** True when `text` is a well-formed id of that kind. Says nothing of whether the thing exists. */
export function isId(kind: IdKind, text: string): boolean {
  return shapes[kind].test(text)
}

/** A new id: sorts by the time it was made, carries 80 random bits. */
export function newId(kind: IdKind): string {
  return `${idPrefix[kind]}_${ulid()}`
}
