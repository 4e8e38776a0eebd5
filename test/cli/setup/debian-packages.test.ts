import { describe, expect, test } from 'bun:test'
import { chmod, mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { installCommand } from '../../../src/cli/setup/debian-packages.ts'

const module = resolve(import.meta.dir, '../../../src/cli/setup/debian-packages.ts')

interface Machine {
  /** Programs on PATH, by their shell text. */
  readonly programs: Readonly<Record<string, string>>
  readonly root?: boolean
}

/** Installs what is missing of the browser's packages on a machine that has these programs only. */
async function installOn({ programs, root = true }: Machine) {
  const folder = await mkdtemp(join(tmpdir(), 'footlight-debian-'))
  await chmod(folder, 0o777)
  for (const [name, text] of Object.entries(programs)) {
    await Bun.write(join(folder, name), `#!/bin/sh\n${text}\n`)
    await chmod(join(folder, name), 0o755)
  }
  const script = `
    process.getuid = () => ${root ? 0 : 1000}
    const { browserPackages, installMissing } = await import(${JSON.stringify(module)})
    await installMissing([browserPackages]).then(() => console.log('installed'), (error) => console.log(error.name + ': ' + error.message))`
  const run = Bun.spawn([process.execPath, '-e', script], {
    env: { PATH: folder, LOG: join(folder, 'log') },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const [out, err] = await Promise.all([new Response(run.stdout).text(), new Response(run.stderr).text()])
  const log = Bun.file(join(folder, 'log'))
  return { out: out.trim(), err, apt: (await log.exists()) ? (await log.text()).trim().split('\n') : [] }
}

const apt = { 'apt-get': 'echo "$DEBIAN_FRONTEND $*" >> "$LOG"' }
const nothingInstalled = { 'dpkg-query': 'echo "dpkg-query: no packages found" >&2; exit 1' }

describe('packages that are missing', () => {
  test('root gets them installed, and hears of it', async () => {
    const { out, err, apt: calls } = await installOn({ programs: { ...apt, ...nothingInstalled } })
    expect(out).toBe('installed')
    expect(calls).toEqual([
      'noninteractive -o DPkg::Lock::Timeout=300 update',
      'noninteractive -o DPkg::Lock::Timeout=300 install -y --no-install-recommends chromium ffmpeg',
    ])
    expect(err).toContain('footlight: apt-get install chromium ffmpeg')
  })

  test('only those are installed that are neither a program on PATH nor a package', async () => {
    const { apt: calls } = await installOn({
      programs: { ...apt, ...nothingInstalled, chromium: 'exit 0' },
    })
    expect(calls.at(-1)).toEndWith('--no-install-recommends ffmpeg')
    const none = await installOn({
      programs: { ...apt, chromium: 'exit 0', 'dpkg-query': "echo 'installed ffmpeg'; echo 'not-installed chromium'" },
    })
    expect(none.out).toBe('installed')
    expect(none.apt).toEqual([])
  })

  test('another user gets the exact command, and nothing is run', async () => {
    const { out, apt: calls } = await installOn({ programs: { ...apt, ...nothingInstalled }, root: false })
    expect(out).toBe(
      `CommandError: chromium, ffmpeg must be installed for the demo and the tests. Run: ${installCommand(['chromium', 'ffmpeg'])}`,
    )
    expect(calls).toEqual([])
  })

  test('a system without apt is told what to install', async () => {
    const { out } = await installOn({ programs: {} })
    expect(out).toStartWith(
      'CommandError: For the demo and the tests there must be what Debian calls chromium, ffmpeg: install',
    )
  })

  test('what apt says when it fails is passed on', async () => {
    const broken = { 'apt-get': 'echo "E: Unable to locate package chromium" >&2; exit 100' }
    const { out } = await installOn({ programs: { ...broken, ...nothingInstalled } })
    expect(out).toContain('CommandError: apt-get update failed')
    expect(out).toContain('E: Unable to locate package chromium')
  })
})
