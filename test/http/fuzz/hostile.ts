import fc from 'fast-check'

/** What programs trip over: prototype names, halves of characters, ends of strings, what is too long. */
const words = [
  '',
  ' ',
  '\u0000',
  'a\u0000b',
  '\ud800',
  '\udfff\ud800',
  '\u202e',
  '\ufeff',
  '__proto__',
  'constructor',
  'prototype',
  'toString',
  'hasOwnProperty',
  'null',
  'undefined',
  'true',
  '0',
  '-1',
  '1e999',
  'NaN',
  '../../etc/passwd',
  '%00',
  '%ff',
  '%',
  '<script>alert(1)</script>',
  "' or 1=1 --",
  '$(id)',
  '@ada',
  'ada',
  'private',
  'public',
  'join',
  'x'.repeat(5000),
  '😀'.repeat(300),
]

export const hostileText = fc.oneof(
  { weight: 3, arbitrary: fc.constantFrom(...words) },
  { weight: 1, arbitrary: fc.string({ unit: 'binary', maxLength: 40 }) },
)

const hostileNumber = fc.constantFrom(0, -0, -1, 0.5, 2 ** 31, 2 ** 53, 2 ** 53 + 2, -(2 ** 63), 1e308, 5e-324)

/** Any JSON value, of those that make trouble. */
export const hostileValue: fc.Arbitrary<unknown> = fc.oneof(
  { weight: 4, arbitrary: hostileText },
  { weight: 3, arbitrary: hostileNumber },
  { weight: 2, arbitrary: fc.constantFrom(null, true, false, [], {}, [[]], [null], { __proto__: null }) },
  { weight: 2, arbitrary: fc.array(hostileText, { maxLength: 4 }) },
  { weight: 2, arbitrary: fc.jsonValue({ maxDepth: 3 }) },
  { weight: 1, arbitrary: fc.nat({ max: 3000 }).map(nested) },
)

/** So many arrays in each other. */
function nested(depth: number): unknown {
  let value: unknown = 'bottom'
  for (let level = 0; level < depth; level++) value = [value]
  return value
}

/** A good value with up to four things done to it: fields taken away, added, replaced, at any depth. */
export function nearly(good: unknown): fc.Arbitrary<unknown> {
  const change = fc.record({
    at: fc.nat({ max: 50 }),
    how: fc.constantFrom('remove', 'replace', 'add', 'twist'),
    name: fc.oneof(hostileText, fc.constantFrom('__proto__', 'constructor', 'id', 'type', 'up')),
    value: hostileValue,
  })
  return fc.array(change, { minLength: 1, maxLength: 4 }).map((changes) => {
    let value = good
    for (const { at, how, name, value: other } of changes) value = changed(value, at, how, name, other)
    return value
  })
}

function changed(value: unknown, at: number, how: string, name: string, other: unknown): unknown {
  if (typeof value !== 'object' || value === null) return how === 'twist' ? [value] : other
  const keys = Object.keys(value)
  const key = keys[at % Math.max(1, keys.length)]
  const copy = Array.isArray(value) ? [...value] : Object.assign(Object.create(null), value)
  if (key === undefined || how === 'add') return define(copy, name, other)
  const inner = (value as Record<string, unknown>)[key]
  if (how === 'remove') delete copy[key]
  else if (how === 'replace') define(copy, key, other)
  else define(copy, key, changed(inner, Math.floor(at / 3), at % 2 === 0 ? 'replace' : 'twist', name, other))
  return copy
}

/** Sets a field of whatever name: `__proto__` too is only a name in JSON. */
function define(target: object, name: string, value: unknown): object {
  Object.defineProperty(target, name, { value, enumerable: true, configurable: true, writable: true })
  return target
}

/** JSON text, and what only looks like it. */
export function hostileJson(good: unknown): fc.Arbitrary<string> {
  const text = fc.oneof({ weight: 4, arbitrary: nearly(good) }, { weight: 2, arbitrary: hostileValue }).map(stringify)
  return fc.oneof(
    { weight: 8, arbitrary: text },
    { weight: 1, arbitrary: fc.nat({ max: 20_000 }).map((depth) => '['.repeat(depth) + ']'.repeat(depth)) },
    { weight: 1, arbitrary: fc.nat({ max: 5000 }).map((depth) => '{"a":'.repeat(depth)) },
    {
      weight: 1,
      arbitrary: fc.constantFrom('', ' ', '1e999', '{"up":1e400}', '-', '"\\ud800"', 'nul', '{}{}', '\ufeff{}'),
    },
    // The same name twice, the second of them hostile.
    { weight: 1, arbitrary: hostileValue.map((value) => `{"up":true,"up":${stringify(value)}}`) },
    { weight: 1, arbitrary: fc.tuple(text, fc.nat()).map(([whole, at]) => whole.slice(0, at % (whole.length + 1))) },
  )
}

function stringify(value: unknown): string {
  return JSON.stringify(value) ?? 'null'
}

/** An SDP text with lines lost, doubled, swapped and broken. */
export function hostileSdp(good: string): fc.Arbitrary<string> {
  const change = fc.record({
    at: fc.nat({ max: 200 }),
    how: fc.constantFrom('lose', 'double', 'cut', 'replace', 'stuff'),
    text: hostileText,
  })
  return fc.array(change, { minLength: 1, maxLength: 5 }).map((changes) => {
    const lines = good.split('\r\n')
    for (const { at, how, text } of changes) {
      const line = at % lines.length
      const old = lines[line] ?? ''
      if (how === 'lose') lines.splice(line, 1)
      else if (how === 'double') lines.splice(line, 0, old)
      else if (how === 'cut') lines[line] = old.slice(0, at % (old.length + 1))
      else if (how === 'replace') lines[line] = `${old.slice(0, 2)}${text}`
      else lines[line] = `${old} ${text}`
    }
    return lines.join('\r\n')
  })
}

/** What fetch lets through as a header's value. */
export const headerText = hostileText
  .map((text) => text.replace(/[^\t\x20-\x7e\x80-\xff]/g, '').trim())
  .map((text) => text.slice(0, 2000))

/** A part of an address, as a caller may write it: encoded well, twice, badly or not at all. */
export const addressText = fc.tuple(hostileText, fc.constantFrom('once', 'twice', 'broken')).map(([text, how]) => {
  const encoded = encodeURIComponent(text.toWellFormed()).slice(0, 1000).replace(/%.?$/, '')
  if (how === 'once') return encoded
  return how === 'twice' ? encodeURIComponent(encoded).slice(0, 1500).replace(/%.?$/, '') : `${encoded}%zz%`
})
