import { expect, test } from 'bun:test'
import { straightened } from '../../../src/web/statechart/straightened.ts'

const way = (text: string) =>
  text.split(' ').map((pair) => {
    const [x = Number.NaN, y = Number.NaN] = pair.split(',').map(Number)
    return { x, y }
  })

const ways: readonly (readonly [what: string, before: string, after: string])[] = [
  ['a straight line stays', '0,0 9,0', '0,0 9,0'],
  ['a bend stays', '0,0 9,0 9,9', '0,0 9,0 9,9'],
  ['a real step aside stays', '0,0 9,0 9,4 20,4', '0,0 9,0 9,4 20,4'],
  ['points on the way and repeated points go', '0,0 5,0 5,0 9,0 9,3 9,9', '0,0 9,0 9,9'],
  ['a small step aside goes, and the end with it', '0,0 9,0 9,2 20,2', '0,0 20,0'],
  ['a small step aside goes, and the bend after it stays one', '0,0 9,0 9,2 20,2 20,30', '0,0 20,0 20,30'],
  ['pieces that miss each other by half a pixel meet', '0,0 9,0 9.5,0.5 20,0.5 20,30', '0,0 20,0 20,30'],
  ['upwards, too', '0,90 0,50 2,50 2,20 30,20', '0,90 0,20 30,20'],
]
for (const [what, before, after] of ways) {
  test(what, () => expect(straightened(way(before))).toEqual(way(after)))
}
