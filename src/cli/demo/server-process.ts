import { join } from 'node:path'
import { CommandError } from '../command-error.ts'
import { pause, until } from './until.ts'

/** The server as a child process, in a process group of its own. */
export interface ServerProcess {
  readonly pid: number
  /** Resolves with the exit code, or `null` when a signal ended it. */
  readonly exited: Promise<number | null>
  /** The last lines that it wrote, for a report of what went wrong. */
  lastLines(): string
  /** SIGTERM, and SIGKILL to its whole group when that does not help. Idempotent. */
  stop(): Promise<void>
  /** SIGKILL to the server alone, as a crash would be; then to what is left of its group. */
  kill(): Promise<void>
}

export interface ServerSettings {
  readonly environment: Record<string, string | undefined>
  /** What the server writes, as it writes it. */
  readonly onOutput?: (text: string) => void
}

/** What asks a command to end. The server has a group of its own: a closed terminal does not reach it. */
export const endSignals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const

const root = join(import.meta.dir, '../../..')
const keptOutput = 8000
const stopLimit = 8000

/** Starts `footlight up` as a child. A Ctrl-C at the terminal does not reach it: its group is its own. */
export function startServerProcess({ environment, onOutput }: ServerSettings): ServerProcess {
  const child = Bun.spawn([process.execPath, join(root, 'src/cli/main.ts'), 'up'], {
    cwd: root,
    env: environment,
    stdin: 'ignore',
    stdout: 'pipe',
    stderr: 'pipe',
    detached: true,
  })
  let output = ''
  for (const stream of [child.stdout, child.stderr]) {
    void (async () => {
      const decoder = new TextDecoder()
      for await (const chunk of stream) {
        const text = decoder.decode(chunk, { stream: true })
        output = (output + text).slice(-keptOutput)
        onOutput?.(text)
      }
    })()
  }
  const exited = child.exited.then(() => child.exitCode)

  const killGroup = () => {
    try {
      // Its own group alone: the child was made its leader.
      process.kill(-child.pid, 'SIGKILL')
    } catch {
      // Nobody is left in it.
    }
  }
  let stopping: Promise<void> | undefined
  const stop = async () => {
    if (child.exitCode === null && child.signalCode === null) {
      child.kill('SIGTERM')
      const timer = setTimeout(() => child.kill('SIGKILL'), stopLimit)
      await exited
      clearTimeout(timer)
    }
    killGroup()
  }
  return {
    pid: child.pid,
    exited,
    lastLines: () => output.trim(),
    stop() {
      stopping ??= stop()
      return stopping
    },
    async kill() {
      child.kill('SIGKILL')
      await exited
      killGroup()
    },
  }
}

/** Waits for `GET /readyz` 200. Rejects at once, with what it wrote, when the server ends instead. */
export async function serverReady(
  server: ServerProcess,
  origin: string,
  limit: number,
  signal: AbortSignal,
): Promise<void> {
  let ended = false
  void server.exited.then(() => {
    ended = true
  })
  await until({ what: `the server at ${origin} to be ready`, limit, every: 50, signal }, async () => {
    if (ended) {
      await pause(100, signal) // its last lines may still be on their way
      throw new CommandError(`The server did not start. It said:\n${server.lastLines()}`)
    }
    const answer = await fetch(new URL('/readyz', origin), { signal: AbortSignal.timeout(1000) }).catch(() => null)
    return answer?.status === 200 ? true : undefined
  })
}
