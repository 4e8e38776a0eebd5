import { constants } from 'node:fs'
import { access, stat } from 'node:fs/promises'
import { createWorker, type types } from 'mediasoup'
import type { WorkerBeat, WorkerPort } from '../actors/ports/media.ts'
import { ConsumerBudget } from './consumer-budget.ts'
import { within } from './deadline.ts'

export interface WorkersOptions {
  /** Path of mediasoup's worker program. */
  readonly workerBin: string
  readonly listenIp: string
  /** What the candidates name, when it is not `listenIp`: a public address or a host name. */
  readonly announcedAddress?: string
  /** The first worker's port, UDP and TCP; each further worker takes the next. 0: any free port. */
  readonly basePort: number
  readonly requestTimeoutMs: number
  /** Consumers that viewers may have on one worker; left out: as many as come. */
  readonly consumersPerWorker?: number
}

/** A worker process and its server, as the rooms use it. */
export interface WorkerHost {
  readonly worker: types.Worker
  readonly server: types.WebRtcServer
  readonly consumers: ConsumerBudget
}

/** Why a worker did not start; the message is a sentence for the operator. */
export class WorkerStartError extends Error {
  override readonly name = 'WorkerStartError'
}

/** The worker processes, by the ids that the pool's actor gave them. */
export class Workers implements WorkerPort {
  readonly #options: WorkersOptions
  readonly #hosts = new Map<string, WorkerHost & { readonly slot: number }>()
  /** Ports in use, as offsets from the base port: kept until the process is really gone. */
  readonly #slots = new Set<number>()
  readonly #starting = new Set<string>()
  /** Processes that were told to end and have not ended yet. */
  readonly #ending = new Set<Promise<void>>()
  readonly #observers = new Map<string, Set<() => void>>()

  constructor(options: WorkersOptions) {
    this.#options = options
  }

  /** `null`: there is no such worker, or it is dead. */
  host(worker: string): WorkerHost | null {
    return this.#hosts.get(worker) ?? null
  }

  async start({ worker: id }: { worker: string }): Promise<void> {
    const running = () => new WorkerStartError(`The media worker ${id} is running already.`)
    if (this.#starting.has(id)) throw running()
    this.#starting.add(id)
    let slot: number | null = null
    try {
      await checkBinary(this.#options.workerBin)
      // A replacement takes the dead worker's port, which is free only when the process is gone.
      await within(this.#options.requestTimeoutMs, Promise.all(this.#ending)).catch(() => {})
      if (this.#hosts.has(id)) throw running()
      slot = this.#takeSlot()
      await this.#launch(id, slot)
    } catch (error) {
      if (slot !== null && !this.#hosts.has(id)) this.#slots.delete(slot)
      throw error
    } finally {
      this.#starting.delete(id)
    }
  }

  async beat({ worker }: { worker: string }): Promise<WorkerBeat> {
    const host = this.#hosts.get(worker)
    if (host === undefined) throw new Error(`The media worker ${worker} is not running.`)
    await host.worker.getResourceUsage()
    return { full: host.consumers.spent }
  }

  kill({ worker }: { worker: string }): void {
    const host = this.#hosts.get(worker)
    if (host !== undefined) this.#end(host.worker)
  }

  observe({ worker }: { worker: string }, died: () => void): () => void {
    let told = false
    const once = () => {
      if (told) return
      told = true
      died()
    }
    // Dead before it was observed: say so, but not before the caller has what we return.
    if (!this.#hosts.has(worker)) queueMicrotask(once)
    const observers = this.#observers.get(worker) ?? new Set()
    this.#observers.set(worker, observers.add(once))
    return () => {
      told = true
      observers.delete(once)
      if (observers.size === 0 && this.#observers.get(worker) === observers) this.#observers.delete(worker)
    }
  }

  /** Ends every worker: politely, so that players are told, and hard where that does not help. */
  async close(): Promise<void> {
    const workers = [...this.#hosts.values()].map(({ worker }) => worker)
    await Promise.all(
      workers.map(async (worker) => {
        const gone = new Promise<void>((resolve) => worker.once('subprocessclose', resolve))
        worker.close()
        await within(1000, gone).catch(() => {
          process.kill(worker.pid, 'SIGKILL')
          return gone
        })
      }),
    )
    await Promise.all(this.#ending)
  }

  async #launch(id: string, slot: number): Promise<void> {
    const { workerBin, requestTimeoutMs } = this.#options
    const worker = await within(requestTimeoutMs, createWorker({ workerBin, logLevel: 'warn' }), (late: types.Worker) =>
      this.#end(late),
    ).catch((error: unknown) => {
      throw new WorkerStartError(
        `The media worker ${workerBin} did not start (${reasonOf(error)}). Build it again, or set MEDIASOUP_WORKER_BIN to another.`,
      )
    })
    try {
      const server = await within(
        requestTimeoutMs,
        worker.createWebRtcServer({ listenInfos: [this.#listen('udp', slot), this.#listen('tcp', slot)] }),
      )
      if (worker.closed) throw new Error('it ended at once')
      const consumers = new ConsumerBudget(this.#options.consumersPerWorker ?? Number.POSITIVE_INFINITY)
      this.#hosts.set(id, { worker, server, consumers, slot })
      worker.observer.once('close', () => this.#forget(id, slot))
    } catch (error) {
      await this.#end(worker)
      const { listenIp } = this.#options
      throw new WorkerStartError(
        `The media worker cannot listen on ${listenIp}, UDP and TCP port ${this.#port(slot) ?? 'any'} (${reasonOf(error)}). Choose another media port or address.`,
      )
    }
  }

  #listen(protocol: 'udp' | 'tcp', slot: number): types.TransportListenInfo {
    const { listenIp, announcedAddress } = this.#options
    const port = this.#port(slot)
    return {
      protocol,
      ip: listenIp,
      ...(announcedAddress === undefined ? {} : { announcedAddress }),
      ...(port === null ? {} : { port }),
    }
  }

  #port(slot: number): number | null {
    return this.#options.basePort === 0 ? null : this.#options.basePort + slot
  }

  #takeSlot(): number {
    let slot = 0
    while (this.#slots.has(slot)) slot += 1
    this.#slots.add(slot)
    return slot
  }

  /** SIGKILL works on a frozen process too. mediasoup then says `died`. */
  #end(worker: types.Worker): Promise<void> {
    if (worker.closed) return Promise.resolve()
    const ended = new Promise<void>((resolve) => worker.observer.once('close', () => resolve()))
    this.#ending.add(ended)
    void ended.then(() => this.#ending.delete(ended))
    process.kill(worker.pid, 'SIGKILL')
    return ended
  }

  #forget(id: string, slot: number): void {
    this.#hosts.delete(id)
    this.#slots.delete(slot)
    const observers = this.#observers.get(id) ?? []
    this.#observers.delete(id)
    for (const died of observers) died()
  }
}

/** mediasoup itself answers a wrong path with a TypeError and then ends the whole process. */
async function checkBinary(path: string): Promise<void> {
  const found = await stat(path).catch(() => null)
  if (found === null || !found.isFile()) {
    throw new WorkerStartError(
      `There is no media worker at ${path}. Build it, or set MEDIASOUP_WORKER_BIN to where it is.`,
    )
  }
  await access(path, constants.X_OK).catch(() => {
    throw new WorkerStartError(`The media worker at ${path} may not be executed. Try: chmod +x ${path}`)
  })
}

function reasonOf(error: unknown): string {
  return error instanceof Error ? error.message.replace(/\.$/, '') : String(error)
}
