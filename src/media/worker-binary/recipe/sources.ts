import { basename, join } from 'node:path'

/**
 * The worker's source files, relative to `worker`. They are read from the package's own meson
 * files, so that they cannot drift from it.
 */
export async function workerSources(worker: string): Promise<string[]> {
  const main = await Bun.file(join(worker, 'meson.build')).text()
  const webrtc = await Bun.file(join(worker, 'deps/libwebrtc/meson.build')).text()
  const found = [
    ...quotedAfter('common_sources = [', main),
    ...quotedAfter('common_sources += [', main),
    ...quotedAfter('libwebrtc_sources = [', webrtc).map((file) => join('deps/libwebrtc', file)),
    'src/main.cpp',
  ]
  if (found.length < 200) throw new Error(`only ${found.length} worker sources found: mediasoup's meson files changed`)
  return found
}

/** The quoted strings between `opening` and the next closing bracket. */
function quotedAfter(opening: string, text: string): string[] {
  const [, list = ''] = text.split(opening)
  return [...list.slice(0, list.indexOf(']')).matchAll(/'([^']+)'/g)].flatMap(([, quoted]) => quoted ?? [])
}

/**
 * The file to compile for `file`: a corrected copy in `build` where it needs one.
 *
 * DtlsTransport's BIO callback answers 1 to every control call's return, so an OpenSSL that
 * has kernel TLS (Debian's does) believes that it is on, allocates no write buffer, and the
 * first DTLS record crashes the worker. BIO_CB_RETURN is a flag, so it must be tested with `&`.
 */
export async function correctedSource(file: string, build: string): Promise<string> {
  if (basename(file) !== 'DtlsTransport.cpp') return file
  const text = await Bun.file(file).text()
  const wrong = '(operationType == BIO_CB_RETURN)'
  if (!text.includes(wrong)) return file
  const corrected = join(build, basename(file))
  await Bun.write(corrected, text.replace(wrong, '((operationType & BIO_CB_RETURN) != 0)'))
  return corrected
}
