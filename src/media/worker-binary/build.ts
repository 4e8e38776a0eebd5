import { mkdir, readdir, rename, rm, stat } from 'node:fs/promises'
import { availableParallelism } from 'node:os'
import { dirname, join } from 'node:path'
import type { MediasoupPackage } from './cache.ts'
import { faultOf } from './probe.ts'
import type { OnProgress } from './progress.ts'
import { generateFlatbuffers } from './recipe/flatbuffers.ts'
import { ninjaFile } from './recipe/ninja-file.ts'
import { buildSrtpWithOpenSsl, packagedSrtp } from './recipe/srtp.ts'
import { WorkerBinaryError } from './worker-binary-error.ts'

export interface BuildOptions {
  readonly mediasoup: MediasoupPackage
  /** Where the program goes. */
  readonly out: string
  readonly onProgress: OnProgress
}

/** A build folder that nothing was written to for so long was left by a build that was killed. */
const ABANDONED_MS = 60 * 60_000

/**
 * Builds mediasoup's worker from the source inside the npm package against Debian 12's
 * libraries: `recipe/` says what differs from the package's own build, which downloads its
 * libraries. The program is tried before it arrives at `out`, and arrives there whole.
 */
export async function buildWorker({ mediasoup, out, onProgress }: BuildOptions): Promise<void> {
  const folder = dirname(out)
  const worker = join(mediasoup.folder, 'worker')
  const build = `${out}.build-${process.pid}-${Date.now()}`
  const messages = join(build, 'FBS')
  await removeAbandoned(folder)
  await mkdir(build, { recursive: true })
  try {
    onProgress({ doing: "preparing the worker's build" })
    await generateFlatbuffers(worker, messages)
    onProgress({ doing: 'building libsrtp with OpenSSL' })
    const srtp = await buildSrtpWithOpenSsl(join(build, 'srtp'))
    if (!srtp)
      onProgress({ doing: 'no source package of libsrtp2 in apt: using the packaged library, which is slower' })
    const file = await ninjaFile({ worker, build, messages, srtp: srtp ?? packagedSrtp })
    await Bun.write(join(build, 'build.ninja'), file)
    await compile(build, onProgress)
    const program = join(build, 'mediasoup-worker')
    const fault = await faultOf(program)
    if (fault !== undefined) throw new WorkerBinaryError(`The worker was built, but ${fault}.`)
    await rename(program, out)
  } catch (error) {
    if (error instanceof WorkerBinaryError) throw error
    throw new WorkerBinaryError(`mediasoup's worker could not be built: ${reasonOf(error)}`)
  } finally {
    await rm(build, { recursive: true, force: true })
  }
}

/** Runs ninja and tells each finished file; a failure's output goes into the error. */
async function compile(build: string, onProgress: OnProgress): Promise<void> {
  const ninja = Bun.spawn(['ninja', '-C', build, '-j', String(availableParallelism())], {
    env: { ...process.env, NINJA_STATUS: '[%f/%t] ' },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const errors = new Response(ninja.stderr).text()
  const output: string[] = []
  let rest = ''
  for await (const chunk of ninja.stdout.pipeThrough(new TextDecoderStream())) {
    const lines = (rest + chunk).split('\n')
    rest = lines.pop() ?? ''
    for (const line of lines) {
      const [, done, all] = /^\[(\d+)\/(\d+)\] /.exec(line) ?? []
      if (done === undefined || all === undefined) output.push(line)
      else onProgress({ doing: `compiling mediasoup's worker ${done}/${all}`, fraction: Number(done) / Number(all) })
    }
  }
  if ((await ninja.exited) === 0) return
  // ninja prints a failed command in full, with its output: the end of it says what is wrong.
  const said = [...output, await errors].join('\n').trim().split('\n')
  throw new WorkerBinaryError(
    `mediasoup's worker could not be built; the compiler said:\n${said.slice(-30).join('\n')}`,
  )
}

async function removeAbandoned(folder: string): Promise<void> {
  const names = await readdir(folder).catch(() => [])
  for (const name of names.filter((name) => name.includes('.build-'))) {
    const path = join(folder, name)
    const times = await Promise.all([path, join(path, 'obj')].map((each) => stat(each).catch(() => undefined)))
    const last = Math.max(...times.map((each) => each?.mtimeMs ?? 0))
    if (Date.now() - last > ABANDONED_MS) await rm(path, { recursive: true, force: true })
  }
}

/** Bun's shell puts what a command said beside its message. */
function reasonOf(error: unknown): string {
  const said = (error as { stderr?: Uint8Array }).stderr
  const text = said ? new TextDecoder().decode(said).trim() : ''
  return text || (error instanceof Error ? error.message : String(error))
}
