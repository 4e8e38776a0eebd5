import { type Config, loadConfig } from '../../config.ts'
import { type Desk, type DeskStatus, startDesk } from '../../desk/desk.ts'
import { CommandError } from '../command-error.ts'
import { longStep } from '../setup/long-step.ts'
import { runCheck } from './check.ts'
import { createDemoStream } from './demo-stream.ts'
import { freePort } from './free-port.ts'
import { endSignals, type ServerProcess, serverReady, startServerProcess } from './server-process.ts'
import { pause } from './until.ts'

const startLimit = 60_000
const endLimit = 5000

const statusWords: Record<DeskStatus, string> = {
  opening: 'is opening its browser',
  connecting: 'is connecting',
  on_air: 'is on air',
  not_encoding: 'is connected and rests: nobody watches',
  waiting: 'waits for the server',
  stopping: 'is stopping',
  stopped: 'has stopped',
}

/**
 * `footlight demo`: a server as a child process, a stream of the person `demo`, and a desk that
 * publishes the scene, until Ctrl-C. With `check`, what {@link runCheck} does instead. Resolves with
 * the exit code.
 */
export function runDemo(options: { check?: number }): Promise<number> {
  return options.check === undefined ? runLive() : runCheck(options.check)
}

async function runLive(): Promise<number> {
  const environment = { ...process.env }
  if (loadConfig(environment).port === 0) environment.FOOTLIGHT_PORT = String(await freePort())
  const config = loadConfig(environment)
  const origin = localOrigin(config)
  const asked = new AbortController()
  let server: ServerProcess | undefined
  let desk: Desk | undefined

  const onSignal = () => {
    if (!asked.signal.aborted) {
      console.error('footlight: stopping (Ctrl-C again: at once)')
      asked.abort(new CommandError('The demo was stopped.'))
      return
    }
    void server?.kill()
    process.exit(130)
  }
  for (const signal of endSignals) process.on(signal, onSignal)

  try {
    const step = longStep('waiting for the server')
    try {
      server = startServerProcess({ environment, onOutput: (text) => step.aside(text) })
      await serverReady(server, origin, startLimit, asked.signal)
      step.done()
    } finally {
      step[Symbol.dispose]()
    }
    const demo = await createDemoStream(config, origin)
    desk = startDesk({
      streamUrl: demo.streamUrl,
      publish: demo.publish,
      renew: demo.renew,
      onStatus: (status, sentence) =>
        console.error(`footlight: the desk ${statusWords[status]}${sentence === null ? '' : ` (${sentence})`}`),
    })
    console.log(`Watch it: ${demo.pageUrl}`)
    console.log(`Embedded: ${demo.embedUrl}`)
    console.log('Ctrl-C ends the stream and stops everything.')

    const why = await Promise.race([
      desk.done.then((outcome) => outcome.sentence),
      server.exited.then(() => `The server ended by itself. It said:\n${server?.lastLines()}`),
      aborted(asked.signal).then(() => null),
    ])
    if (why !== null) throw new CommandError(why)
    await Promise.race([desk.end().catch(() => undefined), pause(endLimit, AbortSignal.timeout(endLimit * 2))])
    return 0
  } catch (error) {
    if (asked.signal.aborted) return 0
    throw error
  } finally {
    // In the order in which they lean on each other.
    await desk?.stop()
    await server?.stop()
    for (const signal of endSignals) process.off(signal, onSignal)
  }
}

/** Where this machine reaches a server with that configuration. */
function localOrigin({ host, port }: Config): string {
  const address = host === '0.0.0.0' || host === '::' ? '127.0.0.1' : host
  return `http://${address.includes(':') ? `[${address}]` : address}:${port}`
}

function aborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve()
    else signal.addEventListener('abort', () => resolve(), { once: true })
  })
}
