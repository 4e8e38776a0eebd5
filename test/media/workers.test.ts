import { afterEach, describe, expect, test } from 'bun:test'
import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { WorkerStartError, Workers, type WorkersOptions } from '../../src/media/workers.ts'
import { workerBin } from './layer-under-test.ts'

const opened: Workers[] = []
function makeWorkers(options: Partial<WorkersOptions> = {}): Workers {
  const workers = new Workers({
    workerBin: workerBin(),
    listenIp: '127.0.0.1',
    basePort: 0,
    requestTimeoutMs: 3000,
    ...options,
  })
  opened.push(workers)
  return workers
}
afterEach(async () => {
  await Promise.all(opened.splice(0).map((workers) => workers.close()))
})

const pidOf = (workers: Workers, worker: string) => workers.host(worker)?.worker.pid as number
const died = (workers: Workers, worker: string) =>
  new Promise<void>((resolve) => void workers.observe({ worker }, resolve))
const refused = (start: Promise<void>) =>
  start.then(
    () => null,
    (error: unknown) => error,
  )

test('a worker starts, answers, is killed, and its death is told once', async () => {
  const workers = makeWorkers()
  await workers.start({ worker: 'w1' })
  await workers.beat({ worker: 'w1' })
  let told = 0
  workers.observe({ worker: 'w1' }, () => {
    told += 1
  })
  const gone = died(workers, 'w1')
  workers.kill({ worker: 'w1' })
  workers.kill({ worker: 'w1' })
  await gone
  expect(told).toBe(1)
  expect(workers.host('w1')).toBeNull()
  await expect(workers.beat({ worker: 'w1' })).rejects.toThrow('not running')
  workers.kill({ worker: 'w1' })
})

test('one that was told to end may be started again at once, under the same id', async () => {
  const workers = makeWorkers()
  await workers.start({ worker: 'w1' })
  const before = pidOf(workers, 'w1')
  workers.kill({ worker: 'w1' })
  await workers.start({ worker: 'w1' })
  expect(pidOf(workers, 'w1')).not.toBe(before)
  await workers.beat({ worker: 'w1' })
})

test('who observes a worker that is dead already is told', async () => {
  const workers = makeWorkers()
  await died(workers, 'never started')
})

test('who stopped observing is told nothing', async () => {
  const workers = makeWorkers()
  await workers.start({ worker: 'w1' })
  let told = 0
  workers.observe({ worker: 'w1' }, () => {
    told += 1
  })()
  workers.kill({ worker: 'w1' })
  await died(workers, 'w1')
  expect(told).toBe(0)
})

test('the death of one leaves the others', async () => {
  const workers = makeWorkers()
  await Promise.all([workers.start({ worker: 'w1' }), workers.start({ worker: 'w2' })])
  process.kill(pidOf(workers, 'w1'), 'SIGKILL')
  await died(workers, 'w1')
  await workers.beat({ worker: 'w2' })
})

test('a frozen worker does not answer, and can be killed', async () => {
  const workers = makeWorkers()
  await workers.start({ worker: 'w1' })
  const gone = died(workers, 'w1')
  process.kill(pidOf(workers, 'w1'), 'SIGSTOP')
  const beat = workers.beat({ worker: 'w1' }).then(
    () => 'answered',
    () => 'lost',
  )
  expect(await Promise.race([beat, Bun.sleep(300).then(() => 'silent')])).toBe('silent')
  workers.kill({ worker: 'w1' })
  await gone
  expect(await beat).toBe('lost')
})

test('closing ends a frozen worker too', async () => {
  const workers = makeWorkers()
  await Promise.all([workers.start({ worker: 'w1' }), workers.start({ worker: 'w2' })])
  const pids = [pidOf(workers, 'w1'), pidOf(workers, 'w2')]
  process.kill(pids[0] as number, 'SIGSTOP')
  await workers.close()
  for (const pid of pids) expect(() => process.kill(pid, 0)).toThrow()
})

describe('ports', () => {
  test('each worker takes the next, and a replacement the dead one’s', async () => {
    const basePort = 41_870
    const workers = makeWorkers({ basePort })
    await workers.start({ worker: 'w1' })
    await workers.start({ worker: 'w2' })
    const portsOf = async (worker: string) => {
      const dump = await workers.host(worker)?.server.dump()
      return [...(dump?.udpSockets ?? []), ...(dump?.tcpServers ?? [])].map(({ port }) => port)
    }
    expect(await portsOf('w1')).toEqual([basePort, basePort])
    expect(await portsOf('w2')).toEqual([basePort + 1, basePort + 1])
    workers.kill({ worker: 'w1' })
    await workers.start({ worker: 'w3' })
    expect(await portsOf('w3')).toEqual([basePort, basePort])
  })

  test('a port in use is one clear sentence, and leaves no process', async () => {
    const taken = createServer()
    await new Promise<void>((resolve) => taken.listen(0, '127.0.0.1', resolve))
    const { port } = taken.address() as { port: number }
    const workers = makeWorkers({ basePort: port })
    const error = await refused(workers.start({ worker: 'w1' }))
    expect(error).toBeInstanceOf(WorkerStartError)
    expect((error as Error).message).toContain(`port ${port}`)
    expect(workers.host('w1')).toBeNull()
    await new Promise((resolve) => taken.close(resolve))
    await workers.start({ worker: 'w1' })
  })

  test('the same id twice is refused', async () => {
    const workers = makeWorkers()
    await workers.start({ worker: 'w1' })
    expect(await refused(workers.start({ worker: 'w1' }))).toBeInstanceOf(WorkerStartError)
  })
})

describe('a program that is no worker', () => {
  const sentences = async (workerBin: string) => {
    const error = await refused(makeWorkers({ workerBin, requestTimeoutMs: 500 }).start({ worker: 'w1' }))
    expect(error).toBeInstanceOf(WorkerStartError)
    return (error as Error).message
  }
  test('missing', async () => {
    expect(await sentences('/nowhere/mediasoup-worker')).toContain(
      'There is no media worker at /nowhere/mediasoup-worker',
    )
  })
  test('a folder', async () => {
    expect(await sentences(tmpdir())).toContain('There is no media worker')
  })
  test('one that ends at once', async () => {
    expect(await sentences('/bin/false')).toContain('did not start')
  })
  test('a file that may not be executed, and one in no known format', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'footlight-worker-'))
    const path = join(folder, 'worker')
    await writeFile(path, '\u007fnot a program')
    await chmod(path, 0o644)
    expect(await sentences(path)).toContain('chmod +x')
    await chmod(path, 0o755)
    expect(await sentences(path)).toContain('did not start')
    await rm(folder, { recursive: true })
  })
})
