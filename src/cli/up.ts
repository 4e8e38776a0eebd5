import { prepare } from './setup/prepare.ts'

/**
 * `footlight up`: runs the server until SIGINT or SIGTERM, then stops it in order and answers
 * exit code 0. A second signal ends the process at once.
 */
export async function up(): Promise<number> {
  const [{ loadConfig }, { startServer }] = await Promise.all([import('../config.ts'), import('../main.ts')])
  loadConfig(process.env) // a wrong setting is said before a build of five minutes, not after
  await prepare(['worker'])
  const stopAsked = stopSignal()
  const server = await startServer(loadConfig(process.env))
  console.log(`Footlight is ready at ${server.url}`)
  await stopAsked
  console.log('Footlight is stopping')
  await server.stop()
  return 0
}

/**
 * Resolves at the first signal. The handlers stay: mediasoup has some of its own, with which
 * the default, to end, is gone.
 */
function stopSignal(): Promise<void> {
  return new Promise((resolve) => {
    let asked = false
    const onSignal = () => {
      if (asked) process.exit(1)
      asked = true
      resolve()
    }
    process.on('SIGINT', onSignal)
    process.on('SIGTERM', onSignal)
  })
}
