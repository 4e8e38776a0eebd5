import { describe, expect, test } from 'bun:test'
import type { NewStream } from '../../src/actors/ports/store.ts'
import type { ViewRight } from '../../src/actors/ports/view-right.ts'
import type { Visibility } from '../../src/contracts/agent-stream.ts'
import { refusal, Stage } from './stage.ts'

const byLink = (key: string): ViewRight => ({ type: 'link', key })
const publicly: ViewRight = { type: 'public' }
const moderator: ViewRight = { type: 'moderator', person: 'usr_mod' }
const shared = (person: string): ViewRight => ({ type: 'shared', person })

/** A live stream, its viewers by each right that it allows, and who was dropped. */
async function live(options: Partial<NewStream>, watchers: Readonly<Record<string, ViewRight>>) {
  const stage = new Stage()
  const stream = await stage.stream(options)
  await stage.goLive(stream)
  const dropped: string[] = []
  stage.system.watch(stream.id, (news) => {
    if (news.type === 'dropped') dropped.push(news.viewer)
  })
  for (const [viewer, right] of Object.entries(watchers)) await stage.watch(stream, viewer, { right })
  const set = (visibility: Visibility) => stage.system.ask(stream.id, 'visibility.set', { visibility })
  const flowing = () => stage.media.flowing(stream.id)
  const kept = () => stage.store.records.get(stream.id)
  return { stage, stream, dropped, set, flowing, kept }
}

const everybody = {
  owner: { type: 'owner' },
  desk: { type: 'desk' },
  shared: shared('usr_bob'),
  moderator,
  link: byLink('key'),
  public: publicly,
} as const satisfies Record<string, ViewRight>

describe('visibility', () => {
  test('made narrower, drops who may not watch any more, and nobody else', async () => {
    const { stage, stream, dropped, set, flowing, kept } = await live(
      { visibility: 'public', linkKeyHash: 'key' },
      everybody,
    )
    expect(flowing()).toEqual(['owner', 'desk', 'shared', 'moderator', 'link', 'public'])
    expect((await set('unlisted')).visibility).toBe('unlisted')
    await stage.settle()
    expect(flowing()).toEqual(['owner', 'desk', 'shared', 'moderator', 'link'])
    expect(dropped).toEqual(['public'])
    expect(kept()?.visibility).toBe('unlisted')
    expect((await set('private')).visibility).toBe('private')
    await stage.settle()
    expect(flowing()).toEqual(['owner', 'desk', 'shared'])
    expect(dropped).toEqual(['public', 'moderator', 'link'])
    expect((await stage.facts(stream)).viewers).toBe(3)
    expect(kept()?.visibility).toBe('private')
  })

  test('made narrower, holds at once: before it is kept, and though it cannot be kept', async () => {
    const { stage, stream, set, flowing, kept } = await live({ visibility: 'public' }, { v: publicly })
    stage.store.down = true
    const asked = refusal(set('private'))
    expect(flowing()).toEqual([])
    expect(await asked).toBe('store_unavailable')
    expect((await stage.facts(stream)).visibility).toBe('private')
    expect(await refusal(stage.join(stream, 'w', { right: publicly }))).toBe('not_found')
    expect(kept()?.visibility).toBe('public')
    stage.store.down = false
    await stage.pass(1000)
    expect(kept()?.visibility).toBe('private')
  })

  test('made wider, holds when it is kept, and not when it is not', async () => {
    const { stage, stream, set } = await live({ visibility: 'private' }, {})
    stage.store.down = true
    expect(await refusal(set('public'))).toBe('store_unavailable')
    expect((await stage.facts(stream)).visibility).toBe('private')
    expect(await refusal(stage.whep(stream, 'w', { right: publicly }))).toBe('not_found')
    stage.store.down = false
    await stage.pass(10_000)
    expect((await stage.facts(stream)).visibility).toBe('private')
    expect((await set('public')).visibility).toBe('public')
    await stage.watch(stream, 'v', { right: publicly })
  })

  test('made wider and narrower in one breath, stays narrow', async () => {
    const { stage, stream, set, kept } = await live({ visibility: 'private' }, {})
    const seen: Visibility[] = []
    stage.system.watch(stream.id, (news) => {
      if (news.type === 'facts') seen.push(news.facts.visibility)
    })
    await Promise.all([set('public'), set('private')])
    expect((await stage.facts(stream)).visibility).toBe('private')
    expect(kept()?.visibility).toBe('private')
    expect(seen).not.toContain('public')
  })

  test('made narrower and wider in one breath, drops first and is wide then', async () => {
    const { stage, stream, dropped, set, kept } = await live({ visibility: 'public' }, { v: publicly })
    await Promise.all([set('private'), set('public')])
    expect(dropped).toEqual(['v'])
    expect((await stage.facts(stream)).visibility).toBe('public')
    expect(kept()?.visibility).toBe('public')
  })

  test('made wider twice, of which the second is not kept, is what the first made it', async () => {
    const { stage, stream, set, kept } = await live({ visibility: 'private' }, {})
    const first = set('unlisted')
    const second = refusal(set('public'))
    stage.store.gate = first.then(() => {
      stage.store.failing = 1
    })
    expect((await first).visibility).toBe('unlisted')
    expect(await second).toBe('store_unavailable')
    expect((await stage.facts(stream)).visibility).toBe('unlisted')
    await stage.settle()
    expect(kept()?.visibility).toBe('unlisted')
  })

  test('made wider, and then less wide while the store is away: the last word is kept', async () => {
    const { stage, stream, set, kept } = await live({ visibility: 'private' }, {})
    await Promise.all([
      set('public').then(() => {
        stage.store.failing = 1
      }),
      refusal(set('unlisted')),
    ])
    expect((await stage.facts(stream)).visibility).toBe('unlisted')
    await stage.pass(1000)
    expect(kept()?.visibility).toBe('unlisted')
  })

  test('is kept as narrow again when widening it was done and the answer lost', async () => {
    const { stage, stream, set, kept } = await live({ visibility: 'private' }, {})
    stage.store.cutOff = true
    expect(await refusal(set('public'))).toBe('store_unavailable')
    await stage.settle()
    expect((await stage.facts(stream)).visibility).toBe('private')
    expect(kept()?.visibility).toBe('private')
  })

  test('survives a restart', async () => {
    const { stage, stream, set } = await live({ visibility: 'public' }, {})
    await set('private')
    stage.system.stop()
    const after = new Stage({ store: stage.store })
    await after.settle()
    expect((await after.facts(stream)).visibility).toBe('private')
    expect(await refusal(after.join(stream, 'v', { right: publicly }))).toBe('not_found')
  })
})

describe('the link', () => {
  test('is known by its key', async () => {
    const { stage, stream } = await live({ visibility: 'unlisted', linkKeyHash: 'key' }, {})
    const verify = (key: string) => stage.system.ask(stream.id, 'link.verify', { key })
    expect([await verify('key'), await verify('other'), await verify('')]).toEqual([true, false, false])
  })

  test('that was never made is nobody’s', async () => {
    const { stage, stream } = await live({ visibility: 'unlisted', linkKeyHash: null }, {})
    expect(await stage.system.ask(stream.id, 'link.verify', { key: 'null' })).toBe(false)
    expect(await refusal(stage.join(stream, 'v', { right: byLink('null') }))).toBe('not_found')
  })

  test('rotated, drops those who came by the old one, at once, and opens nothing any more', async () => {
    const { stage, stream, dropped, flowing, kept } = await live(
      { visibility: 'unlisted', linkKeyHash: 'old' },
      { a: byLink('old'), b: byLink('old'), owner: { type: 'owner' } },
    )
    stage.store.down = true
    const rotated = refusal(stage.system.ask(stream.id, 'link.rotate', { key: 'new' }))
    expect(flowing()).toEqual(['owner'])
    expect(dropped).toEqual(['a', 'b'])
    expect(await rotated).toBe('store_unavailable')
    expect(await refusal(stage.join(stream, 'c', { right: byLink('old') }))).toBe('not_found')
    expect(kept()?.linkKeyHash).toBe('old')
    stage.store.down = false
    await stage.pass(1000)
    expect(kept()?.linkKeyHash).toBe('new')
    await stage.watch(stream, 'd', { right: byLink('new') })
    expect(flowing()).toEqual(['owner', 'd'])
  })

  test('of before drops its viewers when a public stream becomes unlisted', async () => {
    const { stage, stream, dropped, set, flowing } = await live(
      { visibility: 'public', linkKeyHash: 'old' },
      { a: byLink('old') },
    )
    await stage.system.ask(stream.id, 'link.rotate', { key: 'new' })
    expect(flowing()).toEqual(['a'])
    await set('unlisted')
    expect(dropped).toEqual(['a'])
    expect(flowing()).toEqual([])
  })
})

describe('sharing', () => {
  test('taken back, drops that person wherever they watch, and nobody else', async () => {
    const { stage, stream, dropped, flowing } = await live(
      { visibility: 'private' },
      { b1: shared('usr_bob'), c: shared('usr_cy'), b2: shared('usr_bob'), owner: { type: 'owner' } },
    )
    expect(await stage.system.ask(stream.id, 'share.removed', { person: 'usr_bob' })).toBeNull()
    expect(flowing()).toEqual(['c', 'owner'])
    expect(dropped).toEqual(['b1', 'b2'])
    expect((await stage.facts(stream)).viewers).toBe(2)
  })

  test('is not a moderator’s right: each is taken back by itself', async () => {
    const bob = 'usr_bob'
    const { stage, stream, dropped, flowing } = await live(
      { visibility: 'unlisted' },
      {
        shared: shared(bob),
        moderator: { type: 'moderator', person: bob },
        other: { type: 'moderator', person: 'usr_cy' },
      },
    )
    expect(await stage.system.ask(stream.id, 'moderator.removed', { person: bob })).toBeNull()
    expect(dropped).toEqual(['moderator'])
    expect(flowing()).toEqual(['shared', 'other'])
    await stage.system.ask(stream.id, 'share.removed', { person: bob })
    expect(flowing()).toEqual(['other'])
  })

  test('taken back while a viewer’s session is being set up: its ask is refused, and it is gone', async () => {
    const { stage, stream, flowing } = await live({ visibility: 'private' }, {})
    const { facts } = await stage.join(stream, 'b', { right: shared('usr_bob') })
    const consume = { viewer: 'b', media: facts.media ?? 0, rtpCapabilities: {} }
    const consumed = refusal(stage.system.ask(stream.id, 'viewer.consume', consume))
    await stage.system.ask(stream.id, 'share.removed', { person: 'usr_bob' })
    expect(await consumed).toBe('not_live')
    expect(await refusal(stage.system.ask(stream.id, 'viewer.consume', consume))).toBe('session_not_found')
    expect(flowing()).toEqual([])
    expect((await stage.facts(stream)).viewers).toBe(0)
  })
})
