/**
 * What the scripted agent does, as a list of changes to the screen with their times. The same seed
 * gives the same list, so a picture of the scene can be taken again.
 */
export type SceneAction =
  | { readonly at: number; readonly type: 'step'; readonly step: number; readonly status: StepStatus }
  | { readonly at: number; readonly type: 'open'; readonly file: string; readonly rows: readonly string[] }
  /** Row `row` (0-based) now reads `text`, and the caret stands at its end. */
  | { readonly at: number; readonly type: 'row'; readonly row: number; readonly text: string }
  | { readonly at: number; readonly type: 'insert'; readonly row: number }
  | { readonly at: number; readonly type: 'remove'; readonly row: number }
  /** Marks a row as the one being looked at; `null`: none. */
  | { readonly at: number; readonly type: 'mark'; readonly row: number | null }
  | { readonly at: number; readonly type: 'print'; readonly text: string; readonly tone: Tone }
  /** The terminal's prompt line now reads `text`; the next `print` comes after it. */
  | { readonly at: number; readonly type: 'prompt'; readonly text: string }

export type StepStatus = 'waiting' | 'doing' | 'done' | 'failed'
export type Tone = 'plain' | 'dim' | 'good' | 'bad' | 'strong'

export interface SceneScript {
  readonly title: string
  readonly steps: readonly string[]
  readonly files: readonly string[]
  /** In order of `at`, milliseconds from the start of the loop. */
  readonly actions: readonly SceneAction[]
  /** When the loop starts over. */
  readonly length: number
}

const totalFile = 'total.ts'
const testFile = 'total.test.ts'

const totalBefore = [
  "import type { Cart, Discount, Line } from './cart'",
  '',
  '/** What the customer pays, in cents. */',
  'export function total(cart: Cart, discounts: Discount[]): number {',
  '  const net = cart.lines.reduce((sum, line) => sum + line.cents, 0)',
  '  const off = discounts.reduce((sum, discount) => sum + discount.cents, 0)',
  '  return net - off',
  '}',
]

const totalBody = [
  '  let sum = 0',
  '  for (const line of cart.lines) {',
  '    const price = line.cents * line.count',
  '    sum += Math.max(0, price - bestDiscount(line, discounts))',
  '  }',
  '  return sum',
]

const totalTail = [
  '',
  '/** One discount a line: the one that takes the most off. */',
  'function bestDiscount(line: Line, discounts: Discount[]): number {',
  '  const fitting = discounts.filter((discount) => discount.sku === line.sku)',
  '  return fitting.reduce((best, discount) => Math.max(best, discount.cents), 0)',
  '}',
]

const testBefore = [
  "import { expect, test } from 'bun:test'",
  "import { total } from './total'",
  '',
  "const mug = { sku: 'mug', cents: 1200, count: 2 }",
  "const pen = { sku: 'pen', cents: 300, count: 1 }",
  '',
  "test('adds up the lines', () => {",
  '  expect(total({ lines: [mug, pen] }, [])).toBe(2700)',
  '})',
]

const testTail = [
  '',
  "test('never pays the customer', () => {",
  "  const gift = { sku: 'pen', cents: 900 }",
  '  expect(total({ lines: [mug, pen] }, [gift])).toBe(2400)',
  '})',
]

const cases = [
  'cart › adds a line',
  'cart › adds the same line twice',
  'cart › removes a line',
  'cart › refuses a count below one',
  'address › reads a postcode',
  'address › refuses an empty street',
  'shipping › by weight',
  'shipping › free above 50.00',
  'shipping › two parcels',
  'tax › reduced rate for books',
  'tax › rounds half to even',
  'receipt › lists each line',
  'receipt › shows the tax',
  'total › adds up the lines',
]

/** mulberry32: small, seeded, good enough to make typing look human. */
function randomFrom(seed: number): () => number {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296
  }
}

/** Writes the whole loop for a seed. Pure. */
export function writeScript(seed = 7): SceneScript {
  const random = randomFrom(seed)
  const actions: SceneAction[] = []
  let at = 0

  const wait = (ms: number) => {
    at += ms
  }
  const step = (index: number, status: StepStatus) => actions.push({ at, type: 'step', step: index, status })
  const print = (text: string, tone: Tone = 'plain') => actions.push({ at, type: 'print', text, tone })
  const mark = (row: number | null) => actions.push({ at, type: 'mark', row })

  const typeRow = (row: number, text: string) => {
    const indent = text.length - text.trimStart().length
    for (let end = Math.min(indent + 1, text.length); end <= text.length; end++) {
      actions.push({ at, type: 'row', row, text: text.slice(0, end) })
      // A pause at the end of a word, short within it.
      at += text[end - 1] === ' ' ? 50 + random() * 70 : 22 + random() * 34
    }
    wait(110 + random() * 160)
  }
  const insertRows = (from: number, rows: readonly string[]) => {
    for (const [offset, text] of rows.entries()) {
      actions.push({ at, type: 'insert', row: from + offset })
      typeRow(from + offset, text)
    }
  }
  const run = (command: string) => {
    for (let end = 1; end <= command.length; end++) {
      actions.push({ at, type: 'prompt', text: command.slice(0, end) })
      at += 26 + random() * 36
    }
    wait(260)
    print(`$ ${command}`, 'strong')
    actions.push({ at, type: 'prompt', text: '' })
    wait(380)
  }
  const runCases = () => {
    for (const name of cases) {
      print(`✓ ${name}  ${(0.2 + random() * 3).toFixed(2)}ms`, 'good')
      wait(70 + random() * 130)
    }
  }

  actions.push({ at, type: 'open', file: totalFile, rows: totalBefore })
  print('footlight/checkout on main', 'dim')
  step(0, 'done')
  step(1, 'doing')
  wait(500)
  run('bun test src/checkout')
  runCases()
  print('✗ total › a discount on one line  0.41ms', 'bad')
  wait(200)
  print('  expected 2400, received 1800', 'bad')
  print(' 14 pass, 1 fail', 'strong')
  step(1, 'failed')
  wait(900)

  step(2, 'doing')
  for (const row of [4, 5, 6]) {
    mark(row)
    wait(650)
  }
  mark(null)
  step(2, 'done')
  step(3, 'doing')
  for (const row of [6, 5, 4]) {
    actions.push({ at, type: 'remove', row })
    wait(240)
  }
  insertRows(4, totalBody)
  insertRows(4 + totalBody.length + 1, totalTail)
  step(3, 'done')
  wait(600)

  step(4, 'doing')
  actions.push({ at, type: 'open', file: testFile, rows: testBefore })
  wait(700)
  insertRows(testBefore.length, testTail)
  wait(400)
  run('bun test src/checkout')
  runCases()
  print('✓ total › a discount on one line  0.38ms', 'good')
  wait(120)
  print('✓ total › never pays the customer  0.22ms', 'good')
  wait(160)
  print(' 16 pass, 0 fail', 'strong')
  step(1, 'done')
  step(4, 'done')
  wait(900)

  step(5, 'doing')
  run('git commit -am "Take discounts off line by line"')
  print('[main 4f1c2ab] Take discounts off line by line', 'plain')
  print(' 2 files changed, 15 insertions(+), 3 deletions(-)', 'dim')
  step(5, 'done')
  wait(4500)

  return {
    title: 'Fix the checkout total',
    steps: [
      'Read the report',
      'Run the checkout tests',
      'Find where it goes wrong',
      'Take discounts off by line',
      'Pin it with a test',
      'Commit',
    ],
    files: [totalFile, testFile],
    actions,
    length: Math.ceil(at),
  }
}
