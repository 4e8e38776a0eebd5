import { describe, expect, setDefaultTimeout, test } from 'bun:test'
import { hour, refusal, Stage } from './stage.ts'

const minute = 60_000

// Hours pass in these, a second at a time.
setDefaultTimeout(60_000)

async function live() {
  const stage = new Stage()
  const stream = await stage.stream()
  await stage.goLive(stream)
  // Told once and silent then: the desk of a private stream that nobody watches.
  await stage.system.ask(stream.id, 'desk.state', { ticket: stream.ticket })
  const dropped: string[] = []
  stage.system.watch(stream.id, (news) => {
    if (news.type === 'dropped') dropped.push(news.viewer)
  })
  const renew = (ticket: string, until: number) =>
    stage.system.tell(stream.id, { type: 'view_ticket.renewed', ticket, until })
  return { stage, stream, dropped, renew, flowing: () => stage.media.flowing(stream.id) }
}

describe('a view ticket', () => {
  test('that runs out drops who watches by it, and says so', async () => {
    const { stage, stream, dropped, flowing } = await live()
    await stage.watch(stream, 'a', { admitted: { ticket: 't', until: 10 * minute } })
    await stage.whep(stream, 'w', { admitted: { ticket: 't', until: 10 * minute } })
    stage.media.viewerFact('w', 'connected')
    await stage.watch(stream, 'free')
    await stage.pass(10 * minute - 1)
    expect(flowing()).toEqual(['a', 'w', 'free'])
    await stage.pass(1)
    expect(flowing()).toEqual(['free'])
    expect(dropped).toEqual(['a', 'w'])
    expect((await stage.facts(stream)).viewers).toBe(1)
    expect(await refusal(stage.system.ask(stream.id, 'viewer.check', { viewer: 'w' }))).toBe('session_not_found')
  })

  test('renewed every few minutes carries its viewer through four hours, and no other ticket’s viewer', async () => {
    const { stage, stream, dropped, renew, flowing } = await live()
    await stage.system.ask(stream.id, 'ticket.mint', { hash: 'carries the stream beyond four hours' })
    await stage.watch(stream, 'a', { admitted: { ticket: 'ta', until: 10 * minute } })
    await stage.watch(stream, 'b', { admitted: { ticket: 'tb', until: 10 * minute } })
    for (let at = 9 * minute; at < 4 * hour - minute; at += 9 * minute) {
      await stage.pass(at - stage.clock.now())
      if (at === 3 * 9 * minute) await stage.system.ask(stream.id, 'ticket.mint', { hash: 'renewed' })
      renew('ta', Math.min(at + 10 * minute, 4 * hour))
    }
    expect(dropped).toEqual(['b'])
    expect(flowing()).toEqual(['a'])
    await stage.pass(4 * hour - 1 - stage.clock.now())
    expect(flowing()).toEqual(['a'])
    await stage.pass(1)
    expect(dropped).toEqual(['b', 'a'])
    expect(flowing()).toEqual([])
  })

  test('brought by a viewer who comes back is the one that counts', async () => {
    const { stage, stream, dropped, renew } = await live()
    await stage.watch(stream, 'a', { admitted: { ticket: 'old', until: 2 * minute } })
    stage.system.tell(stream.id, { type: 'viewer.detached', viewer: 'a', wire: 'a' })
    const back = await stage.join(stream, 'b', { resume: 'a', admitted: { ticket: 'new', until: 3 * minute } })
    expect(back.viewer).toBe('a')
    renew('old', hour)
    await stage.pass(3 * minute - 1)
    expect(dropped).toEqual([])
    await stage.pass(1)
    expect(dropped).toEqual(['a'])
  })

  test('that ran out on its way here lets nobody in', async () => {
    const { stage, stream, dropped, flowing } = await live()
    await stage.pass(minute)
    await stage.join(stream, 'late', { admitted: { ticket: 't', until: minute - 1 } })
    await stage.pass(1)
    expect(dropped).toEqual(['late'])
    expect(flowing()).toEqual([])
  })

  test('renewed for a stream that sleeps or is not there troubles nobody', async () => {
    const { stage, renew } = await live()
    renew('t', hour)
    stage.system.tell('ags_none', { type: 'view_ticket.renewed', ticket: 't', until: hour })
    await stage.settle()
    expect((await stage.stream({ owner: 'usr_bob' })).ticket).toBeTruthy()
  })
})
