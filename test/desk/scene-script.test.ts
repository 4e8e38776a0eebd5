import { expect, test } from 'bun:test'
import { highlight } from '../../src/desk/scene/highlight.ts'
import { writeScript } from '../../src/desk/scene/script.ts'

/** Rows that the editor and the terminal have room for at 1280 × 720. */
const editorRows = 18

test('the same seed writes the same script, another seed another', () => {
  expect(writeScript(3)).toEqual(writeScript(3))
  expect(writeScript(3).actions).not.toEqual(writeScript(4).actions)
})

test('every action comes in its time, within the loop', () => {
  const { actions, length } = writeScript()
  for (const [index, action] of actions.entries()) {
    expect(action.at).toBeGreaterThanOrEqual(actions[index - 1]?.at ?? 0)
    expect(action.at).toBeLessThanOrEqual(length)
  }
})

test('what is typed fits the editor and ends as the whole file', () => {
  let rows: string[] = []
  let tallest = 0
  const files: string[] = []
  for (const action of writeScript().actions) {
    if (action.type === 'open') {
      if (rows.length > 0) files.push(rows.join('\n'))
      rows = [...action.rows]
    } else if (action.type === 'insert') rows.splice(action.row, 0, '')
    else if (action.type === 'remove') rows.splice(action.row, 1)
    else if (action.type === 'row') {
      expect(rows[action.row]).toBeDefined()
      rows[action.row] = action.text
    }
    tallest = Math.max(tallest, rows.length)
  }
  files.push(rows.join('\n'))
  expect(tallest).toBeLessThanOrEqual(editorRows)
  expect(files.length).toBe(2)
  const transpiler = new Bun.Transpiler({ loader: 'ts' })
  for (const file of files) expect(transpiler.transformSync(file).length).toBeGreaterThan(100)
})

test('every step is done in the end', () => {
  const { actions, steps } = writeScript()
  const last = new Map(
    actions.flatMap((action) => (action.type === 'step' ? [[action.step, action.status] as const] : [])),
  )
  expect([...last.keys()].sort()).toEqual(steps.map((_, index) => index))
  expect(new Set(last.values())).toEqual(new Set(['done']))
})

test('colouring a row changes none of its text', () => {
  for (const row of ["import { a } from './b", '  const price = line.cents * 2 // twice', '', '/** doc */']) {
    expect(
      highlight(row)
        .map(([text]) => text)
        .join(''),
    ).toBe(row)
  }
  expect(highlight("const x = 'y'")).toEqual([
    ['const', 'key'],
    [' x = ', ''],
    ["'y'", 'str'],
  ])
})
