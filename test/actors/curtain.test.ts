import { describe, expect, test } from 'bun:test'
import type { CurtainHolder } from '../../src/actors/ports/store.ts'
import { gate, refusal, Stage } from './stage.ts'

async function live() {
  const stage = new Stage()
  const stream = await stage.stream({ visibility: 'public' })
  const publication = await stage.goLive(stream)
  await stage.watch(stream, 'v1')
  const curtain = (by: CurtainHolder, up: boolean) =>
    stage.system.ask(stream.id, 'curtain.set', { by, up, reason: 'password_field' })
  return { stage, stream, publication, curtain }
}

describe('the curtain', () => {
  test('stops every viewer before it is answered, and lets them go on when it is down', async () => {
    const { stage, stream, curtain } = await live()
    expect(stage.media.flowing(stream.id)).toEqual(['v1'])
    const raised = await curtain('desk', true)
    expect(raised).toEqual({ up: true, since: 0 })
    expect(stage.media.flowing(stream.id)).toEqual([])
    await stage.watch(stream, 'v2')
    expect(stage.media.flowing(stream.id)).toEqual([])
    await stage.pass(2000)
    expect(await curtain('desk', false)).toEqual({ up: false, since: null })
    await stage.settle()
    expect(stage.media.flowing(stream.id)).toEqual(['v1', 'v2'])
    expect((await stage.facts(stream)).curtain).toEqual({ up: false, since: null })
  })

  test('is answered only when the media layer holds', async () => {
    const { stage, curtain } = await live()
    let open = () => {}
    stage.media.gate.hold = new Promise((resolve) => {
      open = resolve
    })
    const order: string[] = []
    const raised = Promise.all([
      curtain('desk', true).then(() => order.push('desk answered')),
      curtain('owner', true).then(() => order.push('owner answered')),
    ])
    await stage.settle()
    expect(order).toEqual([])
    expect(stage.store.kept).not.toContain('curtain_changed')
    order.push('held')
    open()
    await raised
    expect(order[0]).toBe('held')
    expect(order.length).toBe(3)
  })

  test('goes up though the store is down, and is kept when it is back', async () => {
    const { stage, stream, curtain } = await live()
    stage.store.down = true
    expect(await refusal(curtain('desk', true))).toBe('store_unavailable')
    expect(stage.media.flowing(stream.id)).toEqual([])
    expect((await stage.facts(stream)).curtain.up).toBe(true)
    stage.store.down = false
    await stage.pass(1000)
    expect(stage.store.records.get(stream.id)?.curtain.holds.desk?.reason).toBe('password_field')
  })

  test('stays up when its lowering is not kept', async () => {
    const { stage, stream, curtain } = await live()
    await curtain('owner', true)
    stage.store.down = true
    expect(await refusal(curtain('owner', false))).toBe('store_unavailable')
    expect((await stage.facts(stream)).curtain).toEqual({ up: true, since: 0 })
    expect(stage.media.flowing(stream.id)).toEqual([])
    stage.store.down = false
    expect((await curtain('owner', false)).up).toBe(false)
    await stage.settle()
    expect(stage.media.flowing(stream.id)).toEqual(['v1'])
  })

  test('the desk lowers no sooner than 2 s after it last raised', async () => {
    const { stage, curtain } = await live()
    await curtain('desk', true)
    await stage.pass(1999)
    expect(await refusal(curtain('desk', false))).toBe('curtain_too_soon')
    await curtain('desk', true)
    await stage.pass(1999)
    expect(await refusal(curtain('desk', false))).toBe('curtain_too_soon')
    await stage.pass(1)
    expect((await curtain('desk', false)).up).toBe(false)
  })

  test('each holder takes back its own, the owner takes back all', async () => {
    const { stage, stream, curtain } = await live()
    await curtain('desk', true)
    await curtain('moderator', true)
    await curtain('owner', true)
    await stage.pass(2000)
    expect((await curtain('desk', false)).up).toBe(true)
    expect((await curtain('moderator', false)).up).toBe(true)
    expect((await curtain('desk', false)).up).toBe(true)
    expect(stage.media.flowing(stream.id)).toEqual([])
    expect((await curtain('owner', false)).up).toBe(false)
    await curtain('desk', true)
    expect((await curtain('owner', false)).up).toBe(false)
    await stage.settle()
    expect(stage.media.flowing(stream.id)).toEqual(['v1'])
  })

  test('raised while it is being lowered, it stays up', async () => {
    const { stage, stream, curtain } = await live()
    await curtain('owner', true)
    const [lowered, raised] = await Promise.all([curtain('owner', false), curtain('desk', true)])
    expect([lowered.up, raised.up]).toEqual([true, true])
    await stage.settle()
    expect(stage.media.flowing(stream.id)).toEqual([])
    expect(stage.store.records.get(stream.id)?.curtain.holds).toEqual({
      desk: { raisedAt: 0, reason: 'password_field' },
    })
  })

  test('raised while idle, it holds the next session from its first packet, through a restart', async () => {
    const before = new Stage()
    const stream = await before.stream({ visibility: 'public' })
    await before.system.ask(stream.id, 'curtain.set', { by: 'owner', up: true, reason: 'manual' })
    before.system.stop()
    const stage = new Stage({ store: before.store })
    await stage.settle()
    expect((await stage.facts(stream)).curtain.up).toBe(true)
    await stage.goLive(stream)
    expect(stage.media.calls[0]).toBe('openPublication pub1 on w1 held')
    await stage.watch(stream, 'v1')
    expect(stage.media.flowing(stream.id)).toEqual([])
    await stage.system.ask(stream.id, 'curtain.set', { by: 'owner', up: false, reason: 'manual' })
    await stage.settle()
    expect(stage.media.flowing(stream.id)).toEqual(['v1'])
  })

  test('raised while the session is being set up, it holds what comes of it', async () => {
    const stage = new Stage()
    const stream = await stage.stream({ visibility: 'public' })
    let open = () => {}
    stage.media.gate.open = new Promise((resolve) => {
      open = resolve
    })
    const published = stage.publish(stream)
    await stage.settle()
    await stage.system.ask(stream.id, 'curtain.set', { by: 'desk', up: true, reason: 'manual' })
    open()
    stage.media.fact(await published, 'connected')
    await stage.watch(stream, 'v1')
    expect(stage.media.flowing(stream.id)).toEqual([])
    expect(stage.media.rooms.get(stream.id)?.held).toBe(true)
  })

  test('stays up through a reconnect of the desk', async () => {
    const { stage, stream, publication, curtain } = await live()
    await curtain('desk', true)
    stage.media.fact(publication, 'disconnected')
    await stage.goLive(stream)
    await stage.settle()
    expect((await stage.facts(stream)).curtain.up).toBe(true)
    expect(stage.media.rooms.get(stream.id)?.held).toBe(true)
  })

  test('an ask is answered though the desk goes away while the curtain rises', async () => {
    const { stage, publication, curtain } = await live()
    stage.media.gate.hold = new Promise(() => {})
    const raised = curtain('desk', true)
    await stage.settle()
    stage.media.fact(publication, 'closed')
    expect((await raised).up).toBe(true)
  })

  test('raised while the media layer is still letting go, is answered only when it holds again', async () => {
    const { stage, stream, curtain } = await live()
    await curtain('owner', true)
    const [letting, letGo] = gate()
    stage.media.gate.release = letting
    expect((await curtain('owner', false)).up).toBe(false)
    const [holding, hold] = gate()
    stage.media.gate.hold = holding
    const order: string[] = []
    const raised = curtain('desk', true).then(() => order.push('answered'))
    await stage.settle()
    expect(order).toEqual([])
    order.push('held')
    hold()
    await raised
    expect(order).toEqual(['held', 'answered'])
    letGo()
    await stage.settle()
    expect(stage.media.flowing(stream.id)).toEqual([])
  })

  test('lowered while the store is slow, holds a session that begins in between', async () => {
    const stage = new Stage()
    const stream = await stage.stream({ visibility: 'public' })
    const set = (up: boolean) => stage.system.ask(stream.id, 'curtain.set', { by: 'owner', up, reason: 'manual' })
    await set(true)
    const [keeping, keep] = gate()
    stage.store.gate = keeping
    const lowered = set(false)
    await stage.settle()
    expect((await stage.facts(stream)).curtain.up).toBe(true)
    await stage.goLive(stream)
    await stage.watch(stream, 'v')
    expect(stage.media.flowing(stream.id)).toEqual([])
    keep()
    expect((await lowered).up).toBe(false)
    await stage.settle()
    expect(stage.media.flowing(stream.id)).toEqual(['v'])
  })

  test('lowered and let go while a session is being set up behind it, does not hold that session for ever', async () => {
    const { stage, stream, publication, curtain } = await live()
    await curtain('owner', true)
    stage.media.fact(publication, 'disconnected')
    const [opening, open] = gate()
    const [letting, letGo] = gate()
    stage.media.gate.open = opening
    stage.media.gate.release = letting
    const again = stage.publish(stream)
    await curtain('owner', false)
    await stage.settle()
    open()
    stage.media.fact(await again, 'connected')
    letGo()
    await stage.watch(stream, 'v2')
    expect(stage.media.flowing(stream.id)).toEqual(['v2'])
  })

  test('of two lowerings of which the first is not kept, keeps up what the first was to take down', async () => {
    const { stage, stream, curtain } = await live()
    await curtain('desk', true)
    await curtain('moderator', true)
    await stage.pass(2000)
    stage.store.failing = 1
    const [desk, moderator] = await Promise.all([refusal(curtain('desk', false)), curtain('moderator', false)])
    expect([desk, moderator.up]).toEqual(['store_unavailable', true])
    await stage.pass(1000)
    const holds = { desk: { raisedAt: 0, reason: 'password_field' } } as const
    expect(await stage.system.ask(stream.id, 'curtain.holds', {})).toEqual(holds)
    expect(stage.store.records.get(stream.id)?.curtain.holds).toEqual(holds)
    expect(stage.media.flowing(stream.id)).toEqual([])
  })

  test('raised behind a lowering that is not kept, keeps both holds', async () => {
    const { stage, stream, curtain } = await live()
    await curtain('owner', true)
    stage.store.failing = 1
    await Promise.all([refusal(curtain('owner', false)), curtain('desk', true)])
    await stage.pass(1000)
    const { holds } = stage.store.records.get(stream.id)?.curtain ?? { holds: {} }
    expect(Object.keys(holds).sort()).toEqual(['desk', 'owner'])
  })

  test('is kept as up again when a lowering was done and its answer lost', async () => {
    const { stage, stream, curtain } = await live()
    await curtain('owner', true)
    stage.store.cutOff = true
    expect(await refusal(curtain('owner', false))).toBe('store_unavailable')
    await stage.settle()
    expect(Object.keys(stage.store.records.get(stream.id)?.curtain.holds ?? {})).toEqual(['owner'])
    expect(stage.media.flowing(stream.id)).toEqual([])
  })

  test('that waits for the store does not let a lowering wait with it, to come true unasked', async () => {
    const { stage, stream, curtain } = await live()
    stage.store.down = true
    expect(await refusal(curtain('desk', true))).toBe('store_unavailable')
    expect(await refusal(curtain('owner', false))).toBe('store_unavailable')
    stage.store.down = false
    await stage.pass(3000)
    expect((await stage.facts(stream)).curtain.up).toBe(true)
    expect(Object.keys(stage.store.records.get(stream.id)?.curtain.holds ?? {})).toEqual(['desk'])
    expect((await curtain('owner', false)).up).toBe(false)
  })
})
