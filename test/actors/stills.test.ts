import { describe, expect, test } from 'bun:test'
import type { Still } from '../../src/actors/ports/store.ts'
import { refusal, Stage } from './stage.ts'

const still = (hash: string): Still => ({ hash, type: 'image/webp', size: 3, at: 5 })

async function withStill() {
  const stage = new Stage()
  const stream = await stage.stream()
  const set = (hash: string, ticket = stream.ticket) =>
    stage.system.ask(stream.id, 'still.set', { ticket, still: still(hash) })
  const get = () => stage.system.ask(stream.id, 'still.get', {})
  const curtain = (by: 'owner' | 'desk', up: boolean) =>
    stage.system.ask(stream.id, 'curtain.set', { by, up, reason: 'secret_file' })
  return { stage, stream, set, get, curtain }
}

describe('the last still', () => {
  test('is none at first, then the one that came last, and is kept', async () => {
    const { stage, stream, set, get } = await withStill()
    expect(await get()).toBeNull()
    expect((await stage.facts(stream)).still).toBe(false)
    await set('a')
    await set('b')
    expect(await get()).toEqual(still('b'))
    expect((await stage.facts(stream)).still).toBe(true)
    expect(stage.store.records.get(stream.id)?.still).toEqual(still('b'))
  })

  test('takes a ticket to set', async () => {
    const { stage, stream, set, get } = await withStill()
    expect(await refusal(set('a', 'another'))).toBe('invalid_ticket')
    await stage.system.ask(stream.id, 'ticket.revoke', {})
    expect(await refusal(set('a'))).toBe('invalid_ticket')
    expect(await get()).toBeNull()
  })

  test('neither goes in nor out behind the curtain, and is there again when it is down', async () => {
    const { stage, stream, set, get, curtain } = await withStill()
    await set('a')
    const raised = curtain('owner', true)
    expect(await refusal(get())).toBe('curtain_up')
    await raised
    expect(await refusal(set('b'))).toBe('curtain_up')
    expect((await stage.facts(stream)).still).toBe(false)
    const lowered = curtain('owner', false)
    expect(await refusal(get())).toBe('curtain_up')
    await lowered
    expect(await get()).toEqual(still('a'))
  })

  test('stays behind a curtain whose lowering is not kept', async () => {
    const { stage, set, get, curtain } = await withStill()
    await set('a')
    await curtain('owner', true)
    stage.store.down = true
    expect(await refusal(curtain('owner', false))).toBe('store_unavailable')
    expect(await refusal(get())).toBe('curtain_up')
  })

  test('that is not kept is not the last one', async () => {
    const { stage, set, get } = await withStill()
    await set('a')
    stage.store.down = true
    expect(await refusal(set('b'))).toBe('store_unavailable')
    expect(await get()).toEqual(still('a'))
  })

  test('of an ended stream stays to be seen, and no other comes', async () => {
    const { stage, stream, set, get } = await withStill()
    await set('a')
    await stage.system.ask(stream.id, 'end', { why: 'owner' })
    expect(await get()).toEqual(still('a'))
    expect(await refusal(set('b'))).toBe('invalid_ticket')
  })
})

describe('who holds the curtain', () => {
  test('is told with the reason of each, through a restart', async () => {
    const { stage, stream, curtain } = await withStill()
    await curtain('desk', true)
    await stage.pass(1000)
    await curtain('owner', true)
    const holds = {
      desk: { raisedAt: 0, reason: 'secret_file' },
      owner: { raisedAt: 1000, reason: 'secret_file' },
    } as const
    expect(await stage.system.ask(stream.id, 'curtain.holds', {})).toEqual(holds)
    stage.system.stop()
    const after = new Stage({ store: stage.store })
    await after.settle()
    expect(await after.system.ask(stream.id, 'curtain.holds', {})).toEqual(holds)
    expect(JSON.stringify(await after.facts(stream))).not.toContain('secret_file')
    await after.system.ask(stream.id, 'curtain.set', { by: 'owner', up: false, reason: 'manual' })
    expect(await after.system.ask(stream.id, 'curtain.holds', {})).toEqual({})
  })
})
