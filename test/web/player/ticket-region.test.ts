import { describe, expect, test } from 'bun:test'
import { sentences } from '../../../src/web/player/sentences.ts'
import { startTestPlayer } from './fake-effects.ts'
import { bringUp, joined, play, show, type TestPlayer } from './server-lines.ts'

const minute = 60_000
const key = 'k'.repeat(22)

/** A player of a private stream that plays, its ticket renewed for ten minutes. */
async function playPrivately(input: { vt?: string; k?: string } = { vt: 'wvt_1' }) {
  const t = startTestPlayer(input)
  await play(t)
  t.request().grant('wvt_1')
  await t.settle()
  return t
}

/** Answers the request of now, and lets the player hear it. */
async function answer(t: TestPlayer, how: (request: ReturnType<TestPlayer['request']>) => void) {
  how(t.request())
  await t.settle()
}

describe('a public stream', () => {
  test('needs no ticket and asks for none', async () => {
    const t = startTestPlayer()
    await play(t)
    t.clock.increment(4 * 60 * minute)
    t.tellPage({ type: 'page.awake' })
    await t.settle()
    expect(t.asked()).toBe('')
    expect(t.player.state.phase).toBe('playing')
  })

  test('made private while watched: one mint, then the sentence, and no more trying', async () => {
    const t = startTestPlayer()
    await play(t)
    t.socket().say({ type: 'problem', code: 'view_ticket_required', detail: 'You may not watch this stream any more.' })
    t.socket().lose(4003)
    expect(t.asked()).toBe('m')
    expect(t.link().closed).toBe(true)
    expect(t.player.state.picture).toBe(false)
    await answer(t, (request) => request.refuse())
    expect(t.player.state.phase).toBe('refused')
    expect(t.player.state.sentence).toBe(sentences.noLonger)
    expect(t.player.state.stream).toBeNull()
    t.tellPage({ type: 'page.awake' })
    t.clock.increment(60 * minute)
    await t.settle()
    expect(t.asked()).toBe('m')
    expect(t.sockets.length).toBe(1)
  })

  test('made private while the owner watches: goes on with a ticket', async () => {
    const t = startTestPlayer()
    await play(t)
    t.socket().lose(4003)
    await answer(t, (request) => request.grant('wvt_2'))
    expect(t.sockets.length).toBe(2)
    t.socket().open()
    expect(t.socket().last('join').vt).toBe('wvt_2')
    expect(t.socket().last('join').resume).toBeUndefined()
    joined(t.socket(), { media: 1, viewer: 'vwr_2', stream: { visibility: 'private' } })
    await bringUp(t)
    expect(t.player.state.phase).toBe('playing')
  })

  test('that another makes public goes on as it is', async () => {
    const t = await playPrivately()
    show(t.socket(), 1, { visibility: 'public' })
    await t.settle()
    expect(t.player.state.stream?.visibility).toBe('public')
    expect(t.player.state.phase).toBe('playing')
    expect(t.sockets.length).toBe(1)
    expect(t.links.length).toBe(1)
  })
})

describe('renewal', () => {
  test('a ticket of unknown age is renewed as soon as the join stands, and not before', async () => {
    const t = startTestPlayer({ vt: 'wvt_1' })
    t.socket().open()
    await t.settle()
    expect(t.asked()).toBe('')
    joined(t.socket())
    expect(t.requests.map(({ kind, secret }) => ({ kind, secret }))).toEqual([{ kind: 'renew', secret: 'wvt_1' }])
  })

  test('then two to three minutes before its end', async () => {
    const t = await playPrivately()
    t.clock.increment(7 * minute - 1)
    expect(t.asked()).toBe('r')
    t.clock.increment(1)
    expect(t.asked()).toBe('rr')
    await answer(t, (request) => request.grant('wvt_1', 5 * minute))
    // A short life is renewed at its half.
    t.clock.increment(2.5 * minute - 1)
    expect(t.asked()).toBe('rr')
    t.clock.increment(1)
    expect(t.asked()).toBe('rrr')
  })

  test('it touches neither socket nor picture', async () => {
    const t = await playPrivately()
    for (let round = 0; round < 5; round += 1) {
      t.clock.increment(7 * minute)
      await answer(t, (request) => request.grant('wvt_1'))
    }
    expect(t.asked()).toBe('rrrrrr')
    expect(t.sockets.length).toBe(1)
    expect(t.socket().count('join')).toBe(1)
    expect(t.links.length).toBe(1)
    expect(t.player.state.phase).toBe('playing')
  })

  test('four hours and more: renewed, then minted anew, and the viewer resumes with its picture', async () => {
    const t = startTestPlayer({ vt: 'wvt_0' })
    const office = startOffice(t)
    await play(t)
    await office.answer()
    const told = t.states.length
    await office.run(9 * 60 * minute)
    // A mint each time that four hours are nearly over, and nothing was ever asked with a ticket that had ended.
    expect(office.minted).toEqual(['wvt_1', 'wvt_2'])
    expect(office.tooLate).toBe(0)
    expect(office.busiest).toBeLessThanOrEqual(2)
    expect(t.sockets.map((socket) => socket.last('join').vt)).toEqual(['wvt_0', 'wvt_1', 'wvt_2'])
    expect(t.sockets.map((socket) => socket.last('join').resume)).toEqual([undefined, 'vwr_1', 'vwr_1'])
    expect(t.sockets.slice(0, -1).every((socket) => socket.closed)).toBe(true)
    expect(t.links.length).toBe(1)
    expect(t.link().closed).toBe(false)
    expect(t.states.slice(told).every((state) => state.picture)).toBe(true)
    expect(t.player.state.phase).toBe('playing')
  })

  test('a ticket in its last stretch with no successor: watched to its end, asked once more, then the sentence', async () => {
    const t = startTestPlayer({ vt: 'wvt_1' })
    await play(t)
    await answer(t, (request) => request.grant('wvt_1', 6 * minute, true))
    t.clock.increment(3 * minute)
    expect(t.asked()).toBe('rm')
    await answer(t, (request) => request.refuse())
    expect(t.player.state.phase).toBe('playing')
    t.clock.increment(3 * minute - 1)
    expect(t.asked()).toBe('rm')
    t.clock.increment(1)
    expect(t.asked()).toBe('rmm')
    expect(t.player.state.phase).toBe('playing')
    await answer(t, (request) => request.refuse())
    expect(t.player.state.phase).toBe('refused')
    expect(t.player.state.sentence).toBe(sentences.noLonger)
    expect(t.socket().closed).toBe(true)
    expect(t.link().closed).toBe(true)
  })

  test('refused: one mint by the link’s key; refused too: the sentence', async () => {
    const t = await playPrivately({ vt: 'wvt_1', k: key })
    t.clock.increment(7 * minute)
    await answer(t, (request) => request.refuse())
    expect(t.requests.map(({ kind, secret }) => [kind, secret])).toEqual([
      ['renew', 'wvt_1'],
      ['renew', 'wvt_1'],
      ['mint', key],
    ])
    await answer(t, (request) => request.refuse())
    expect(t.player.state.phase).toBe('refused')
    expect(t.player.state.sentence).toBe(sentences.noLonger)
    expect(t.picture.at(-1)).toBe('clear')
    t.clock.increment(60 * minute)
    expect(t.asked()).toBe('rrm')
  })

  test('stops when the stream has ended', async () => {
    const t = await playPrivately()
    show(t.socket(), null, { state: 'ended' })
    t.clock.increment(60 * minute)
    t.tellPage({ type: 'page.awake' })
    await t.settle()
    expect(t.asked()).toBe('r')
    expect(t.player.state.phase).toBe('ended')
  })

  test('destroy gives up what is being asked', async () => {
    const t = await playPrivately()
    t.clock.increment(7 * minute)
    t.player.destroy()
    expect(t.request().aborted).toBe(true)
    t.clock.increment(60 * minute)
    expect(t.asked()).toBe('rr')
  })
})

describe('no answer to a renewal', () => {
  test('asked again after 1 s, doubling to 30 s, for as long as it takes', async () => {
    const t = await playPrivately()
    t.clock.increment(7 * minute)
    for (const wait of [1000, 2000, 4000, 8000, 16_000, 30_000, 30_000]) {
      const before = t.requests.length
      await answer(t, (request) => request.fail())
      t.clock.increment(wait - 1)
      expect(t.requests.length).toBe(before)
      t.clock.increment(1)
      expect(t.requests.length).toBe(before + 1)
    }
    expect(t.player.state.phase).toBe('playing')
    await answer(t, (request) => request.grant('wvt_1'))
    // And the next loss of an answer begins afresh.
    t.clock.increment(7 * minute)
    await answer(t, (request) => request.fail())
    t.clock.increment(1000)
    expect(t.asked()).toBe('r'.repeat(11))
  })

  test('a server that is asked too often is asked no sooner than it says', async () => {
    const t = await playPrivately()
    t.clock.increment(7 * minute)
    await answer(t, (request) => request.fail(20_000))
    t.clock.increment(20_999)
    expect(t.asked()).toBe('rr')
    t.clock.increment(1)
    expect(t.asked()).toBe('rrr')
  })

  test('one that hangs is given up after ten seconds', async () => {
    const t = await playPrivately()
    t.clock.increment(7 * minute)
    t.clock.increment(10_000)
    expect(t.request().aborted).toBe(true)
    t.clock.increment(1000)
    expect(t.asked()).toBe('rrr')
  })

  test('past the ticket’s end: the server drops the viewer, and a ticket is minted as soon as there is an answer', async () => {
    const t = await playPrivately()
    t.clock.increment(7 * minute)
    await answer(t, (request) => request.fail())
    t.socket().lose(4003)
    expect(t.asked()).toBe('rrm')
    for (const wait of [2000, 4000]) {
      await answer(t, (request) => request.fail())
      expect(t.player.state.phase).toBe('reconnecting')
      t.clock.increment(wait)
    }
    expect(t.asked()).toBe('rrmmm')
    await answer(t, (request) => request.grant('wvt_2'))
    t.socket().open()
    expect(t.socket().last('join').vt).toBe('wvt_2')
    joined(t.socket(), { media: 1, viewer: 'vwr_2' })
    await bringUp(t)
    expect(t.player.state.phase).toBe('playing')
  })

  test('a page that wakes up does not wait', async () => {
    const t = await playPrivately()
    t.clock.increment(7 * minute)
    await answer(t, (request) => request.fail())
    t.tellPage({ type: 'page.awake' })
    expect(t.asked()).toBe('rrr')
  })
})

describe('a page that slept', () => {
  test('renews at once when that is due, whatever its timers say', async () => {
    const t = await playPrivately()
    t.sleep(7 * minute)
    expect(t.asked()).toBe('r')
    t.tellPage({ type: 'page.awake' })
    expect(t.asked()).toBe('rr')
  })

  test('arms its timer afresh when it is not', async () => {
    const t = await playPrivately()
    t.sleep(5 * minute)
    t.tellPage({ type: 'page.awake' })
    t.clock.increment(2 * minute - 1)
    expect(t.asked()).toBe('r')
    t.clock.increment(1)
    expect(t.asked()).toBe('rr')
  })

  test('past its ticket’s end: one mint serves the lost renewal and the lost socket alike', async () => {
    const t = await playPrivately()
    t.sleep(60 * minute)
    t.socket().lose()
    t.tellPage({ type: 'page.awake' })
    t.socket().open()
    await answer(t, (request) => request.refuse())
    expect(t.asked()).toBe('rrm')
    t.socket().say({ type: 'problem', id: t.socket().last('join').id, code: 'invalid_view_ticket', detail: '' })
    t.socket().lose(4003)
    expect(t.asked()).toBe('rrm')
    await answer(t, (request) => request.grant('wvt_2'))
    t.socket().open()
    expect(t.socket().last('join').vt).toBe('wvt_2')
    joined(t.socket(), { media: 1, viewer: 'vwr_2' })
    await bringUp(t)
    expect(t.player.state.phase).toBe('playing')
    expect(t.asked()).toBe('rrm')
  })
})

describe('a join that the server refuses', () => {
  const refusals: [string, (t: TestPlayer) => void][] = [
    ['close code 4003', (t) => t.socket().lose(4003)],
    ...['view_ticket_required', 'invalid_view_ticket', 'sign_in_required'].map(
      (code): [string, (t: TestPlayer) => void] => [
        `problem ${code}`,
        (t) => t.socket().say({ type: 'problem', id: t.socket().last('join').id, code, detail: '' }),
      ],
    ),
  ]
  for (const [name, refuse] of refusals) {
    test(`${name}: minted once, joined anew`, async () => {
      const t = startTestPlayer({ vt: 'wvt_1' })
      t.socket().open()
      refuse(t)
      expect(t.asked()).toBe('m')
      expect(t.player.state.phase).toBe('connecting')
      await answer(t, (request) => request.grant('wvt_2'))
      // Nothing broke: the first join is still under way.
      expect(t.player.state.phase).toBe('connecting')
      t.socket().open()
      expect(t.socket().last('join').vt).toBe('wvt_2')
      joined(t.socket(), { media: 1 })
      await bringUp(t)
      expect(t.player.state.phase).toBe('playing')
      // Its age is known: no renewal before it is due.
      expect(t.asked()).toBe('m')
      t.clock.increment(7 * minute)
      expect(t.request().secret).toBe('wvt_2')
      expect(t.asked()).toBe('mr')
    })

    test(`${name}, and the mint refused: in words, and no more trying`, async () => {
      const t = startTestPlayer({ vt: 'wvt_1' })
      t.socket().open()
      refuse(t)
      await answer(t, (request) => request.refuse())
      expect(t.player.state.phase).toBe('refused')
      expect(t.player.state.sentence).toBe(sentences.ticketNeeded)
      t.tellPage({ type: 'page.awake' })
      t.clock.increment(60 * minute)
      expect(t.asked()).toBe('m')
      expect(t.sockets.length).toBe(1)
    })

    test(`${name}, also with the new ticket: refused without another mint`, async () => {
      const t = startTestPlayer({ vt: 'wvt_1' })
      t.socket().open()
      refuse(t)
      await answer(t, (request) => request.grant('wvt_2'))
      t.socket().open()
      refuse(t)
      expect(t.player.state.phase).toBe('refused')
      expect(t.player.state.sentence).toBe(sentences.ticketNeeded)
      expect(t.asked()).toBe('m')
    })
  }

  test('a new ticket that stood for a while earns another mint; one that did not does not', async () => {
    for (const [stood, phase, asked] of [
      [4999, 'refused', 'm'],
      [5000, 'connecting', 'mm'],
    ] as const) {
      const t = startTestPlayer({ vt: 'wvt_1' })
      t.socket().open()
      t.socket().lose(4003)
      await answer(t, (request) => request.grant('wvt_2'))
      t.socket().open()
      joined(t.socket())
      t.clock.increment(stood)
      t.socket().lose(4003)
      expect(t.asked()).toBe(asked)
      expect(t.player.state.phase).toBe(phase === 'connecting' ? 'reconnecting' : phase)
    }
  })
})

describe('a join beside a renewal', () => {
  test('the renewal is asked again, so that the viewer is seated with the new end', async () => {
    const t = await playPrivately()
    t.clock.increment(7 * minute)
    t.socket().lose()
    t.clock.increment(250)
    t.socket().open()
    const [, renewal] = t.requests
    joined(t.socket(), { media: 1, resumed: true })
    expect(renewal?.aborted).toBe(true)
    expect(t.asked()).toBe('rrr')
  })

  test('one that was answered while the socket was away is asked again too', async () => {
    const t = await playPrivately()
    t.clock.increment(7 * minute)
    t.socket().lose()
    t.clock.increment(250)
    t.socket().open()
    await answer(t, (request) => request.grant('wvt_1'))
    expect(t.asked()).toBe('rr')
    joined(t.socket(), { media: 1, resumed: true })
    expect(t.asked()).toBe('rrr')
  })

  test('without one, a join asks for nothing', async () => {
    const t = await playPrivately()
    t.socket().lose()
    t.clock.increment(250)
    t.socket().open()
    joined(t.socket(), { media: 1, resumed: true })
    await t.settle()
    expect(t.asked()).toBe('r')
  })
})

/** The server's own rule on the test's clock: ten minutes, renewed to four hours from the mint at most. */
function startOffice(t: TestPlayer) {
  const tickets = new Map([['wvt_0', { mintedAt: 0, endsAt: 10 * minute }]])
  const minted: string[] = []
  let answered = 0
  let tooLate = 0
  let busiest = 0
  const grant = (name: string) => {
    const now = t.clock.now()
    const ticket = tickets.get(name)
    if (ticket === undefined || now >= ticket.endsAt) {
      tooLate += 1
      return t.request().refuse()
    }
    const end = ticket.mintedAt + 240 * minute
    ticket.endsAt = Math.min(now + 10 * minute, end)
    t.request().grant(name, ticket.endsAt - now, ticket.endsAt === end)
  }
  const office = {
    minted,
    get tooLate() {
      return tooLate
    },
    /** The most requests of any one minute. */
    get busiest() {
      return busiest
    },
    async answer() {
      const { kind, secret } = t.request()
      answered += 1
      if (kind === 'renew') grant(secret ?? '')
      else {
        const now = t.clock.now()
        const name = `wvt_${minted.length + 1}`
        minted.push(name)
        tickets.set(name, { mintedAt: now, endsAt: now + 10 * minute })
        grant(name)
      }
      await t.settle()
      if (!t.socket().closed && t.socket().sent.length === 0) {
        t.socket().open()
        joined(t.socket(), { media: 1, resumed: true, viewer: 'vwr_1' })
        await t.settle()
      }
    },
    /** Lets time pass second by second. */
    async run(ms: number) {
      for (let passed = 0; passed < ms; passed += minute) {
        const before = answered
        for (let second = 0; second < 60; second += 1) {
          t.clock.increment(1000)
          while (answered < t.requests.length) await office.answer()
        }
        busiest = Math.max(busiest, answered - before)
      }
    },
  }
  return office
}
