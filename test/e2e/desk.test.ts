import { afterEach, expect, test } from 'bun:test'
import { createChromiumSurface } from '../../src/desk/chromium-surface.ts'
import { type Desk, startDesk } from '../../src/desk/desk.ts'
import { startWhipStandIn } from '../desk/whip-stand-in.ts'

const ticket = 'wpt_kept-out-of-every-page-and-sentence'
const cleanUps: (() => Promise<unknown>)[] = []

afterEach(async () => {
  for (const cleanUp of cleanUps.splice(0).reverse()) await cleanUp()
})

async function standIn() {
  const server = await startWhipStandIn(ticket)
  cleanUps.push(server.stop)
  return server
}

function keep(desk: Desk): Desk {
  cleanUps.push(() => desk.stop())
  return desk
}

/** Waits for what must come; the test's own time limit ends a wait in vain. */
async function come(look: () => boolean | Promise<boolean>) {
  while (!(await look())) await Bun.sleep(50)
}

test('a real browser goes on air, comes back after its session was lost, and leaves', async () => {
  const server = await standIn()
  const statuses: string[] = []
  const desk = keep(
    startDesk({ streamUrl: server.streamUrl, publish: server.publish, onStatus: (status) => statuses.push(status) }),
  )
  await come(() => desk.status() === 'on_air')
  await come(async () => (await server.frames()) > 20)
  expect(statuses).toEqual(['opening', 'connecting', 'on_air'])
  expect(server.calls.filter((call) => call === 'POST /whip/agent/x').length).toBe(1)

  server.sessions.clear()
  await come(() => server.sessions.has('/whip/agent/x/2'))
  await come(async () => (await server.frames()) > 20)
  expect(server.calls.filter((call) => call === 'POST /whip/agent/x').length).toBe(2)

  const outcome = await desk.stop()
  expect(outcome.why).toBe('asked')
  expect(server.calls.filter((call) => call.startsWith('DELETE'))).toEqual(['DELETE /whip/agent/x/2'])
  expect(server.sessions.size).toBe(0)
})

test('it encodes nothing while the server says so, and begins again on the same link', async () => {
  const server = await standIn()
  server.setEncode(false)
  const desk = keep(startDesk({ streamUrl: server.streamUrl, publish: server.publish }))
  await come(() => desk.status() === 'not_encoding')
  // What was encoded before the switch may still arrive; then nothing does, at 30 frames a second.
  let before = -1
  await come(async () => {
    const last = before
    before = await server.frames()
    if (before === last) return true
    await Bun.sleep(1000)
    return false
  })

  server.setEncode(true)
  await come(() => desk.status() === 'on_air')
  await come(async () => (await server.frames()) > before + 20)
  expect(server.calls.filter((call) => call === 'POST /whip/agent/x').length).toBe(1)
})

test('a refused ticket stops it, and no ticket is in what it says', async () => {
  const server = await standIn()
  server.refuse(409, 'live.agent_stream_limit')
  const limited = keep(startDesk({ streamUrl: server.streamUrl, publish: server.publish }))
  const outcome = await limited.done
  expect(outcome.why).toBe('stream_limit')
  expect(outcome.sentence).toContain('said to wpt_….')
  expect(outcome.sentence).not.toContain(ticket)

  const refused = keep(startDesk({ streamUrl: server.streamUrl, publish: { ...server.publish, ticket: 'wpt_other' } }))
  expect((await refused.done).why).toBe('ticket_refused')
})

test('a desk that is stopped while its browser opens leaves no browser behind', async () => {
  const surface = createChromiumSurface()
  let closed = 0
  const desk = startDesk({
    streamUrl: 'http://127.0.0.1:9/api/streams/agent/x',
    publish: { whip_url: 'http://127.0.0.1:9/whip/agent/x', ticket, expires_at: '2030-01-01T00:00:00Z' },
    surface: {
      ...surface,
      async close() {
        await surface.close()
        closed++
      },
    },
  })
  const outcome = await desk.stop()
  expect(outcome.why).toBe('asked')
  expect(closed).toBe(1)
  await expect(surface.encode(true)).rejects.toThrow()
})
