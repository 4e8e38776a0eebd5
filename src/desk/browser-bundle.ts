/**
 * Bundles one of the desk's browser-side modules to a single script. Rejects with the bundler's
 * messages when the module does not build.
 *
 * @param entry absolute path of the module
 * @param format `esm` for `<script type="module">`, `iife` for a script that is injected
 */
export async function bundleForBrowser(entry: string, format: 'esm' | 'iife' = 'esm'): Promise<string> {
  const built = await Bun.build({ entrypoints: [entry], target: 'browser', format, minify: true })
  const [output] = built.outputs
  if (output === undefined) throw new Error(`Could not bundle ${entry}`)
  return output.text()
}
