import { expect, test } from 'bun:test'
import { readIfMatch } from '../../../src/http/protocol/if-match.ts'

test('If-Match is missing, the star, or strong entity tags', () => {
  expect(readIfMatch(null)).toEqual({ type: 'none' })
  expect(readIfMatch('*')).toEqual({ type: 'any' })
  expect(readIfMatch(' * ')).toEqual({ type: 'any' })
  const tags = (header: string) => {
    const read = readIfMatch(header)
    return read.type === 'tags' ? read.tags : read.type
  }
  expect(tags('"abc"')).toEqual(['abc'])
  expect(tags('"*"')).toEqual(['*'])
  expect(tags('"a", "b,c" ,"d"')).toEqual(['a', 'b,c', 'd'])
  expect(tags('""')).toEqual([''])
  // Weak ones match nothing (the comparison is strong), and what is no tag is none.
  expect(tags('W/"abc"')).toEqual([])
  expect(tags('W/"abc", "d"')).toEqual(['d'])
  expect(tags('abc')).toEqual([])
  expect(tags('')).toEqual([])
  expect(tags('"open')).toEqual([])
})
