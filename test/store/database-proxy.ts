import { connect, createServer, type Server, type Socket } from 'node:net'

/**
 * Stands between a store and its database, and breaks what can break: a database that is
 * gone, that hangs, that comes back.
 */
export class DatabaseProxy {
  readonly #target: { host: string; port: number }
  readonly #sockets = new Set<Socket>()
  #server: Server | undefined
  #frozen = false
  port = 0
  /** Connections that were accepted so far. */
  accepted = 0

  private constructor(target: URL) {
    this.#target = { host: target.hostname, port: Number(target.port || 5432) }
  }

  static async before(databaseUrl: string): Promise<{ proxy: DatabaseProxy; url: string }> {
    const url = new URL(databaseUrl)
    const proxy = new DatabaseProxy(url)
    await proxy.listen()
    url.hostname = '127.0.0.1'
    url.port = String(proxy.port)
    return { proxy, url: url.href }
  }

  /** Takes connections, on the port of before when there was one. */
  async listen(): Promise<void> {
    const server = createServer((client) => this.#forward(client))
    this.#server = server
    await new Promise<void>((resolve) => server.listen(this.port, '127.0.0.1', resolve))
    const address = server.address()
    if (address && typeof address === 'object') this.port = address.port
  }

  /** The database is gone: connections break, new ones are refused. */
  async stop(): Promise<void> {
    const server = this.#server
    this.#server = undefined
    for (const socket of this.#sockets) socket.destroy()
    if (server) await new Promise((resolve) => server.close(resolve))
  }

  /** The machine is gone and nobody said so: connections stay, no byte comes through any more. */
  freeze(): void {
    this.#frozen = true
  }

  /** New connections come through again; those from before the frost never do. */
  thaw(): void {
    this.#frozen = false
  }

  #forward(client: Socket): void {
    this.accepted++
    const server = connect(this.#target)
    const born = { frozen: this.#frozen }
    const passes = () => {
      // Once frozen, a connection stays so.
      born.frozen ||= this.#frozen
      return !born.frozen
    }
    client.on('data', (bytes) => passes() && server.write(bytes))
    server.on('data', (bytes) => passes() && client.write(bytes))
    for (const [socket, other] of [
      [client, server],
      [server, client],
    ] as const) {
      this.#sockets.add(socket)
      socket.on('error', () => {})
      socket.on('close', () => {
        this.#sockets.delete(socket)
        other.destroy()
      })
    }
  }
}
