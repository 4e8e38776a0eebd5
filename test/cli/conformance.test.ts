import { expect, test } from 'bun:test'
import { conformance } from '../../src/cli/conformance.ts'
import { whepSuite, whipSuite } from '../../src/conformance/suites.ts'
import { type Fault, startStandIn } from '../conformance/stand-in.ts'

async function run(fault: Fault | null, options: { whep?: boolean; json?: boolean } = {}) {
  const standIn = startStandIn(fault)
  const lines: string[] = []
  const code = await conformance(
    {
      whip: standIn.url('whip'),
      token: standIn.token,
      ...(options.whep === true ? { whep: standIn.url('whep'), whepToken: standIn.token } : {}),
      ...(options.json === true ? { json: true } : {}),
    },
    (line) => lines.push(line),
  )
  await standIn.stop()
  return { code, lines }
}

test('a server that does all of it: a line for each check, a summary, exit code 0', async () => {
  const { code, lines } = await run(null)
  expect(code).toBe(0)
  expect(lines.length).toBe(1 + whipSuite.length + 1)
  expect(lines[0]).toMatch(/^WHIP http:\/\/127\.0\.0\.1:\d+\/whip$/)
  expect(lines.slice(1, -1).filter((line) => !/^ {2}passed {3}(RFC|draft)\S* .*section [\d.]+ +\S/.test(line))).toEqual(
    [],
  )
  expect(lines.at(-1)).toBe(`WHIP: ${whipSuite.length} passed, 0 failed, 0 skipped`)
})

test('a server with a fault: its line says what it did, exit code 1', async () => {
  const { code, lines } = await run('no If-Match 200', { whep: true })
  expect(code).toBe(1)
  expect(lines.filter((line) => line.startsWith('  failed'))).toEqual([
    '  failed   RFC 9725 section 4.3.2                  PATCH without If-Match: 428. It answers 204.',
    '  failed   draft-ietf-wish-whep-03 section 4.4.1   PATCH without If-Match: 428. It answers 204.',
  ])
  expect(lines.slice(-2)).toEqual([
    `WHIP: ${whipSuite.length - 1} passed, 1 failed, 0 skipped`,
    `WHEP: ${whepSuite.length + 1 - 3} passed, 1 failed, 2 skipped`,
  ])
})

test('as JSON', async () => {
  const { code, lines } = await run('ETag unquoted', { json: true })
  expect([code, lines.length]).toEqual([1, 1])
  const { conforms, suites } = JSON.parse(lines[0] ?? '')
  expect([conforms, suites.length, suites[0].suite, suites[0].document]).toEqual([false, 1, 'WHIP', 'RFC 9725'])
  const etag = suites[0].results.find(({ id }: { id: string }) => id === 'etag')
  expect(Object.keys(etag).sort()).toEqual(['id', 'outcome', 'says', 'section', 'why'])
  expect([etag.outcome, etag.section]).toEqual(['failed', 'RFC 9725 section 4.3.1'])
  expect(etag.why).toContain('no strong entity tag')
})

test('a server that is not there: every check says so, exit code 1', async () => {
  const standIn = startStandIn(null)
  const url = standIn.url('whip')
  await standIn.stop()
  const lines: string[] = []
  expect(await conformance({ whip: url, token: 'x' }, (line) => lines.push(line))).toBe(1)
  expect(lines.at(-1)).toMatch(/^WHIP: 0 passed, \d+ failed, 0 skipped$/)
})
