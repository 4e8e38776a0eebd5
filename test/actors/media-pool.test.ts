import { describe, expect, test } from 'bun:test'
import { refusal, Stage } from './stage.ts'

describe('the media pool', () => {
  test('puts each stream on the worker with the fewest', async () => {
    const stage = new Stage({ workers: ['w1', 'w2'] })
    await stage.settle()
    for (let at = 0; at < 4; at++) await stage.goLive(await stage.stream({ owner: `usr_${at}` }))
    const pool = await stage.system.describePool()
    expect(Object.values(pool).map(({ streams }) => streams.length)).toEqual([2, 2])
  })

  test('puts no stream on a worker that is full; when all are, the desk is told to come back later', async () => {
    const stage = new Stage({ workers: ['w1', 'w2'] })
    await stage.settle()
    stage.workers.full.add('w1')
    await stage.pass(2000)
    for (let at = 0; at < 3; at++) await stage.goLive(await stage.stream({ owner: `usr_${at}` }))
    const placed = async () =>
      Object.values(await stage.system.describePool()).map(({ streams, full }) => [streams.length, full])
    expect(await placed()).toEqual([
      [0, true],
      [3, false],
    ])
    stage.workers.full.add('w2')
    await stage.pass(2000)
    const late = await stage.stream({ owner: 'usr_late' })
    expect(await refusal(stage.publish(late))).toBe('server_full')
    stage.workers.full.clear()
    await stage.pass(2000)
    await stage.goLive(late)
    expect(await placed()).toEqual([
      [1, false],
      [3, false],
    ])
  })

  test('a worker that dies takes its own streams to idle, is replaced, and no other stream notices', async () => {
    const stage = new Stage({ workers: ['w1', 'w2'] })
    await stage.settle()
    const hit = await stage.stream({ owner: 'usr_1' })
    const spared = await stage.stream({ owner: 'usr_2' })
    await stage.goLive(hit)
    await stage.goLive(spared)
    const news: string[] = []
    stage.system.watch(spared.id, (told) => news.push(told.type === 'facts' ? `${told.facts.link}` : 'gone'))
    stage.workers.die('w1')
    expect((await stage.facts(hit)).state).toBe('idle')
    expect((await stage.facts(hit)).endsAt).not.toBeNull()
    expect((await stage.facts(spared)).link).toBe('flowing')
    expect(news.filter((link) => link !== 'flowing')).toEqual([])
    await stage.pass(1000)
    expect(stage.workers.calls).toEqual(['start w1', 'start w2', 'kill w1', 'start w1'])
    await stage.goLive(hit)
    expect((await stage.facts(hit)).state).toBe('live')
  })

  test('a worker that gives no sign of life is killed and replaced', async () => {
    const stage = new Stage()
    const stream = await stage.stream()
    await stage.goLive(stream)
    stage.workers.frozen.add('w1')
    await stage.pass(4000)
    expect((await stage.facts(stream)).state).toBe('idle')
    expect(stage.workers.calls).toContain('kill w1')
    stage.workers.frozen.clear()
    await stage.pass(1000)
    await stage.goLive(stream)
  })

  test('with no worker up the desk is told to come back, and keeps its slot for nobody', async () => {
    const stage = new Stage()
    const stream = await stage.stream()
    stage.workers.failing.add('w1')
    stage.workers.die('w1')
    await stage.pass(1000)
    expect(await refusal(stage.publish(stream))).toBe('media_unavailable')
    const { w1 } = await stage.system.describePool()
    expect(w1).toEqual({ up: false, why: 'no such program', streams: [], full: false })
    await stage.pass(30_000)
    const starts = stage.workers.calls.filter((call) => call === 'start w1').length
    expect(starts).toBeGreaterThan(5)
    expect(starts).toBeLessThan(15)
    stage.workers.failing.clear()
    await stage.pass(10_000)
    await stage.goLive(stream)
  })
})
