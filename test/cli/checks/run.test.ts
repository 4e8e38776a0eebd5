import { expect, test } from 'bun:test'
import { run } from '../../../src/cli/checks/run.ts'

const cwd = import.meta.dir
const timeout = 20_000

test('a command that ends with 0 is ok, and its output comes whole and as it comes', async () => {
  const heard: string[] = []
  const result = await run({
    command: ['sh', '-c', 'echo out; echo err >&2'],
    cwd,
    timeout,
    onOutput: (text) => heard.push(text),
  })
  expect(result.ok).toBe(true)
  expect(result.output.split('\n').sort()).toEqual(['', 'err', 'out'])
  expect(heard.join('')).toBe(result.output)
})

test('a command that fails says its exit code', async () => {
  expect(await run({ command: ['sh', '-c', 'exit 7'], cwd, timeout })).toEqual({
    ok: false,
    fault: 'exit code 7',
    output: '',
  })
})

test('a command that takes too long is killed with all that it started', async () => {
  const result = await run({ command: ['sh', '-c', 'sleep 60 & echo $!; wait'], cwd, timeout: 300 })
  expect(result.fault).toBe('it was stopped after 0.3 s')
  expect(await isGone(Number(result.output.trim()))).toBe(true)
})

test('what a command left running is ended with it', async () => {
  const result = await run({ command: ['sh', '-c', 'sleep 60 & echo $!'], cwd, timeout })
  expect(result.ok).toBe(true)
  expect(await isGone(Number(result.output.trim()))).toBe(true)
})

/** Whether a process has ended; one that nobody has waited for yet (a zombie) has. */
async function isGone(pid: number): Promise<boolean> {
  expect(pid).toBeGreaterThan(1)
  for (let tries = 0; tries < 100; tries++) {
    const status = await Bun.file(`/proc/${pid}/stat`)
      .text()
      .catch(() => '')
    if (status === '' || / Z /.test(status)) return true
    await Bun.sleep(20)
  }
  return false
}
