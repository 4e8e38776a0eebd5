import { describe, expect, test } from 'bun:test'
import { fakeDesk, fourHours, refused, unreachable } from './fake-ports.ts'

const second = 1000
const hour = 3600 * second

describe('going on air', () => {
  test('opens its browser, publishes once, and asks what the server wants', async () => {
    const desk = fakeDesk()
    desk.actor.start()
    await desk.settle()
    expect(desk.calls).toEqual(['open', 'publish 1 - on', 'state'])
    expect(desk.actor.getSnapshot().context.location).toBe('/whip/1')
  })

  test('a browser that does not open ends the desk with its sentence', async () => {
    const desk = fakeDesk()
    desk.failures.openSurface.push(new Error('Chromium was not found.'))
    desk.actor.start()
    await desk.settle()
    expect(desk.actor.getSnapshot().output).toEqual({ why: 'browser', sentence: 'Chromium was not found.' })
    expect(desk.calls).toEqual(['open', 'close'])
  })

  test('reports of an earlier link change nothing', async () => {
    const desk = fakeDesk()
    await desk.onAir()
    desk.link(7, 'failed')
    await desk.settle()
    expect(desk.actor.getSnapshot().context.session).toBe(1)
    expect(desk.calls).toEqual([])
  })
})

describe('what the server wants', () => {
  test('is read every ten seconds', async () => {
    const desk = fakeDesk()
    await desk.onAir()
    await desk.pass(9.75 * second)
    expect(desk.count('state')).toBe(0)
    await desk.pass(0.25 * second)
    expect(desk.count('state')).toBe(1)
    await desk.pass(30 * second)
    expect(desk.count('state')).toBe(4)
  })

  test('encoding stops when it says so and begins again, once each', async () => {
    const desk = fakeDesk()
    await desk.onAir()
    desk.setState({ encode: false })
    await desk.pass(20 * second)
    expect(desk.calls.filter((call) => call.startsWith('encode'))).toEqual(['encode off'])
    desk.setState({ encode: true })
    await desk.pass(20 * second)
    expect(desk.calls.filter((call) => call.startsWith('encode'))).toEqual(['encode off', 'encode on'])
    expect(desk.count('publish')).toBe(0)
  })

  test('a session made while it is false starts without a picture', async () => {
    const desk = fakeDesk()
    await desk.onAir()
    desk.setState({ encode: false })
    await desk.pass(10 * second)
    desk.failures.checkSession.push(refused(404, 'session_not_found'))
    await desk.pass(2 * second)
    expect(desk.calls.filter((call) => call.startsWith('publish'))).toEqual(['publish 2 - off'])
  })

  test('a state that cannot be read is asked for again ten seconds later', async () => {
    const desk = fakeDesk()
    await desk.onAir()
    desk.failures.readState.push(unreachable)
    await desk.pass(20 * second)
    expect(desk.count('state')).toBe(2)
    expect(desk.actor.getSnapshot().matches('airing')).toBe(true)
  })
})

describe('the ticket', () => {
  test('is renewed at three hours, and every three hours after', async () => {
    const desk = fakeDesk()
    await desk.onAir()
    await desk.pass(3 * hour - second, second)
    expect(desk.count('renew')).toBe(0)
    await desk.pass(second, second)
    expect(desk.count('renew')).toBe(1)
    expect(desk.actor.getSnapshot().context.expiresAt).toBe(3 * hour + fourHours)
    await desk.pass(3 * hour - second, second)
    expect(desk.count('renew')).toBe(1)
    await desk.pass(second, second)
    expect(desk.count('renew')).toBe(2)
    expect(desk.count('publish')).toBe(0)
  })

  test('a renewal that fails is tried again every minute', async () => {
    const desk = fakeDesk()
    await desk.onAir()
    desk.failures.renewTicket.push(unreachable, unreachable)
    await desk.pass(3 * hour + 61 * second, second)
    expect(desk.count('renew')).toBe(2)
    await desk.pass(60 * second, second)
    expect(desk.count('renew')).toBe(3)
    await desk.pass(hour, second)
    expect(desk.count('renew')).toBe(3)
  })
})

describe('coming back', () => {
  test('looks at its session every two seconds', async () => {
    const desk = fakeDesk()
    await desk.onAir()
    await desk.pass(6 * second)
    expect(desk.calls).toEqual(['check /whip/1', 'check /whip/1', 'check /whip/1'])
  })

  test('a session that the server does not know is published anew at once', async () => {
    const desk = fakeDesk()
    await desk.onAir()
    desk.failures.checkSession.push(refused(404, 'session_not_found'))
    await desk.pass(2 * second)
    expect(desk.calls).toEqual(['check /whip/1', 'publish 2 - on', 'state'])
  })

  test('a server that is down is asked with growing waits, and published to when it is back', async () => {
    const desk = fakeDesk()
    await desk.onAir()
    desk.failures.checkSession.push(...Array(5).fill(unreachable), refused(404, 'session_not_found'))
    await desk.pass(2 * second)
    expect(desk.count('check')).toBe(1)
    await desk.pass(250)
    expect(desk.count('check')).toBe(2)
    await desk.pass(500)
    expect(desk.count('check')).toBe(3)
    await desk.pass(750)
    expect(desk.count('check')).toBe(3)
    await desk.pass(250)
    expect(desk.count('check')).toBe(4)
    await desk.pass(2 * second)
    expect(desk.count('check')).toBe(6)
    expect(desk.count('publish')).toBe(1)
  })

  test('a server that only stumbled keeps its session', async () => {
    const desk = fakeDesk()
    await desk.onAir()
    desk.failures.checkSession.push(unreachable, unreachable)
    await desk.pass(3 * second)
    expect(desk.count('publish')).toBe(0)
    expect(desk.actor.getSnapshot().matches({ airing: { session: { up: 'alive' } } })).toBe(true)
    expect(desk.actor.getSnapshot().context.setback).toBeNull()
  })

  test('a slow answer proves nothing', async () => {
    const desk = fakeDesk()
    await desk.onAir()
    desk.failures.checkSession.push(refused(503, 'ask_timeout'))
    await desk.pass(4 * second)
    expect(desk.calls).toEqual(['check /whip/1', 'check /whip/1'])
  })

  test('a failed link is published anew, in place of the session before', async () => {
    const desk = fakeDesk()
    await desk.onAir()
    desk.link(1, 'failed')
    await desk.pass(250)
    expect(desk.calls).toEqual(['publish 2 /whip/1 on', 'state'])
  })

  test('a disconnected link is given five seconds', async () => {
    const desk = fakeDesk()
    await desk.onAir()
    desk.link(1, 'disconnected')
    await desk.pass(4.75 * second)
    expect(desk.count('publish')).toBe(0)
    expect(desk.count('check')).toBe(3)
    await desk.pass(250)
    expect(desk.count('publish 2 /whip/1')).toBe(1)
  })

  test('a disconnected link that comes back is left alone', async () => {
    const desk = fakeDesk()
    await desk.onAir()
    desk.link(1, 'disconnected')
    await desk.pass(3 * second)
    desk.link(1, 'connected')
    await desk.pass(20 * second)
    expect(desk.count('publish')).toBe(0)
  })

  test('a link that never comes up is given ten seconds', async () => {
    const desk = fakeDesk()
    desk.actor.start()
    await desk.settle()
    await desk.pass(9.75 * second)
    expect(desk.count('publish')).toBe(1)
    await desk.pass(250)
    expect(desk.count('publish')).toBe(2)
  })

  test('409 already_publishing waits and tries again', async () => {
    const desk = fakeDesk()
    desk.failures.publish.push(refused(409, 'already_publishing'), refused(409, 'already_publishing'))
    desk.actor.start()
    await desk.settle()
    expect(desk.count('publish')).toBe(1)
    await desk.pass(250)
    expect(desk.count('publish')).toBe(2)
    await desk.pass(250)
    expect(desk.count('publish')).toBe(2)
    await desk.pass(250)
    expect(desk.count('publish')).toBe(3)
    expect(desk.actor.getSnapshot().matches({ airing: { session: 'up' } })).toBe(true)
  })

  test('Retry-After of a full or restarting server is kept', async () => {
    const desk = fakeDesk()
    desk.failures.publish.push(refused(503, 'stream_restarting', 3000))
    desk.actor.start()
    await desk.settle()
    await desk.pass(2.75 * second)
    expect(desk.count('publish')).toBe(1)
    await desk.pass(250)
    expect(desk.count('publish')).toBe(2)
  })
})

describe('giving up', () => {
  test.each([
    ['a ticket that is not good any more', refused(401, 'invalid_ticket'), 'ticket_refused'],
    ['a stream that has ended', refused(409, 'stream_ended'), 'ended'],
    ['another live stream of the person', refused(409, 'live.agent_stream_limit'), 'stream_limit'],
    ['an offer that the server does not take', refused(406, 'no_compatible_codecs'), 'refused'],
  ] as const)('%s stops it, with a sentence', async (_, failure, why) => {
    const desk = fakeDesk()
    desk.failures.publish.push(failure)
    desk.actor.start()
    await desk.pass(10 * second)
    const { output, status } = desk.actor.getSnapshot()
    expect(status).toBe('done')
    expect(output?.why).toBe(why)
    expect(output?.sentence.length).toBeGreaterThan(20)
    expect(desk.calls).toEqual(['open', 'publish 1 - on', 'close'])
  })

  test('a ticket that is refused while on air stops it, and its session is left', async () => {
    const desk = fakeDesk()
    await desk.onAir()
    desk.failures.readState.push(refused(401, 'invalid_ticket'))
    await desk.pass(10 * second)
    expect(desk.actor.getSnapshot().output?.why).toBe('ticket_refused')
    expect(desk.calls.slice(-2)).toEqual(['leave /whip/1', 'close'])
  })

  test('a browser that goes away stops it', async () => {
    const desk = fakeDesk()
    await desk.onAir()
    desk.surfaceGone()
    await desk.settle()
    expect(desk.actor.getSnapshot().output?.why).toBe('browser')
  })

  test('told to stop, it leaves its session and closes its browser, once', async () => {
    const desk = fakeDesk()
    await desk.onAir()
    desk.actor.send({ type: 'STOP' })
    desk.actor.send({ type: 'STOP' })
    await desk.settle()
    expect(desk.calls).toEqual(['leave /whip/1', 'close'])
    expect(desk.actor.getSnapshot().output?.why).toBe('asked')
    await desk.pass(60 * second)
    expect(desk.calls.length).toBe(2)
  })
})

test('it sends a still every five seconds while it encodes nothing, and every thirty while it does', async () => {
  const desk = fakeDesk()
  await desk.onAir()
  await desk.pass(29_000)
  expect(desk.count('still')).toBe(0)
  await desk.pass(1_000)
  expect(desk.count('still')).toBe(1)
  desk.setState({ encode: false })
  await desk.pass(10_000)
  const before = desk.count('still')
  await desk.pass(20_000)
  expect(desk.count('still') - before).toBe(4)
  desk.failures.sendStill.push(refused(409, 'curtain_up'), unreachable)
  await desk.pass(20_000)
  expect(desk.count('still') - before).toBe(8)
  desk.setState({ encode: true })
  await desk.pass(10_000)
  const after = desk.count('still')
  await desk.pass(60_000)
  expect(desk.count('still') - after).toBe(2)
})
