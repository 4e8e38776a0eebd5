import { createSocket } from 'node:dgram'
import { constants } from 'node:fs'
import { access, stat } from 'node:fs/promises'
import { createServer } from 'node:net'
import { dirname, join, resolve } from 'node:path'
import packageJson from '../../../package.json' with { type: 'json' }
import { type Config, ConfigError, loadConfig } from '../../config.ts'
import { locateWorker } from '../../media/worker-binary/find.ts'
import {
  browserPackages,
  installCommand,
  missingPackages,
  programOf,
  type WantedPackage,
  workerBuildPackages,
} from './debian-packages.ts'
import { databaseName, postgresFault, testDatabaseUrl } from './postgres-answers.ts'

/** One line of what `footlight doctor` reports. */
export interface Finding {
  readonly name: string
  readonly state: 'present' | 'missing' | 'free' | 'in use' | 'unusable'
  /** Where it is, or how to get it: an exact command where there is one. */
  readonly detail: string
  /** Whether `footlight up` needs it; the rest is for the demo, the tests or a build. */
  readonly neededForUp: boolean
}

type Environment = Readonly<Record<string, string | undefined>>

const root = resolve(import.meta.dir, '../../..')

/**
 * Looks at everything that Footlight may need on this machine with the settings of `env`;
 * changes nothing.
 */
export async function findings(env: Environment): Promise<Finding[]> {
  const { config, faults } = settings(env)
  const lists = await Promise.all([
    faults,
    [bun()],
    node(),
    packages(),
    workerAndItsBuild(env),
    ...browserPackages.packages.map((wanted) => program(wanted)),
    config.databaseUrl ? ownDatabase(config.databaseUrl) : localPostgres(),
    dataFolder(config.dataFolder),
    httpPort(config),
    mediaPorts(config),
  ])
  return lists.flat()
}

/** The settings; where they are wrong, what to correct, and the defaults to look at the rest with. */
function settings(env: Environment): { config: Config; faults: Finding[] } {
  try {
    return { config: loadConfig(env), faults: [] }
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error
    const faults = error.faults.map(
      (detail): Finding => ({ name: 'settings', state: 'unusable', detail, neededForUp: true }),
    )
    return { config: loadConfig({}), faults }
  }
}

function bun(): Finding {
  const isNewEnough = Bun.semver.satisfies(Bun.version, packageJson.engines.bun)
  return {
    name: 'bun',
    state: isNewEnough ? 'present' : 'missing',
    detail: isNewEnough
      ? `${Bun.version}, ${process.execPath}`
      : `${Bun.version} is older than ${packageJson.engines.bun}: start with ./footlight, which fetches ${packageJson.packageManager}`,
    neededForUp: true,
  }
}

async function node(): Promise<Finding[]> {
  const path = Bun.which('node')
  if (!path) {
    const detail = 'sudo apt-get install -y nodejs npm (only to fetch bun and the prebuilt worker)'
    return [{ name: 'node', state: 'missing', detail, neededForUp: false }]
  }
  const version = await new Response(Bun.spawn([path, '--version'], { stderr: 'ignore' }).stdout).text()
  return [{ name: 'node', state: 'present', detail: `${version.trim()}, ${path}`, neededForUp: false }]
}

/** Each package that package.json asks for must be there in a version that it allows. */
async function packages(): Promise<Finding[]> {
  const wrong: string[] = []
  for (const [name, range] of Object.entries({ ...packageJson.dependencies, ...packageJson.devDependencies })) {
    const file = Bun.file(join(root, 'node_modules', name, 'package.json'))
    const installed = (await file.exists()) ? ((await file.json()) as { version: string }).version : undefined
    if (!installed || !Bun.semver.satisfies(installed, range)) wrong.push(`${name} ${range}`)
  }
  const finding = { name: 'packages', neededForUp: true }
  return wrong.length === 0
    ? [{ ...finding, state: 'present', detail: 'all that package.json asks for' }]
    : [{ ...finding, state: 'missing', detail: `bun install --frozen-lockfile gets ${wrong.join(', ')}` }]
}

async function workerAndItsBuild(env: Environment): Promise<Finding[]> {
  const missing = await missingPackages(workerBuildPackages)
  const tools: Finding = {
    name: 'build tools',
    state: missing.length === 0 ? 'present' : 'missing',
    detail: missing.length === 0 ? `for ${workerBuildPackages.purpose}` : installCommand(missing),
    neededForUp: false,
  }
  return [await worker(env, missing.length === 0), tools]
}

async function worker(env: Environment, hasTools: boolean): Promise<Finding> {
  const finding = { name: 'worker', neededForUp: true }
  try {
    const found = await locateWorker({ env })
    if (found) return { ...finding, state: 'present', detail: `${found.origin}, ${found.path}` }
    const first = hasTools || process.getuid?.() === 0 ? '' : ', once the build tools are there'
    return { ...finding, state: 'missing', detail: `./footlight up fetches or builds it (about five minutes)${first}` }
  } catch (error) {
    return { ...finding, state: 'missing', detail: error instanceof Error ? error.message : String(error) }
  }
}

async function program(wanted: WantedPackage): Promise<Finding[]> {
  const { name } = wanted
  const path = programOf(wanted)
  return path
    ? [{ name, state: 'present', detail: path, neededForUp: false }]
    : [
        {
          name,
          state: 'missing',
          detail: `for ${browserPackages.purpose}: ${installCommand([name])}`,
          neededForUp: false,
        },
      ]
}

async function ownDatabase(url: string): Promise<Finding[]> {
  const fault = await postgresFault(url)
  const finding = { name: 'PostgreSQL', neededForUp: true }
  return fault === undefined
    ? [{ ...finding, state: 'present', detail: `DATABASE_URL, ${databaseName(url)}` }]
    : [
        {
          ...finding,
          state: 'missing',
          detail: `DATABASE_URL (${databaseName(url)}): ${fault}. Start it, or unset DATABASE_URL to keep all in the data folder`,
        },
      ]
}

async function localPostgres(): Promise<Finding[]> {
  const fault = await postgresFault(testDatabaseUrl)
  const finding = { name: 'PostgreSQL', neededForUp: false }
  return fault === undefined
    ? [{ ...finding, state: 'present', detail: `${databaseName(testDatabaseUrl)}, for the store tests` }]
    : [
        {
          ...finding,
          state: 'missing',
          detail: `not needed, PGlite in the data folder serves; for the tests of both, one at ${databaseName(testDatabaseUrl)} (${fault})`,
        },
      ]
}

/** The folder is made by the server: what counts is the nearest one that exists. */
async function dataFolder(folder: string): Promise<Finding[]> {
  const finding = { name: 'data folder', neededForUp: true }
  let nearest = folder
  while (nearest !== dirname(nearest) && !(await stat(nearest).catch(() => undefined))) nearest = dirname(nearest)
  const isFolder = (await stat(nearest)).isDirectory()
  const canWrite = await access(nearest, constants.W_OK | constants.X_OK).then(
    () => true,
    () => false,
  )
  if (isFolder && canWrite) return [{ ...finding, state: 'present', detail: folder }]
  return [{ ...finding, state: 'unusable', detail: `${nearest} ${isFolder ? 'cannot be written' : 'is no folder'}` }]
}

async function httpPort({ host, port }: Config): Promise<Finding[]> {
  if (port === 0) return [] // the system picks a free one
  const fault = await tcpFault(host, port)
  return [portFinding(`port ${port}`, fault, 'for HTTP; FOOTLIGHT_PORT sets another', `sport = :${port}`)]
}

/** Each worker takes a port of its own from `basePort` on, for UDP and TCP. */
async function mediaPorts({ media: { listenIp, basePort }, workers }: Config): Promise<Finding[]> {
  if (basePort === 0) return []
  const ports = Array.from({ length: workers }, (_, index) => basePort + index)
  const faults = await Promise.all(ports.flatMap((port) => [tcpFault(listenIp, port), udpFault(listenIp, port)]))
  const last = ports.at(-1)
  const name = workers === 1 ? `port ${basePort}` : `ports ${basePort} to ${last}`
  const fault = faults.find((each) => each !== undefined)
  const filter = `sport >= :${basePort} and sport <= :${last}`
  return [portFinding(name, fault, 'for media, UDP and TCP; FOOTLIGHT_MEDIA_PORT sets others', filter)]
}

function portFinding(name: string, fault: NodeJS.ErrnoException | undefined, use: string, filter: string): Finding {
  if (!fault) return { name, state: 'free', detail: use, neededForUp: true }
  if (fault.code === 'EADDRINUSE') {
    const detail = `${use}; perhaps a Footlight runs already: ss -lntup '${filter}' names the process`
    return { name, state: 'in use', detail, neededForUp: true }
  }
  return { name, state: 'unusable', detail: `${use} (${fault.message})`, neededForUp: true }
}

/** Why a port cannot be listened on, if so. */
function tcpFault(host: string, port: number): Promise<NodeJS.ErrnoException | undefined> {
  return new Promise((resolve) => {
    const server = createServer()
    server.once('error', resolve)
    server.listen({ host, port, exclusive: true }, () => server.close(() => resolve(undefined)))
  })
}

function udpFault(address: string, port: number): Promise<NodeJS.ErrnoException | undefined> {
  return new Promise((resolve) => {
    const socket = createSocket(address.includes(':') ? 'udp6' : 'udp4')
    socket.once('error', resolve)
    socket.bind({ address, port, exclusive: true }, () => socket.close(() => resolve(undefined)))
  })
}
