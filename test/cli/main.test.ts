import { expect, test } from 'bun:test'
import { resolve } from 'node:path'
import packageJson from '../../package.json' with { type: 'json' }

const root = resolve(import.meta.dir, '../..')

async function footlight(args: string[], env: Record<string, string | undefined> = {}) {
  const run = Bun.spawn([process.execPath, 'src/cli/main.ts', ...args], {
    cwd: root,
    env: { ...process.env, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const [out, err, code] = await Promise.all([
    new Response(run.stdout).text(),
    new Response(run.stderr).text(),
    run.exited,
  ])
  return { out, err, code }
}

test('--help lists every command', async () => {
  const { out, code } = await footlight(['--help'])
  expect(code).toBe(0)
  const listed = [...out.matchAll(/^ {2}([a-z]+)(?= |$)/gm)].map(([, name]) => name)
  expect(listed).toEqual(['up', 'demo', 'test', 'doctor', 'statecharts', 'person', 'token', 'conformance', 'help'])
})

test('--version is that of package.json', async () => {
  expect(await footlight(['--version'])).toEqual({ out: `${packageJson.version}\n`, err: '', code: 0 })
})

const mistakes: readonly (readonly [args: string[], sentence: string])[] = [
  [['onair'], "error: unknown command 'onair'"],
  [['up', '--fast'], "error: unknown option '--fast'"],
  [['up', 'now'], 'too many arguments'],
  [['demo', '--check', 'soon'], 'It must be a whole number above 0.'],
  [['token', '--minutes', '0'], 'It must be a whole number above 0.'],
  [['conformance'], 'footlight: Say what to run against: --whip URL, --whep URL, or both.'],
  [['conformance', '--whip', 'live.example'], 'footlight: --whip must be an address such as https://'],
  [['conformance', '--whep', 'ftp://live.example/whep'], 'footlight: --whep must be an address such as https://'],
  [['person', 'add'], "error: missing required argument 'handle'"],
  [['test', 'nonsense'], 'footlight: There is no nonsense: name a path under test/, or one of unit, '],
]
for (const [args, sentence] of mistakes) {
  test(`footlight ${args.join(' ')}: a sentence and exit code 1`, async () => {
    const { out, err, code } = await footlight(args)
    expect(err).toContain(sentence)
    expect(err).not.toContain('    at ')
    expect(out).toBe('')
    expect(code).toBe(1)
  })
}

test('a worker that is none is told in one sentence, without a stack trace', async () => {
  const { err, code } = await footlight(['test', 'store'], { MEDIASOUP_WORKER_BIN: '/nowhere/worker' })
  expect(err).toBe(
    'footlight: MEDIASOUP_WORKER_BIN is /nowhere/worker, but there is no such file: correct it, or unset it and Footlight finds or builds one.\n',
  )
  expect(code).toBe(1)
})
