/** Whether the test runner made a network for this process alone (src/cli/checks/test-runs.ts). */
export const ownNetwork = process.env.FOOTLIGHT_TEST_OWN_NETWORK === '1'

/** Of the documentation range (RFC 5737): nobody else's, and only in our own network anyway. */
const ownAddress = '198.51.100.1'

/**
 * The address that media uses. In a network of our own it is one that is not loopback, since
 * Firefox connects to none such, whatever its settings say.
 */
export function mediaAddress(): string {
  if (!ownNetwork) return '127.0.0.1'
  if (ip('link', 'show', 'media0').exitCode !== 0) {
    must(ip('link', 'set', 'lo', 'up'))
    must(ip('link', 'add', 'media0', 'type', 'veth', 'peer', 'name', 'media1'))
    must(ip('addr', 'add', `${ownAddress}/24`, 'dev', 'media0'))
    must(ip('link', 'set', 'media0', 'up'))
    must(ip('link', 'set', 'media1', 'up'))
    // Browsers ask the routing table which of their addresses is the usual one.
    must(ip('route', 'add', 'default', 'dev', 'media0'))
  }
  return ownAddress
}

/**
 * What is sent to `port` is held to `kilobits` a second, with a short queue before it, until the
 * returned function is called.
 */
export function narrow(port: number, kilobits: number): () => void {
  return hold(['match', 'ip', 'dport', String(port), '0xffff'], kilobits, 40)
}

/**
 * Every UDP packet to the media address is dropped until the returned function is called. (Not
 * those to 127.0.0.1, by which the server's routers are piped to each other.)
 */
export function blockUdp(): () => void {
  return hold(['match', 'ip', 'protocol', '17', '0xff', 'match', 'ip', 'dst', `${ownAddress}/32`], 8, 0)
}

/** Puts the packets that `match` finds through a queue for so many of them, emptied at that rate. */
function hold(match: readonly string[], kilobits: number, queue: number): () => void {
  if (!ownNetwork) throw new Error('only a network of our own may be changed')
  // What a machine sends to itself goes over lo, whichever of its addresses it is for.
  must(tc('qdisc', 'add', 'dev', 'lo', 'root', 'handle', '1:', 'htb'))
  must(tc('class', 'add', 'dev', 'lo', 'parent', '1:', 'classid', '1:1', 'htb', 'rate', `${kilobits}kbit`))
  must(tc('qdisc', 'add', 'dev', 'lo', 'parent', '1:1', 'pfifo', 'limit', String(queue)))
  must(tc('filter', 'add', 'dev', 'lo', 'parent', '1:', 'protocol', 'ip', 'u32', ...match, 'flowid', '1:1'))
  return () => must(tc('qdisc', 'del', 'dev', 'lo', 'root'))
}

function ip(...args: string[]) {
  return Bun.spawnSync(['ip', ...args], { stdio: ['ignore', 'ignore', 'pipe'] })
}

function tc(...args: string[]) {
  return Bun.spawnSync(['tc', ...args], { stdio: ['ignore', 'ignore', 'pipe'] })
}

function must({ success, stderr }: { success: boolean; stderr: Buffer }): void {
  if (!success) throw new Error(`our own network cannot be set up: ${stderr}`)
}
