import type { TSchema } from '@sinclair/typebox'
import type { ComponentChildren } from 'preact'
import { wordsOf } from '../../contracts/literals.ts'

/** The anchor of a contract on the page. */
export function contractAnchor(id: string): string {
  return `contract-${id.replace(/[^a-z0-9.-]/gi, '-')}`
}

/** A contract's name, leading to where it is shown. */
export function ContractLink({ id }: { id: string }) {
  return (
    <a class="contract-name" href={`#${contractAnchor(id)}`}>
      {id}
    </a>
  )
}

/** A schema, field by field. */
export function SchemaFields({ schema }: { schema: TSchema }) {
  const variants = schema.anyOf as readonly TSchema[] | undefined
  if (variants !== undefined) {
    return (
      <>
        {variants.map((variant) => (
          <SchemaFields schema={variant} />
        ))}
      </>
    )
  }
  const rows = fieldsOf(schema, '')
  return rows.length === 0 ? (
    <p class="quiet">No fields.</p>
  ) : (
    <ul class="fields">
      {rows.map(({ name, type, optional, note }) => (
        <li>
          <code class="field-name">{name}</code>
          <span class="field-type">
            {type}
            {optional ? <em> optional</em> : null}
          </span>
          {note === '' ? null : <span class="field-note">{note}</span>}
        </li>
      ))}
    </ul>
  )
}

interface Field {
  readonly name: string
  readonly type: ComponentChildren
  readonly optional: boolean
  readonly note: string
}

/** Its fields and those of the plain objects in it, by path: `task.title`, `people[].handle`. */
function fieldsOf(schema: TSchema, prefix: string): Field[] {
  const required = new Set((schema.required as readonly string[] | undefined) ?? [])
  return Object.entries((schema.properties ?? {}) as Record<string, TSchema>).flatMap(([key, field]) => {
    const name = prefix + key
    const row = { name, type: typeOf(field), optional: !required.has(key), note: noteOf(field) }
    const [inner, path] = field.type === 'array' ? [field.items as TSchema, `${name}[].`] : [field, `${name}.`]
    return [row, ...(inner.$id === undefined ? fieldsOf(inner, path) : [])]
  })
}

function typeOf(schema: TSchema): ComponentChildren {
  if (schema.$id !== undefined) return <ContractLink id={schema.$id} />
  if (schema.const !== undefined) return <code>{JSON.stringify(schema.const)}</code>
  const words = wordsOf(schema)
  if (words !== null) return between(words.map((word) => <code>{JSON.stringify(word)}</code>))
  if (schema.anyOf !== undefined) return between((schema.anyOf as readonly TSchema[]).map(typeOf))
  if (schema.type === 'array') return <>list of {typeOf(schema.items)}</>
  if (schema.format === 'date-time') return 'time'
  if (schema.type === 'integer') return 'whole number'
  return String(schema.type ?? 'any')
}

function between(options: readonly ComponentChildren[]): ComponentChildren {
  return options.map((option, at) => (
    <>
      {at === 0 ? null : ' or '}
      {option}
    </>
  ))
}

/** What a field means, and how far it goes. */
function noteOf(schema: TSchema): string {
  const { description, minLength, maxLength, minimum, maximum } = schema
  const least = minLength === undefined ? 'at most' : `${minLength} to`
  const length = maxLength === undefined ? null : `${least} ${maxLength} characters`
  const range = minimum === undefined || schema.type !== 'integer' || maximum === Number.MAX_SAFE_INTEGER
  const bounds = range ? null : maximum === undefined ? `from ${minimum}` : `${minimum} to ${maximum}`
  return [description, length, bounds].filter((part) => typeof part === 'string').join('; ')
}
