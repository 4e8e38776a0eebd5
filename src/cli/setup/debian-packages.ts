import { CommandError } from '../command-error.ts'
import { longStep } from './long-step.ts'

/** A Debian package, and how else what it brings may be there. */
export interface WantedPackage {
  readonly name: string
  /** Programs on PATH, one of which is as good as the package. */
  readonly programs?: readonly string[]
  /** A variable of the environment that names another such program. */
  readonly setting?: string
}

/** Debian packages that one purpose needs. */
export interface PackageGroup {
  readonly purpose: string
  readonly packages: readonly WantedPackage[]
}

export const workerBuildPackages: PackageGroup = {
  purpose: "building mediasoup's worker",
  packages: [
    { name: 'g++', programs: ['g++'] },
    { name: 'make', programs: ['make'] },
    { name: 'ninja-build', programs: ['ninja'] },
    { name: 'pkg-config', programs: ['pkg-config'] },
    { name: 'flatbuffers-compiler', programs: ['flatc'] },
    { name: 'libflatbuffers-dev' },
    { name: 'libssl-dev' },
    { name: 'libsrtp2-dev' },
    { name: 'libuv1-dev' },
    { name: 'libabsl-dev' },
  ],
}

export const browserPackages: PackageGroup = {
  purpose: 'the demo and the tests',
  packages: [
    {
      name: 'chromium',
      programs: ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable'],
      setting: 'FOOTLIGHT_CHROMIUM',
    },
    { name: 'ffmpeg', programs: ['ffmpeg'] },
  ],
}

/** WHIP and WHEP clients that are tested with the server: about 100 MB to fetch, half a minute to install. */
export const clientPackages: PackageGroup = {
  purpose: 'the tests with other clients',
  packages: [
    { name: 'firefox-esr', programs: ['firefox-esr', 'firefox'], setting: 'FOOTLIGHT_FIREFOX' },
    { name: 'gstreamer1.0-plugins-base' },
    { name: 'gstreamer1.0-plugins-good' },
    { name: 'gstreamer1.0-plugins-bad' },
    { name: 'gstreamer1.0-nice' },
    { name: 'gir1.2-gst-plugins-bad-1.0' },
    { name: 'python3-gst-1.0' },
    { name: 'iproute2', programs: ['ip'] },
  ],
}

/** The program that is as good as the package, if there is one. A setting is taken at its word. */
export function programOf({ programs = [], setting }: WantedPackage): string | undefined {
  const named = setting && process.env[setting]
  if (named) return named
  for (const program of programs) {
    const path = Bun.which(program)
    if (path) return path
  }
  return undefined
}

/** The packages of `groups` that are not there, in their order. */
export async function missingPackages(...groups: PackageGroup[]): Promise<string[]> {
  const wanted = groups.flatMap((group) => group.packages).filter((each) => !programOf(each))
  const installed = await installedAmong(wanted.map(({ name }) => name))
  return wanted.map(({ name }) => name).filter((name) => !installed.has(name))
}

/** The command that installs `packages`, to be typed by a person. */
export function installCommand(packages: readonly string[]): string {
  return `sudo apt-get update && sudo apt-get install -y --no-install-recommends ${packages.join(' ')}`
}

/**
 * Installs what is missing of `groups` when this process is root. Otherwise, and where there is
 * no apt, rejects with a {@link CommandError} that holds the exact command or the names.
 * `tell` is the caller's own long step; without it this is one.
 */
export async function installMissing(groups: readonly PackageGroup[], tell?: (doing: string) => void): Promise<void> {
  const missing = await missingPackages(...groups)
  if (missing.length === 0) return
  const purpose = groups.map((group) => group.purpose).join(' and ')
  if (!Bun.which('apt-get')) {
    throw new CommandError(
      `For ${purpose} there must be what Debian calls ${missing.join(', ')}: install these with this system's package manager, then start again.`,
    )
  }
  if (process.getuid?.() !== 0) {
    throw new CommandError(`${missing.join(', ')} must be installed for ${purpose}. Run: ${installCommand(missing)}`)
  }
  if (tell) return install(missing, tell)
  using step = longStep(`getting Debian's packages for ${purpose}`)
  await install(missing, step.update)
  step.done()
}

async function install(packages: readonly string[], tell: (doing: string) => void): Promise<void> {
  tell('apt-get update')
  await apt(['update'])
  tell(`apt-get install ${packages.join(' ')}`)
  await apt(['install', '-y', '--no-install-recommends', ...packages])
}

/** Those of `names` that dpkg has as installed; none where there is no dpkg. */
async function installedAmong(names: readonly string[]): Promise<Set<string>> {
  if (names.length === 0 || !Bun.which('dpkg-query')) return new Set()
  // It exits with 1 when it does not know one of them, and lists the others all the same.
  // biome-ignore lint/suspicious/noTemplateCurlyInString: dpkg's own placeholders
  const format = '${db:Status-Status} ${Package}\n'
  const query = Bun.spawn(['dpkg-query', '-W', '-f', format, ...names], {
    stdio: ['ignore', 'pipe', 'ignore'],
  })
  const lines = (await new Response(query.stdout).text()).split('\n')
  return new Set(lines.filter((line) => line.startsWith('installed ')).map((line) => line.slice('installed '.length)))
}

async function apt(args: readonly string[]): Promise<void> {
  // The wait is for another apt that is at work, as on a machine that has just been started.
  const run = Bun.spawn(['apt-get', '-o', 'DPkg::Lock::Timeout=300', ...args], {
    env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive', LC_ALL: 'C' },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const [output, errors, code] = await Promise.all([
    new Response(run.stdout).text(),
    new Response(run.stderr).text(),
    run.exited,
  ])
  if (code === 0) return
  const said = `${output}\n${errors}`.trim().split('\n').slice(-15).join('\n')
  throw new CommandError(`apt-get ${args.join(' ')} failed; correct what it says, then start again:\n${said}`)
}
