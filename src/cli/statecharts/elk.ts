import ELK from 'elkjs/lib/elk.bundled.js'

/** ELK in this process. */
export function createElk(): InstanceType<typeof ELK> {
  const elk = new ELK()
  // It takes Bun for a web worker and listens to messages, which would keep the process from ending.
  globalThis.onmessage = null
  return elk
}
