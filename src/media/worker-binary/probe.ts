import { access, constants, stat } from 'node:fs/promises'

/** What `mediasoup-worker` exits with when nobody gave it `MEDIASOUP_VERSION` (its main.cpp). */
const NO_VERSION_GIVEN = 41

/** A healthy worker answers in about 5 ms; a program that waits for something is not one. */
const DEADLINE_MS = 5_000

/**
 * Says why `file` is not a mediasoup worker that runs on this machine, or nothing when it is.
 * Started without `MEDIASOUP_VERSION` the worker exits at once with a code of its own, which
 * shows that it is the right program and that its libraries are there.
 */
export async function faultOf(file: string): Promise<string | undefined> {
  const found = await stat(file).catch(() => undefined)
  if (!found) return 'there is no such file'
  if (!found.isFile()) return 'it is not a file'
  const executable = await access(file, constants.X_OK).then(
    () => true,
    () => false,
  )
  if (!executable) return 'it is not executable'
  try {
    // With an empty environment, so that nothing of ours turns the probe into a real start.
    const process = Bun.spawn([file], { env: {}, stdio: ['ignore', 'ignore', 'ignore'], timeout: DEADLINE_MS })
    const code = await process.exited
    return code === NO_VERSION_GIVEN ? undefined : `started without arguments it exits with ${code}, a worker with 41`
  } catch (error) {
    return `it does not start (${error instanceof Error ? error.message : String(error)})`
  }
}
