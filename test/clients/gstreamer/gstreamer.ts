import { until } from '../../http/test-server.ts'
import type { Endpoint } from '../page/exchange.ts'

/** What the script has sent (packets) or had (decoded buffers) so far. */
export interface Counts {
  readonly state: string
  readonly video: number
  readonly audio: number
  /** Of the decoded picture. */
  readonly width: number
}

/** Debian's Python: GStreamer's bindings are in that one, whatever `python3` is on PATH. */
const python = '/usr/bin/python3'

/** webrtcbin, publishing or playing in a process of its own. */
export class Gstreamer {
  readonly #child: Bun.Subprocess<'pipe', 'pipe', 'pipe'>
  #last: Counts | null = null
  #errors = ''

  constructor(mode: 'publish' | 'play', { url, token }: Endpoint) {
    this.#child = Bun.spawn([python, `${import.meta.dir}/client.py`, mode], {
      env: { ...process.env, URL: url, ...(token === undefined ? {} : { TOKEN: token }) },
      stdio: ['pipe', 'pipe', 'pipe'],
    })
    void this.#read()
    void new Response(this.#child.stderr).text().then((text) => {
      this.#errors = text
    })
  }

  get counts(): Counts {
    if (this.#child.exitCode !== null) throw new Error(`GStreamer ended by itself: ${this.#errors}`)
    return this.#last ?? { state: '', video: 0, audio: 0, width: 0 }
  }

  /** Resolves when its link is up. */
  async connected(): Promise<void> {
    await until(() => this.counts.state === 'connected', 30_000)
  }

  /** Lets it end its session and go. */
  async stop(): Promise<void> {
    this.#child.stdin.end()
    await this.#child.exited
  }

  async #read(): Promise<void> {
    let rest = ''
    for await (const text of this.#child.stdout.pipeThrough(new TextDecoderStream())) {
      const lines = (rest + text).split('\n')
      rest = lines.pop() ?? ''
      for (const line of lines) {
        const said = JSON.parse(line) as Counts & { error?: string }
        if (said.error !== undefined) this.#errors += said.error
        else this.#last = said
      }
    }
  }
}
