import { join } from 'node:path'

export interface Script extends AsyncDisposable {
  readonly pid: number
  /** The next line it prints. Rejects when it ends before. */
  line(): Promise<string>
  /** All that it printed and nobody read yet, once it has ended. */
  rest(): Promise<string[]>
  /** SIGKILL; resolves when the process is gone. */
  kill(): Promise<void>
}

/** Runs a script of this folder as a process of its own. */
export function spawnScript(script: string, args: readonly string[]): Script {
  const child = Bun.spawn([process.execPath, join(import.meta.dir, script), ...args], {
    stdin: 'ignore',
    stdout: 'pipe',
    stderr: 'inherit',
  })
  const lines = linesOf(child.stdout)
  const kill = async () => {
    child.kill('SIGKILL')
    await child.exited
  }
  return {
    pid: child.pid,
    async line() {
      const next = await lines.next()
      if (next.done) throw new Error(`${script} ended without another line`)
      return next.value
    },
    async rest() {
      return await Array.fromAsync(lines)
    },
    kill,
    [Symbol.asyncDispose]: kill,
  }
}

/** Whole lines only: what a killed process began to print does not count as said. */
async function* linesOf(stream: ReadableStream<Uint8Array>): AsyncGenerator<string, void> {
  const decoder = new TextDecoder()
  let open = ''
  for await (const chunk of stream) {
    const parts = (open + decoder.decode(chunk, { stream: true })).split('\n')
    open = parts.pop() ?? ''
    yield* parts
  }
}
