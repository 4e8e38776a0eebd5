import { expect, test } from 'bun:test'
import { existsSync, readdirSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { CheckReport } from '../../src/cli/demo/check.ts'

const root = join(import.meta.dir, '../..')
const seconds = 15

const leftOver = () => readdirSync(tmpdir()).filter((name) => name.startsWith('footlight-check-'))

test('demo --check: a picture, a curtain that holds, and a server that was killed', async () => {
  const before = leftOver()
  const child = Bun.spawn([process.execPath, 'src/cli/main.ts', 'demo', '--check', String(seconds)], {
    cwd: root,
    stdin: 'ignore',
    stdout: 'pipe',
    stderr: 'pipe',
  })
  const [output, notes, code] = await Promise.all([
    new Response(child.stdout).text(),
    new Response(child.stderr).text(),
    child.exited,
  ])
  // Exactly one JSON object; a check that failed shows its sentences here.
  const report = JSON.parse(output) as CheckReport
  expect(report.failed ?? []).toEqual([])
  expect(report.ok).toBe(true)
  expect(code).toBe(0)
  expect(report.frames_decoded).toBeGreaterThan(seconds * 5)
  expect(report.frames_while_up).toBe(0)
  expect(report.packets_while_up).toBe(0)
  for (const figure of [
    'glass_to_glass_p50_ms',
    'glass_to_glass_p95_ms',
    'glass_to_glass_max_ms',
    'curtain_ms',
    'restart_to_ready_ms',
    'restart_to_picture_ms',
  ] as const) {
    expect(report[figure]).toBeNumber()
  }
  expect(output + notes).not.toMatch(/w[pv]t_[\w-]{20,}/)
  expect(leftOver().filter((name) => !before.includes(name) && existsSync(join(tmpdir(), name)))).toEqual([])
}, 180_000)
