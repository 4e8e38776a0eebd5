import { describe, expect, setDefaultTimeout, test } from 'bun:test'
import { hour, refusal, Stage } from './stage.ts'

const minute = 60_000

// Hours pass in these, a second at a time.
setDefaultTimeout(60_000)

describe('a stream', () => {
  test('goes live with its ticket, and its desk gets the answer', async () => {
    const stage = new Stage()
    const stream = await stage.stream()
    expect((await stage.facts(stream)).state).toBe('idle')
    const { answer } = await stage.system.ask(stream.id, 'publish', {
      ticket: stream.ticket,
      publication: 'p',
      offer: 'offer',
    })
    expect(answer).toBe('answer to offer')
    const { state, link, media, startedAt, endsAt } = await stage.facts(stream)
    expect({ state, link, media, startedAt, endsAt }).toEqual({
      state: 'live',
      link: 'connecting',
      media: 1,
      startedAt: 0,
      endsAt: 4 * hour,
    })
    stage.media.fact('p', 'connected')
    expect((await stage.facts(stream)).link).toBe('flowing')
  })

  test('a bad offer is refused and leaves it idle with the ticket good', async () => {
    const stage = new Stage()
    const stream = await stage.stream()
    expect(await refusal(stage.publish(stream, 'bad'))).toBe('invalid_sdp')
    expect((await stage.facts(stream)).state).toBe('idle')
    await stage.goLive(stream)
    expect((await stage.facts(stream)).state).toBe('live')
  })

  test('a wrong ticket is refused, whatever the desk asks', async () => {
    const stage = new Stage()
    const { id } = await stage.stream()
    const ticket = 'another'
    const ask = stage.system.ask
    expect(await refusal(ask(id, 'publish', { ticket, publication: 'p', offer: 'o' }))).toBe('invalid_ticket')
    expect(await refusal(ask(id, 'desk.state', { ticket }))).toBe('invalid_ticket')
    expect(await refusal(ask(id, 'end', { ticket, why: 'desk' }))).toBe('invalid_ticket')
    expect(await refusal(ask(id, 'curtain.set', { ticket, by: 'desk', up: true, reason: 'manual' }))).toBe(
      'invalid_ticket',
    )
    expect(await refusal(ask(id, 'unpublish', { ticket, publication: 'p' }))).toBe('invalid_ticket')
    expect(await ask(id, 'ticket.verify', { ticket })).toBe('invalid')
  })

  test('a second session is refused while one is up, and takes over once its link is lost', async () => {
    const stage = new Stage()
    const stream = await stage.stream()
    const first = await stage.publish(stream)
    expect(await refusal(stage.publish(stream))).toBe('already_publishing')
    stage.media.fact(first, 'connected')
    expect(await refusal(stage.publish(stream))).toBe('already_publishing')
    stage.media.fact(first, 'disconnected')
    expect((await stage.facts(stream)).link).toBe('interrupted')
    const second = await stage.goLive(stream)
    expect(stage.media.calls).toContain(`closePublication ${first}`)
    expect(stage.media.rooms.get(stream.id)?.publication).toBe(second)
    const { link, media } = await stage.facts(stream)
    expect({ link, media }).toEqual({ link: 'flowing', media: 2 })
  })

  test('a session that never connects is over after 15 s', async () => {
    const stage = new Stage()
    const stream = await stage.stream()
    await stage.publish(stream)
    await stage.pass(14_999)
    expect((await stage.facts(stream)).state).toBe('live')
    await stage.pass(1)
    expect((await stage.facts(stream)).state).toBe('idle')
  })

  test('a lost link has 15 s of grace', async () => {
    const stage = new Stage()
    const stream = await stage.stream({ visibility: 'public' })
    const publication = await stage.goLive(stream)
    stage.media.fact(publication, 'disconnected')
    await stage.pass(14_999)
    expect((await stage.facts(stream)).link).toBe('interrupted')
    stage.media.fact(publication, 'connected')
    expect((await stage.facts(stream)).link).toBe('flowing')
    stage.media.fact(publication, 'disconnected')
    await stage.pass(15_000)
    expect((await stage.facts(stream)).state).toBe('idle')
    expect((await stage.facts(stream)).endsAt).toBe(4 * hour)
  })

  test('a desk that is to encode and is silent for 3 s is interrupted', async () => {
    const stage = new Stage()
    const stream = await stage.stream({ visibility: 'public' })
    const publication = await stage.goLive(stream)
    await stage.pass(2_900)
    stage.media.fact(publication, 'packets')
    await stage.pass(2_900)
    expect((await stage.facts(stream)).link).toBe('flowing')
    await stage.pass(100)
    expect((await stage.facts(stream)).link).toBe('interrupted')
    stage.media.fact(publication, 'packets')
    expect((await stage.facts(stream)).link).toBe('flowing')
  })

  test('a desk that was told not to encode may be silent, until it is told to encode', async () => {
    const stage = new Stage()
    const stream = await stage.stream()
    const publication = await stage.goLive(stream)
    const state = () => stage.system.ask(stream.id, 'desk.state', { ticket: stream.ticket })
    expect((await state()).encode).toBe(false)
    await stage.pass(minute)
    expect((await stage.facts(stream)).link).toBe('flowing')
    await stage.join(stream, 'v')
    await stage.pass(minute)
    expect((await stage.facts(stream)).link).toBe('flowing')
    expect((await state()).encode).toBe(true)
    stage.media.fact(publication, 'packets')
    await stage.pass(3_000)
    expect((await stage.facts(stream)).link).toBe('interrupted')
  })

  test('ends when its ticket expires with no renewal', async () => {
    const stage = new Stage()
    const stream = await stage.stream({ visibility: 'public' })
    const publication = await stage.goLive(stream)
    for (let at = 0; at < 4 * hour - 2_000; at += 2_000) {
      await stage.pass(2_000)
      stage.media.fact(publication, 'packets')
    }
    expect((await stage.facts(stream)).state).toBe('live')
    await stage.pass(2_000)
    const facts = await stage.facts(stream)
    expect(facts.ended).toEqual({ at: 4 * hour, why: 'ticket_expired' })
    expect(facts.workedMs).toBe(4 * hour)
    expect(stage.media.rooms.size).toBe(0)
    expect(stage.store.records.get(stream.id)?.ended?.why).toBe('ticket_expired')
  })

  test('renewal at three hours carries a running session on; the old ticket serves 60 s more', async () => {
    const stage = new Stage()
    const stream = await stage.stream({ visibility: 'private' })
    await stage.goLive(stream)
    await stage.system.ask(stream.id, 'desk.state', { ticket: stream.ticket })
    await stage.pass(3 * hour)
    const { expiresAt } = await stage.system.ask(stream.id, 'ticket.mint', { hash: 'new' })
    expect(expiresAt).toBe(7 * hour)
    const verify = (ticket: string) => stage.system.ask(stream.id, 'ticket.verify', { ticket })
    expect(await verify('new')).toBe('current')
    expect(await verify(stream.ticket)).toBe('replaced')
    await stage.pass(minute - 1)
    expect(await verify(stream.ticket)).toBe('replaced')
    await stage.pass(1)
    expect(await verify(stream.ticket)).toBe('invalid')
    await stage.pass(2 * hour)
    expect((await stage.facts(stream)).state).toBe('live')
    await stage.pass(2 * hour)
    expect((await stage.facts(stream)).ended?.at).toBe(7 * hour)
  })

  test('revoking the ticket ends the session at once, and a new ticket brings it back', async () => {
    const stage = new Stage()
    const stream = await stage.stream()
    await stage.goLive(stream)
    stage.store.down = true
    const revoked = refusal(stage.system.ask(stream.id, 'ticket.revoke', {}))
    expect(stage.media.rooms.size).toBe(0)
    expect(await revoked).toBe('store_unavailable')
    expect(await refusal(stage.publish(stream))).toBe('invalid_ticket')
    stage.store.down = false
    await stage.pass(1000)
    expect(stage.store.records.get(stream.id)?.ticket).toBeNull()
    await stage.system.ask(stream.id, 'ticket.mint', { hash: 'new' })
    await stage.goLive({ id: stream.id, ticket: 'new' })
    expect((await stage.facts(stream)).state).toBe('live')
  })

  test('a ticket that is minted while the tickets are revoked is dead', async () => {
    const stage = new Stage()
    const stream = await stage.stream()
    const minted = refusal(stage.system.ask(stream.id, 'ticket.mint', { hash: 'new' }))
    await stage.system.ask(stream.id, 'ticket.revoke', {})
    expect(await minted).toBe('invalid_ticket')
    expect(await stage.system.ask(stream.id, 'ticket.verify', { ticket: 'new' })).toBe('invalid')
    expect(stage.store.records.get(stream.id)?.ticket).toBeNull()
  })

  test('an ended stream accepts nothing, and says so', async () => {
    const stage = new Stage()
    const stream = await stage.stream()
    await stage.goLive(stream)
    await stage.watch(stream, 'v')
    expect((await stage.system.ask(stream.id, 'end', { why: 'owner' })).state).toBe('ended')
    const { id, ticket } = stream
    const ask = stage.system.ask
    expect(stage.media.rooms.size).toBe(0)
    expect(await refusal(stage.publish(stream))).toBe('invalid_ticket')
    expect(await refusal(ask(id, 'ticket.mint', { hash: 'h' }))).toBe('stream_ended')
    expect(await refusal(ask(id, 'desk.state', { ticket }))).toBe('invalid_ticket')
    expect(await refusal(ask(id, 'curtain.set', { by: 'owner', up: true, reason: 'manual' }))).toBe('stream_ended')
    expect(await refusal(stage.whep(stream, 'w'))).toBe('stream_ended')
    // The specification's own check: ended, then revoked, and both answered.
    expect((await ask(id, 'ticket.revoke', {})).state).toBe('ended')
    expect((await ask(id, 'end', { why: 'owner' })).ended).toEqual({ at: 0, why: 'owner' })
    expect((await stage.facts(stream)).viewers).toBe(0)
  })

  test('the time on air is counted over sessions and kept every minute', async () => {
    const stage = new Stage()
    const stream = await stage.stream()
    const first = await stage.goLive(stream)
    await stage.system.ask(stream.id, 'desk.state', { ticket: stream.ticket })
    await stage.pass(minute)
    expect(stage.store.records.get(stream.id)?.workedMs).toBe(minute)
    await stage.pass(minute / 2)
    await stage.system.ask(stream.id, 'unpublish', { ticket: stream.ticket, publication: first })
    await stage.pass(hour)
    await stage.goLive(stream)
    await stage.system.ask(stream.id, 'desk.state', { ticket: stream.ticket })
    await stage.pass(minute / 2)
    await stage.system.ask(stream.id, 'end', { why: 'desk' })
    const facts = await stage.facts(stream)
    expect(facts.workedMs).toBe(2 * minute)
    expect(facts.startedAt).toBe(0)
  })

  test('a crash while live loses no ticket: the stream is loaded idle', async () => {
    const before = new Stage()
    const stream = await before.stream()
    await before.goLive(stream)
    before.system.stop()
    const after = new Stage({ store: before.store })
    await after.settle()
    expect((await after.facts(stream)).state).toBe('idle')
    await after.goLive(stream)
    expect((await after.facts(stream)).link).toBe('flowing')
  })

  test('a stream whose ticket expired while it slept is ended when it wakes', async () => {
    const before = new Stage()
    const stream = await before.stream()
    before.system.stop()
    const after = new Stage({ store: before.store })
    after.clock.increment(5 * hour)
    await after.settle()
    expect((await after.facts(stream)).ended).toEqual({ at: 4 * hour, why: 'ticket_expired' })
    expect(await refusal(after.publish(stream))).toBe('invalid_ticket')
  })

  test('whoever ends or revokes what has ended already, but is not kept so, waits until it is', async () => {
    const stage = new Stage()
    const stream = await stage.stream()
    stage.store.down = true
    const end = () => stage.system.ask(stream.id, 'end', { why: 'owner' })
    const revoke = () => stage.system.ask(stream.id, 'ticket.revoke', {})
    expect(await refusal(end())).toBe('store_unavailable')
    expect(await refusal(end())).toBe('store_unavailable')
    expect(await refusal(revoke())).toBe('store_unavailable')
    stage.store.down = false
    expect((await revoke()).state).toBe('ended')
    expect(stage.store.records.get(stream.id)?.ended).toEqual({ at: 0, why: 'owner' })
    expect((await end()).state).toBe('ended')
  })

  test('its start and its time on air are kept when the store is back', async () => {
    const stage = new Stage()
    const stream = await stage.stream()
    stage.store.down = true
    const session = await stage.goLive(stream)
    await stage.system.ask(stream.id, 'desk.state', { ticket: stream.ticket })
    await stage.pass(2 * minute)
    await stage.system.ask(stream.id, 'unpublish', { ticket: stream.ticket, publication: session })
    await stage.pass(minute)
    stage.store.down = false
    await stage.pass(minute)
    const { startedAt, workedMs } = await stage.facts(stream)
    expect(stage.store.loads).toBe(1)
    expect({ startedAt, workedMs }).toEqual({ startedAt: 0, workedMs: 2 * minute })
  })

  test('a ticket that is asked for while something else waits for the store is refused, and not minted later', async () => {
    const stage = new Stage()
    const stream = await stage.stream()
    stage.store.down = true
    const set = { by: 'owner', up: true, reason: 'manual' } as const
    expect(await refusal(stage.system.ask(stream.id, 'curtain.set', set))).toBe('store_unavailable')
    expect(await refusal(stage.system.ask(stream.id, 'ticket.mint', { hash: 'new' }))).toBe('store_unavailable')
    stage.store.down = false
    await stage.pass(5000)
    expect(stage.store.records.get(stream.id)?.ticket?.hash).toBe(stream.ticket)
    expect(await stage.system.ask(stream.id, 'ticket.verify', { ticket: stream.ticket })).toBe('current')
  })
})
