import { describe, expect, test } from 'bun:test'
import { mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { add, readSummary, tallyLine } from '../../../src/cli/checks/tally.ts'

test('the closing line names what was skipped only when something was', () => {
  expect(tallyLine({ passed: 3, failed: 0, skipped: 0 })).toBe('3 passed, 0 failed')
  expect(tallyLine({ passed: 3, failed: 1, skipped: 2 })).toBe('3 passed, 1 failed, 2 skipped')
})

test('tallies add up', () => {
  const sum = add({ passed: 1, failed: 2, skipped: 3 }, { passed: 10, failed: 20, skipped: 30 })
  expect(sum).toEqual({ passed: 11, failed: 22, skipped: 33 })
})

describe('the summary of bun test', () => {
  /** What this very bun prints for a folder with these test files. */
  async function outputFor(files: Record<string, string>): Promise<string> {
    const folder = await mkdtemp(join(tmpdir(), 'footlight-tally-'))
    for (const [name, text] of Object.entries(files)) await Bun.write(join(folder, name), text)
    const run = Bun.spawn([process.execPath, 'test', '--only-failures'], { cwd: folder, stderr: 'pipe' })
    const [out, err] = await Promise.all([new Response(run.stdout).text(), new Response(run.stderr).text()])
    return out + err
  }

  test('counts each kind of outcome', async () => {
    const output = await outputFor({
      'a.test.ts': `import { expect, test } from 'bun:test'
        test('passes', () => {})
        test('passes too', () => {})
        test('fails', () => expect(1).toBe(2))
        test.skip('skipped', () => {})
        test.todo('to do')`,
    })
    expect(readSummary(output)).toEqual({ passed: 2, failed: 1, skipped: 2 })
  })

  test('counts a file that cannot be loaded as a failure', async () => {
    const output = await outputFor({ 'a.test.ts': "import './nothing.ts'" })
    expect(readSummary(output)).toEqual({ passed: 0, failed: 1, skipped: 0 })
  })

  test('is not taken from what a test printed', async () => {
    const output = await outputFor({
      'a.test.ts': `import { test } from 'bun:test'
        test('prints', () => console.log('\\n 7 pass\\n 5 fail\\n'))`,
    })
    expect(readSummary(output)).toEqual({ passed: 1, failed: 0, skipped: 0 })
  })

  test('is absent when the run did not get to its end', async () => {
    const output = await outputFor({
      'a.test.ts': "import { test } from 'bun:test'\ntest('dies', () => process.kill(process.pid, 'SIGKILL'))",
    })
    expect(readSummary(output)).toBeUndefined()
  })
})
