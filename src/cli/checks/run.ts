/** How long the output may still come when the command itself has ended. */
const OUTPUT_GRACE_MS = 2_000

/** One command to run for a check. */
export interface Run {
  readonly command: readonly string[]
  readonly cwd: string
  readonly env?: Readonly<Record<string, string | undefined>>
  /** How long it may take, in ms. */
  readonly timeout: number
  /** Told of the output as it comes, stdout and stderr alike. */
  readonly onOutput?: (text: string) => void
}

export interface RunResult {
  readonly ok: boolean
  /** Its end in words where it did not exit with 0. */
  readonly fault?: string
  readonly output: string
}

/**
 * Runs a command to its end, or kills it and everything that it started when its time is over.
 * It runs in a process group of its own for that; a signal to end, which then does not reach
 * it by itself, is passed on.
 */
export async function run({ command, cwd, env, timeout, onOutput }: Run): Promise<RunResult> {
  const child = Bun.spawn([...command], {
    cwd,
    env: env ?? process.env,
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: true,
  })
  let late = false
  const killAll = () => killGroup(child.pid)
  const timer = setTimeout(() => {
    late = true
    killAll()
  }, timeout)
  const onSignal = () => {
    killAll()
    process.exit(130)
  }
  process.on('SIGINT', onSignal)
  process.on('SIGTERM', onSignal)
  try {
    const parts: string[] = []
    const read = async (stream: ReadableStream<Uint8Array<ArrayBuffer>>) => {
      for await (const text of stream.pipeThrough(new TextDecoderStream())) {
        parts.push(text)
        onOutput?.(text)
      }
    }
    const reading = Promise.all([read(child.stdout), read(child.stderr)])
    const code = await child.exited
    // What it left running would be in the way of the next check, and may hold its output open
    // even from a process group of its own: nobody waits for that for ever.
    killAll()
    await Promise.race([reading, Bun.sleep(OUTPUT_GRACE_MS)])
    const output = parts.join('')
    if (late) return { ok: false, fault: `it was stopped after ${timeout / 1000} s`, output }
    return code === 0 ? { ok: true, output } : { ok: false, fault: `exit code ${code}`, output }
  } finally {
    clearTimeout(timer)
    process.off('SIGINT', onSignal)
    process.off('SIGTERM', onSignal)
  }
}

function killGroup(leader: number): void {
  try {
    process.kill(-leader, 'SIGKILL')
  } catch {
    // Nobody of the group is left.
  }
}
