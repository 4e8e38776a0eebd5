import { describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import { fitHandle, handlesFor } from '../../../src/http/identity/provider-person.ts'
import { returnPath } from '../../../src/http/identity/return-path.ts'
import { handlePattern } from '../../../src/store/identity-store.ts'

describe('a handle from a provider’s name', () => {
  test('keeps what fits', () => {
    const names = ['ada', 'Ada Lovelace', 'Zoë', '__x__y', '-', 'a', '李', 'a'.repeat(40), `${'a'.repeat(29)} b`, 'ﬁnn']
    expect(names.map(fitHandle)).toEqual([
      'ada',
      'ada-lovelace',
      'zoe',
      'x__y',
      null,
      null,
      null,
      'a'.repeat(30),
      'a'.repeat(29),
      'finn',
    ])
  })

  test('is a handle whatever the names are, and different at each try', () => {
    fc.assert(
      fc.property(fc.array(fc.string({ unit: 'binary', maxLength: 80 }), { maxLength: 3 }), (names) => {
        const handles = [...handlesFor(names)]
        expect(handles.length).toBe(19)
        for (const handle of handles) expect(handle).toMatch(handlePattern)
        expect(new Set(handles.slice(0, 9)).size).toBe(9)
      }),
    )
  })

  test('is made of the first name of which something is left', () => {
    const [first] = handlesFor(['李', 'li', 'other'])
    const [second] = handlesFor([])
    expect([first, second]).toEqual(['li', 'person'])
  })
})

describe('the way back', () => {
  test('never leads to another site', () => {
    const origin = 'https://live.example'
    const bits = fc.constantFrom(
      '/',
      '\\',
      '.',
      '..',
      '//',
      '@',
      ':',
      'evil.example',
      'https:',
      '\t',
      '\n',
      '?',
      '#',
      '%2f',
      'a',
    )
    const paths = fc.oneof(
      fc.string(),
      fc.webUrl(),
      fc.array(bits, { maxLength: 8 }).map((parts) => parts.join('')),
    )
    fc.assert(
      fc.property(paths, (to) => {
        const path = returnPath(to, origin)
        expect(new URL(path, origin).origin).toBe(origin)
        expect(path).toMatch(/^\/(?![/\\])/)
      }),
      { numRuns: 2000 },
    )
  })

  test('is the path that was asked for', () => {
    const origin = 'http://127.0.0.1:7400'
    expect(returnPath('/@ada/agents/x?k=1#y', origin)).toBe('/@ada/agents/x?k=1#y')
    for (const none of [null, undefined, '', 'x', `/${'a'.repeat(1000)}`]) expect(returnPath(none, origin)).toBe('/')
  })
})
