import { chmod, mkdir, mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'

/** A shell program at `path` that ends as a worker does when it is probed: with code 41. */
export async function fakeWorker(path: string, body = 'exit 41'): Promise<string> {
  await mkdir(dirname(path), { recursive: true })
  await Bun.write(path, `#!/bin/sh\n${body}\n`)
  await chmod(path, 0o755)
  return path
}

export function newFolder(): Promise<string> {
  return mkdtemp(join(tmpdir(), 'footlight-worker-test-'))
}
