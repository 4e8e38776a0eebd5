import { afterAll, beforeAll, expect, test } from 'bun:test'
import { readdir, readFile } from 'node:fs/promises'
import type { ServerMessage } from '../../src/contracts/broadcast.ts'
import { type Desk, startDesk } from '../../src/desk/desk.ts'
import { startTestServer, type TestServer, until } from '../http/test-server.ts'

let server: TestServer
const desks: Desk[] = []

beforeAll(async () => {
  server = await startTestServer({ FOOTLIGHT_WORKERS: '2' })
  await until(async () => (await server.call('GET', '/readyz')).body.workers?.up === 2)
}, 60_000)
afterAll(async () => {
  await Promise.all(desks.map((desk) => desk.stop()))
  await server.stop()
}, 60_000)

/** Process ids of the media workers that this process started. */
async function workers(): Promise<number[]> {
  const pids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name))
  const found: number[] = []
  for (const pid of pids) {
    const stat = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '')
    const [, rest] = /^\d+ \(.*\) (.*)$/s.exec(stat) ?? []
    const [state, parent] = rest?.split(' ') ?? []
    if (Number(parent) !== process.pid || state === 'Z') continue
    // The program may have any name: it is told by an argument that mediasoup gives it.
    const command = await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '')
    if (command.includes('--logLevel=')) found.push(Number(pid))
  }
  return found
}

/** A stream on air with a desk of its own, and what a watcher is told of it. */
async function onAir(handle: string) {
  const stream = await server.stream(await server.person(handle), 'public')
  const told: string[] = []
  const socket = new WebSocket(`${server.url.replace('http', 'ws')}/ws/broadcast`)
  socket.onopen = () => socket.send(JSON.stringify({ type: 'join', id: 1, stream: stream.id }))
  socket.onmessage = ({ data }) => {
    const message = JSON.parse(String(data)) as ServerMessage
    if (message.type === 'stream') told.push(`${message.stream.state} ${message.stream.link} ${message.media}`)
    else if (message.type !== 'joined') told.push(message.type)
  }
  desks.push(startDesk({ streamUrl: server.url + stream.path, publish: stream.publish }))
  await until(() => told.includes('live flowing 1'), 30_000)
  return { told, last: () => told.at(-1) }
}

test('a worker’s death takes its stream to idle, the desk returns with its ticket, no other stream notices', async () => {
  const streams = await Promise.all([onAir('ada'), onAir('bob')])
  const before = await workers()
  expect(before.length).toBe(2)
  // What each watcher is told from now on.
  for (const { told } of streams) told.length = 0
  process.kill(before[0] as number, 'SIGKILL')

  await until(() => streams.some(({ told }) => told.includes('idle null null')), 30_000)
  const [hit, spared] = streams[0]?.told.includes('idle null null') ? streams : [streams[1], streams[0]]
  await until(() => hit?.last() === 'live flowing 2', 30_000)
  // The other stream's watcher was told nothing but, perhaps, the same again.
  expect(spared?.told.filter((news) => news !== 'live flowing 1')).toEqual([])
  expect(hit?.told).not.toContain('rejoin')

  await until(async () => (await workers()).length === 2)
  expect((await workers()).filter((pid) => before.includes(pid)).length).toBe(1)
}, 120_000)
