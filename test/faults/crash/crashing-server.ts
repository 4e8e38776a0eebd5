import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { freePort } from '../../../src/cli/demo/free-port.ts'
import { type ServerProcess, serverReady, startServerProcess } from '../../../src/cli/demo/server-process.ts'
import { loadConfig } from '../../../src/config.ts'
import { publishCapability } from '../../../src/http/access/access.ts'
import { type LocalIssuer, openLocalIssuer } from '../../../src/http/identity/local-issuer.ts'
import { operatorCapability } from '../../../src/http/operator/operator-capability.ts'

export interface Reply {
  readonly status: number
  readonly headers: Headers
  readonly bytes: Uint8Array
  // biome-ignore lint/suspicious/noExplicitAny: tests look at any shape of answer
  readonly json: any
}

export interface Call {
  readonly bearer?: string
  readonly cookie?: string
  readonly body?: object | Uint8Array<ArrayBuffer>
}

/** A person with a service token that names them, and a link to sign in with. */
export interface Somebody {
  readonly id: string
  readonly handle: string
  readonly channel: string
  readonly token: string
  /** Works once. */
  readonly signInPath: string
}

/** `footlight up` as a process of its own that is killed and started again on the same data. */
export class CrashingServer {
  #process: ServerProcess | null = null

  private constructor(
    readonly url: string,
    private readonly environment: Record<string, string | undefined>,
    private readonly dataFolder: string,
    private readonly issuer: LocalIssuer,
  ) {}

  /** @param databaseUrl PostgreSQL; without it PGlite in a folder of its own */
  static async make(databaseUrl?: string): Promise<CrashingServer> {
    const dataFolder = await mkdtemp(join(tmpdir(), 'footlight-crash-'))
    const port = String(await freePort())
    const kept = Object.entries(process.env).filter(([name]) => !/^(FOOTLIGHT_|DATABASE_URL$)/.test(name))
    const environment = {
      ...Object.fromEntries(kept),
      FOOTLIGHT_PORT: port,
      FOOTLIGHT_MEDIA_PORT: '0',
      FOOTLIGHT_WORKERS: '1',
      FOOTLIGHT_DATA: dataFolder,
      DATABASE_URL: databaseUrl,
    }
    return new CrashingServer(`http://127.0.0.1:${port}`, environment, dataFolder, await openLocalIssuer(dataFolder))
  }

  async start(): Promise<void> {
    this.#process = startServerProcess({ environment: this.environment })
    await serverReady(this.#process, this.url, 60_000, AbortSignal.timeout(60_000))
  }

  /** SIGKILL is sent before this returns; it resolves when the process is gone. */
  kill(): Promise<void> {
    const killed = this.#process?.kill() ?? Promise.resolve()
    this.#process = null
    return killed
  }

  async remove(): Promise<void> {
    await this.kill()
    await rm(this.dataFolder, { recursive: true, force: true })
  }

  async call(method: string, path: string, { bearer, cookie, body }: Call = {}): Promise<Reply> {
    const headers: Record<string, string> = {
      ...(bearer !== undefined && { Authorization: `Bearer ${bearer}` }),
      ...(cookie !== undefined && { Cookie: cookie, Origin: this.url }),
      ...(body !== undefined && { 'Content-Type': body instanceof Uint8Array ? 'image/webp' : 'application/json' }),
    }
    const payload = body === undefined ? null : body instanceof Uint8Array ? new Blob([body]) : JSON.stringify(body)
    const response = await fetch(this.url + path, { method, headers, body: payload, redirect: 'manual' })
    const bytes = await response.bytes()
    const isJson = /json/.test(response.headers.get('content-type') ?? '')
    const json = isJson ? JSON.parse(new TextDecoder().decode(bytes)) : null
    return { status: response.status, headers: response.headers, bytes, json }
  }

  async somebody(handle: string): Promise<Somebody> {
    const operator = await this.#sign('svc:footlight-cli', operatorCapability)
    const { status, json } = await this.call('POST', '/api/operator/people', { bearer: operator, body: { handle } })
    if (status !== 201) throw new Error(`adding @${handle} answered ${status}`)
    const token = await this.#sign(json.id, publishCapability)
    return { id: json.id, handle, channel: json.channel, token, signInPath: new URL(json.sign_in_url).pathname }
  }

  /** Where another one-time link leads. */
  async signInPath(handle: string): Promise<string> {
    const operator = await this.#sign('svc:footlight-cli', operatorCapability)
    const { json } = await this.call('POST', `/api/operator/people/${handle}/sign-in-link`, { bearer: operator })
    return new URL(json.sign_in_url).pathname
  }

  async #sign(subject: string, capability: string): Promise<string> {
    const { audience } = loadConfig({})
    return await this.issuer.sign({ subject, capabilities: [capability], audience, minutes: 10 })
  }
}
