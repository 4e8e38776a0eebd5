import { describe, expect, test } from 'bun:test'
import { refusal, Stage } from './stage.ts'

describe('a viewer', () => {
  test('waits while idle, plays when the desk comes, and plays the next session too', async () => {
    const stage = new Stage()
    const stream = await stage.stream()
    const { facts } = await stage.join(stream, 'v')
    expect({ state: facts.state, media: facts.media, viewers: facts.viewers }).toEqual({
      state: 'idle',
      media: null,
      viewers: 1,
    })
    const consume = (media: number) =>
      stage.system.ask(stream.id, 'viewer.consume', { viewer: 'v', media, rtpCapabilities: {} })
    expect(await refusal(consume(1))).toBe('not_live')
    const session = await stage.goLive(stream)
    await consume(1)
    await stage.system.ask(stream.id, 'viewer.connect', { viewer: 'v', dtlsParameters: {} })
    stage.media.viewerFact('v', 'connected')
    await stage.settle()
    expect(stage.media.flowing(stream.id)).toEqual(['v'])
    stage.media.fact(session, 'disconnected')
    await stage.goLive(stream)
    expect(stage.media.flowing(stream.id)).toEqual([])
    expect(await refusal(consume(1))).toBe('not_live')
    await consume(2)
  })

  test('that is not connected does not flow, and may ask anew', async () => {
    const stage = new Stage()
    const stream = await stage.stream()
    await stage.goLive(stream)
    await stage.join(stream, 'v')
    const consume = { viewer: 'v', media: 1, rtpCapabilities: {} }
    expect(await refusal(stage.system.ask(stream.id, 'viewer.connect', { viewer: 'v', dtlsParameters: {} }))).toBe(
      'wrong_order',
    )
    const first = stage.system.ask(stream.id, 'viewer.consume', consume)
    expect(await refusal(stage.system.ask(stream.id, 'viewer.consume', consume))).toBe('wrong_order')
    await first
    await stage.system.ask(stream.id, 'viewer.consume', consume)
    expect(stage.media.flowing(stream.id)).toEqual([])
  })

  test('keeps its place for 5 s when its socket breaks', async () => {
    const stage = new Stage()
    const stream = await stage.stream({ visibility: 'public' })
    const publication = await stage.goLive(stream)
    await stage.watch(stream, 'v')
    stage.system.tell(stream.id, { type: 'viewer.detached', viewer: 'v', wire: 'v' })
    await stage.pass(2000)
    stage.media.fact(publication, 'packets')
    await stage.pass(2000)
    stage.media.fact(publication, 'packets')
    const back = await stage.join(stream, 'other', { resume: 'v' })
    expect({ viewer: back.viewer, resumed: back.resumed, viewers: back.facts.viewers }).toEqual({
      viewer: 'v',
      resumed: true,
      viewers: 1,
    })
    await stage.pass(2000)
    expect(stage.media.flowing(stream.id)).toEqual(['v'])
    stage.system.tell(stream.id, { type: 'viewer.detached', viewer: 'v', wire: 'other' })
    await stage.pass(5000)
    expect((await stage.facts(stream)).viewers).toBe(0)
    const late = await stage.join(stream, 'other', { resume: 'v' })
    expect({ viewer: late.viewer, resumed: late.resumed }).toEqual({ viewer: 'other', resumed: false })
  })

  test('that came back by another socket does not go with the old one', async () => {
    const stage = new Stage()
    const stream = await stage.stream()
    await stage.join(stream, 'v')
    await stage.join(stream, 'second', { resume: 'v' })
    // The server notices only now that the first one is gone.
    stage.system.tell(stream.id, { type: 'viewer.detached', viewer: 'v', wire: 'v' })
    await stage.pass(10_000)
    expect((await stage.facts(stream)).viewers).toBe(1)
    stage.system.tell(stream.id, { type: 'viewer.detached', viewer: 'v', wire: 'second' })
    await stage.pass(5000)
    expect((await stage.facts(stream)).viewers).toBe(0)
  })

  test('whose socket is said twice to be broken keeps its place when it comes back', async () => {
    const stage = new Stage()
    const stream = await stage.stream()
    await stage.join(stream, 'v')
    stage.system.tell(stream.id, { type: 'viewer.detached', viewer: 'v', wire: 'v' })
    await stage.pass(1000)
    stage.system.tell(stream.id, { type: 'viewer.detached', viewer: 'v', wire: 'v' })
    await stage.join(stream, 'other', { resume: 'v' })
    await stage.pass(10_000)
    expect((await stage.facts(stream)).viewers).toBe(1)
  })

  test('by WHEP whose link is said twice to be lost stays when the link comes back', async () => {
    const stage = new Stage()
    const stream = await stage.stream()
    await stage.goLive(stream)
    await stage.system.ask(stream.id, 'desk.state', { ticket: stream.ticket })
    await stage.whep(stream, 'w')
    for (const fact of ['connected', 'disconnected', 'disconnected', 'connected'] as const) {
      stage.media.viewerFact('w', fact)
    }
    await stage.pass(20_000)
    expect((await stage.facts(stream)).viewers).toBe(1)
  })

  test('by WHEP counts as a viewer until it leaves', async () => {
    const stage = new Stage()
    const stream = await stage.stream()
    const whep = (viewer: string, offer = 'offer') => stage.whep(stream, viewer, { offer })
    expect(await refusal(whep('w'))).toBe('not_live')
    await stage.goLive(stream)
    expect(await refusal(whep('w', 'no codec'))).toBe('no_compatible_codecs')
    expect((await stage.facts(stream)).viewers).toBe(0)
    expect(await whep('w')).toEqual({ answer: 'whep answer', tag: 'w-ice' })
    const state = () => stage.system.ask(stream.id, 'desk.state', { ticket: stream.ticket })
    expect(await state()).toEqual({ viewers: 1, encode: true, curtain: { up: false, since: null }, endsAt: 14_400_000 })
    stage.media.viewerFact('w', 'connected')
    await stage.settle()
    expect(stage.media.flowing(stream.id)).toEqual(['w'])
    await stage.system.ask(stream.id, 'viewer.leave', { viewer: 'w' })
    expect((await state()).viewers).toBe(0)
    expect((await stage.facts(stream)).state).toBe('live')
    expect(await refusal(stage.system.ask(stream.id, 'viewer.leave', { viewer: 'w' }))).toBe('session_not_found')
    expect(await refusal(stage.system.ask(stream.id, 'viewer.leave', { viewer: 'constructor' }))).toBe(
      'session_not_found',
    )
  })

  test('by WHEP is gone when its link never comes up, or is lost for good', async () => {
    const stage = new Stage()
    const stream = await stage.stream()
    await stage.goLive(stream)
    await stage.system.ask(stream.id, 'desk.state', { ticket: stream.ticket })
    await stage.whep(stream, 'a')
    await stage.whep(stream, 'b')
    stage.media.viewerFact('b', 'connected')
    await stage.pass(15_000)
    expect((await stage.facts(stream)).viewers).toBe(1)
    stage.media.viewerFact('b', 'disconnected')
    await stage.pass(14_000)
    stage.media.viewerFact('b', 'connected')
    await stage.pass(14_000)
    expect((await stage.facts(stream)).viewers).toBe(1)
    stage.media.viewerFact('b', 'disconnected')
    await stage.pass(15_000)
    expect((await stage.facts(stream)).viewers).toBe(0)
  })

  test('that fails does not take the stream with it', async () => {
    const stage = new Stage()
    const stream = await stage.stream()
    await stage.goLive(stream)
    stage.media.closeViewer = () => {
      throw new Error('broken')
    }
    await stage.watch(stream, 'v')
    await stage.system.ask(stream.id, 'viewer.leave', { viewer: 'v' })
    expect(await stage.facts(stream).then(({ link, viewers }) => ({ link, viewers }))).toEqual({
      link: 'flowing',
      viewers: 0,
    })
  })
})
