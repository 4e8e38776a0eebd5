import { join } from 'node:path'
import { $ } from 'bun'
import { correctedSource, workerSources } from './sources.ts'
import type { Srtp } from './srtp.ts'

const flags = '-std=c++20 -O3 -DNDEBUG -DMS_LITTLE_ENDIAN -DMS_EXECUTABLE -DFLATBUFFERS_LOCALE_INDEPENDENT=1 -w -pipe'

export interface NinjaInput {
  /** The `worker` folder of mediasoup's package. */
  readonly worker: string
  /** The folder that is built in. */
  readonly build: string
  /** The generated message headers. */
  readonly messages: string
  readonly srtp: Srtp
}

/** The build as a ninja file whose one target is `mediasoup-worker`. */
export async function ninjaFile({ worker, build, messages, srtp }: NinjaInput): Promise<string> {
  const webrtc = join(worker, 'deps/libwebrtc')
  const includes = [
    ...srtp.includes,
    join(import.meta.dir, 'compat'),
    join(worker, 'include'),
    build,
    messages,
    webrtc,
    join(webrtc, 'libwebrtc'),
  ]
  const abseil = (await $`pkg-config --libs absl_strings absl_optional`.quiet().text()).trim()
  const libraries = `${srtp.link} -luv -lssl -lcrypto -lflatbuffers ${abseil} -lpthread`
  const lines = [
    'rule cxx',
    `  command = g++ ${flags} ${includes.map((folder) => `-I${quoted(folder)}`).join(' ')} -c $in -o $out`,
    'rule link',
    `  command = g++ -s -o $out $in ${libraries}`,
  ]
  const objects: string[] = []
  for (const source of await workerSources(worker)) {
    const object = `obj/${source.replaceAll('/', '_')}.o`
    objects.push(object)
    lines.push(`build ${object}: cxx ${escaped(await correctedSource(join(worker, source), build))}`)
  }
  lines.push(`build mediasoup-worker: link ${objects.join(' ')}`, 'default mediasoup-worker', '')
  return lines.join('\n')
}

/** A path as ninja reads it: `$`, space and colon have a meaning there. */
function escaped(path: string): string {
  return path.replace(/[$ :]/g, (sign) => `$${sign}`)
}

/** A path inside a command: quoted for the shell, and `$` doubled for ninja. */
function quoted(path: string): string {
  return `'${path.replaceAll("'", "'\\''").replaceAll('$', '$$$$')}'`
}
