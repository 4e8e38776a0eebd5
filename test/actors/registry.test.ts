import { describe, expect, test } from 'bun:test'
import { newId } from '../../src/contracts/ids.ts'
import { refusal, Stage } from './stage.ts'

describe('the registry', () => {
  test('answers not_found for a stream that is not there', async () => {
    const stage = new Stage()
    expect(await refusal(stage.facts({ id: newId('agentStream') }))).toBe('not_found')
  })

  test('loads a stream once, however many ask at once, and answers each', async () => {
    const before = new Stage()
    const stream = await before.stream()
    before.system.stop()
    const stage = new Stage({ store: before.store })
    const answers = await Promise.all(Array.from({ length: 100 }, () => stage.facts(stream)))
    expect(answers.length).toBe(100)
    expect(stage.store.loads).toBe(1)
  })

  test('a stream that is asked for while it is being created has one actor, and both are answered', async () => {
    const stage = new Stage()
    const id = newId('agentStream')
    const create = stage.store.createStream.bind(stage.store)
    let asked: ReturnType<typeof stage.facts> | undefined
    stage.store.createStream = async (stream) => {
      const record = await create(stream)
      asked = stage.facts({ id })
      await stage.settle()
      return record
    }
    const created = await stage.stream({ id })
    expect((await asked)?.id).toBe(id)
    await stage.goLive(created)
    expect((await stage.facts(created)).state).toBe('live')
  })

  test('puts a quiet stream away and loads it again', async () => {
    const stage = new Stage()
    const stream = await stage.stream()
    await stage.facts(stream)
    expect(stage.store.loads).toBe(0)
    await stage.pass(30_000)
    expect((await stage.facts(stream)).state).toBe('idle')
    expect(stage.store.loads).toBe(1)
  })

  test('keeps a stream awake that somebody waits for, or that still has something to keep', async () => {
    const stage = new Stage()
    const stream = await stage.stream()
    await stage.join(stream, 'v')
    await stage.pass(120_000)
    expect((await stage.facts(stream)).viewers).toBe(1)
    expect(stage.store.loads).toBe(0)
    await stage.system.ask(stream.id, 'viewer.leave', { viewer: 'v' })
    stage.store.down = true
    const set = { by: 'owner', up: true, reason: 'manual' } as const
    expect(await refusal(stage.system.ask(stream.id, 'curtain.set', set))).toBe('store_unavailable')
    await stage.pass(120_000)
    stage.store.down = false
    await stage.pass(60_000)
    expect(stage.store.records.get(stream.id)?.curtain.holds.owner?.reason).toBe('manual')
    await stage.facts(stream)
    expect(stage.store.loads).toBe(1)
  })

  test('a store that is down answers for loading and creating, and is asked again later', async () => {
    const stage = new Stage()
    const stream = await stage.stream()
    await stage.pass(30_000)
    stage.store.down = true
    expect(await refusal(stage.facts(stream))).toBe('store_unavailable')
    expect(await refusal(stage.stream())).toBe('store_unavailable')
    stage.store.down = false
    expect((await stage.facts(stream)).state).toBe('idle')
  })

  test('a thousand offers at once on one person: one session, and every offer answered', async () => {
    const stage = new Stage()
    const streams = await Promise.all(Array.from({ length: 10 }, () => stage.stream()))
    const outcomes = await Promise.all(
      Array.from({ length: 1000 }, (_, at) => {
        const stream = streams[at % streams.length] as { id: string; ticket: string }
        return stage.publish(stream).then(
          () => 'accepted',
          (error) => error.refusal.code,
        )
      }),
    )
    const count = (code: string) => outcomes.filter((outcome) => outcome === code).length
    expect(count('accepted')).toBe(1)
    expect(count('accepted') + count('live.agent_stream_limit') + count('already_publishing')).toBe(1000)
    expect(stage.media.calls.filter((call) => call.startsWith('openPublication')).length).toBe(1)
  })

  test('a slot is free again when the stream goes off air, ends, or is refused by the media layer', async () => {
    const stage = new Stage()
    const first = await stage.stream()
    const second = await stage.stream()
    const session = await stage.goLive(first)
    expect(await refusal(stage.publish(second))).toBe('live.agent_stream_limit')
    await stage.system.ask(first.id, 'unpublish', { ticket: first.ticket, publication: session })
    expect(await refusal(stage.publish(second, 'bad'))).toBe('invalid_sdp')
    await stage.goLive(first)
    await stage.system.ask(first.id, 'end', { why: 'owner' })
    await stage.goLive(second)
    expect((await stage.facts(second)).state).toBe('live')
  })

  test('the Live owner has five', async () => {
    const stage = new Stage()
    const streams = await Promise.all(Array.from({ length: 6 }, () => stage.stream({ owner: 'usr_owner' })))
    const outcomes = await Promise.all(streams.map((stream) => stage.publish(stream).catch((e) => e.refusal.code)))
    expect(outcomes.filter((outcome) => outcome === 'live.agent_stream_limit').length).toBe(1)
  })

  test('a stream that crashes answers its asks, and is loaded anew while the others go on', async () => {
    const stage = new Stage()
    const good = await stage.stream({ owner: 'usr_bob' })
    const bad = await stage.stream()
    await stage.goLive(good)
    await stage.goLive(bad)
    const gone: string[] = []
    stage.system.watch(bad.id, (news) => gone.push(news.type))
    // A media layer that throws where it must not: the stream's own step fails.
    stage.media.closeRoom = () => {
      throw new Error('broken')
    }
    expect(await refusal(stage.system.ask(bad.id, 'ticket.revoke', {}))).toBe('stream_restarting')
    stage.media.closeRoom = () => {}
    expect(gone.at(-1)).toBe('gone')
    // Nor does the pool count it any more.
    expect((await stage.system.describePool()).w1?.streams).toEqual([good.id])
    expect((await stage.facts(bad)).state).toBe('idle')
    expect((await stage.facts(good)).link).toBe('flowing')
  })

  test('watchers are told each change once, through sleep and waking', async () => {
    const stage = new Stage()
    const stream = await stage.stream()
    const seen: string[] = []
    const stop = stage.system.watch(stream.id, (news) =>
      seen.push(news.type === 'facts' ? `${news.facts.state} ${news.facts.link} ${news.facts.viewers}` : 'gone'),
    )
    const session = await stage.goLive(stream)
    await stage.join(stream, 'v')
    await stage.facts(stream)
    await stage.facts(stream)
    await stage.system.ask(stream.id, 'unpublish', { ticket: stream.ticket, publication: session })
    expect(new Set(seen).size).toBe(new Set(seen).size)
    expect(seen.at(-1)).toBe('idle null 1')
    const before = seen.length
    await stage.facts(stream)
    expect(seen.length).toBe(before)
    stop()
    await stage.goLive(stream)
    expect(seen.length).toBe(before)
  })
})
