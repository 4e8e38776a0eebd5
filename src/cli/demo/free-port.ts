import { once } from 'node:events'
import { createServer } from 'node:net'

const tries = 50

/**
 * A TCP port of 127.0.0.1 that is free at the moment. Below the range that the system takes from for
 * outgoing connections: a server that is killed and started again must find its port free again.
 */
export async function freePort(): Promise<number> {
  for (let attempt = 0; attempt < tries; attempt++) {
    const port = 20_000 + Math.floor(Math.random() * 12_000)
    if (await isFree(port)) return port
  }
  throw new Error('No free port was found between 20000 and 32000.')
}

async function isFree(port: number): Promise<boolean> {
  const server = createServer()
  try {
    server.listen(port, '127.0.0.1')
    await once(server, 'listening')
    return true
  } catch {
    return false
  } finally {
    server.close()
  }
}
