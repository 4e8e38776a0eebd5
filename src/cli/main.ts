import { Command, InvalidArgumentError } from 'commander'
import packageJson from '../../package.json' with { type: 'json' }
import { sentencesOf } from './sentences.ts'

/** What `token` grants when nothing else is asked for: to put agents' screens on air. */
const PUBLISH = 'live.agent_stream.publish'

// Every command is imported when it runs, so that `--help` and the small ones start at once.
const program = new Command('footlight')
  .description("Puts an AI agent's screen on air.")
  .version(packageJson.version)
  .showHelpAfterError('(footlight --help lists what there is)')

program
  .command('up')
  .description('run the server')
  .action(async () => finish(await (await import('./up.ts')).up()))

program
  .command('demo')
  .description('run the server and a demo desk, and print the address to watch')
  .option('--check <seconds>', 'watch it in a headless browser for so long, and print what was measured', wholeNumber)
  .option('--port <port>', 'the port of the server', wholeNumber)
  .action(async (options: { check?: number; port?: number }) => {
    const { prepare } = await import('./setup/prepare.ts')
    await prepare(['worker', 'browser'])
    if (options.port !== undefined) process.env.FOOTLIGHT_PORT = String(options.port)
    const { runDemo } = await import('./demo/demo.ts')
    finish(await runDemo(options.check === undefined ? {} : { check: options.check }))
  })

program
  .command('test')
  .description('run every check and every test, or the named groups, files and folders of tests')
  .argument('[what...]', 'unit, store, api, faults, browser, clients, or paths under test/')
  .action(async (what: string[]) => finish(await (await import('./test.ts')).test(what)))

program
  .command('doctor')
  .description('say what is present, what is missing and how to get it')
  .action(async () => finish(await (await import('./doctor.ts')).doctor()))

program
  .command('statecharts')
  .description('write docs/statecharts.md and its pictures anew, from the state machines')
  .action(async () => finish(await (await import('./statecharts/statecharts.ts')).statecharts()))

const person = program.command('person').description('add people, and print links that sign them in')
person
  .command('add')
  .description('add a person, and print a sign-in link that works once')
  .argument('<handle>')
  .action(async (handle: string) => finish(await (await import('./person.ts')).addPerson(handle)))
person
  .command('link')
  .description('print another sign-in link for a person who is there')
  .argument('<handle>')
  .action(async (handle: string) => finish(await (await import('./person.ts')).linkPerson(handle)))

program
  .command('token')
  .description('print a service token')
  .option('--person <handle>', 'the person that it acts for')
  .option('--as <name>', 'the name of the service')
  .option('--capability <name...>', 'what it may do', [PUBLISH])
  .option('--minutes <minutes>', 'how long it is good for', wholeNumber, 60)
  .action(async (options: { person?: string; as?: string; capability: string[]; minutes: number }) =>
    finish(await (await import('./token.ts')).mintToken(options)),
  )

program
  .command('conformance')
  .description('run the suites of RFC 9725 (WHIP) and WHEP against endpoints of whatever server')
  .option('--whip <url>', 'the WHIP endpoint')
  .option('--token <token>', 'the bearer token for it')
  .option('--whep <url>', 'the WHEP endpoint; with --whip of the same stream, which is published to')
  .option('--whep-token <token>', 'the bearer token for it')
  .option('--json', 'print the report as JSON')
  .action(async (options: { whip?: string; token?: string; whep?: string; whepToken?: string; json?: boolean }) =>
    finish(await (await import('./conformance.ts')).conformance(options)),
  )

try {
  await program.parseAsync()
} catch (error) {
  const sentences = sentencesOf(error)
  for (const sentence of sentences ?? []) console.error(`footlight: ${sentence}`)
  // What nobody foresaw is a bug here: its stack trace is what a report of it needs.
  if (!sentences) console.error(error)
  process.exit(1)
}

/** Ends the process even when a command left something open; output is flushed by then. */
function finish(code: number): never {
  process.exit(code)
}

function wholeNumber(text: string): number {
  if (!/^[1-9]\d{0,8}$/.test(text)) throw new InvalidArgumentError('It must be a whole number above 0.')
  return Number(text)
}
