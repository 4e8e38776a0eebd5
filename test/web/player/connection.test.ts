import { describe, expect, test } from 'bun:test'
import { backoffMs } from '../../../src/web/player/backoff.ts'
import { sentences } from '../../../src/web/player/sentences.ts'
import { sampleStream } from '../sample-stream.ts'
import { startTestPlayer } from './fake-effects.ts'
import { bringUp, consumed, joined, play, show, type TestPlayer } from './server-lines.ts'

describe('joining', () => {
  test('a player joins as soon as the socket is open, with its ticket and its key', () => {
    const t = startTestPlayer({ vt: 'wvt_x', k: 'key' })
    expect(t.player.state.phase).toBe('connecting')
    expect(t.socket().sent).toEqual([])
    t.socket().open()
    expect(t.socket().sent).toEqual([
      { type: 'join', id: 1, stream: 'ags_01JC8Z6M3F9Q2W4E5R6T7Y8V9A', vt: 'wvt_x', k: 'key' },
    ])
  })

  test('an idle stream is waited for, and its desk’s arrival is played', async () => {
    const t = startTestPlayer()
    t.socket().open()
    joined(t.socket())
    await t.settle()
    expect(t.player.state.phase).toBe('waiting')
    expect(t.socket().count('consume')).toBe(0)
    show(t.socket(), 1)
    await t.settle()
    expect(t.player.state.phase).toBe('starting')
    expect(t.socket().last('consume')).toEqual({
      type: 'consume',
      id: 2,
      media: 1,
      rtpCapabilities: { codecs: ['of this browser'] },
    })
    await bringUp(t)
    expect(t.player.state.phase).toBe('playing')
    expect(t.player.state.picture).toBe(true)
    expect(t.link().accepted).toBe(1)
    expect(t.socket().last('connect')).toEqual({
      type: 'connect',
      id: 3,
      media: 1,
      dtlsParameters: { fingerprints: [] },
    })
  })

  test('views that change nothing of the media ask for nothing', async () => {
    const t = startTestPlayer()
    await play(t)
    show(t.socket(), 1, { viewers: 4 })
    show(t.socket(), 1, { viewers: 5 })
    await t.settle()
    expect(t.player.state.stream?.viewers).toBe(5)
    expect(t.socket().count('consume')).toBe(1)
    expect(t.links.length).toBe(1)
  })

  test('an answer to another request is not ours', async () => {
    const t = startTestPlayer()
    t.socket().open()
    const stray = { viewer: 'vwr_x', resumed: false, rtpCapabilities: {}, stream: sampleStream(), media: 1 } as const
    t.socket().say({ type: 'joined', id: 77, ...stray })
    await t.settle()
    expect(t.player.state.phase).toBe('connecting')
    expect(t.socket().count('consume')).toBe(0)
  })

  test('what is not JSON, or not known, is passed over', () => {
    const t = startTestPlayer()
    t.socket().open()
    for (const text of ['', '{', 'null', '[]', '{"type":"news"}', '{"type":"constructor"}', '{"type":7}']) {
      t.socket().listener.message(text)
    }
    joined(t.socket())
    expect(t.player.state.phase).toBe('waiting')
  })
})

describe('the desk', () => {
  test('a new publication replaces the link', async () => {
    const t = startTestPlayer()
    await play(t, 1)
    show(t.socket(), 2)
    await t.settle()
    expect(t.links[0]?.closed).toBe(true)
    expect(t.player.state.picture).toBe(false)
    expect(t.socket().last('consume').media).toBe(2)
    await bringUp(t)
    expect(t.player.state.phase).toBe('playing')
    expect(t.links.length).toBe(2)
  })

  test('a desk that leaves is waited for', async () => {
    const t = startTestPlayer()
    await play(t)
    show(t.socket(), null)
    expect(t.player.state.phase).toBe('waiting')
    expect(t.link().closed).toBe(true)
    expect(t.picture.at(-1)).toBe('clear')
  })

  test('an interrupted desk is said, and the picture stays', async () => {
    const t = startTestPlayer()
    await play(t)
    show(t.socket(), 1, { link: 'interrupted' })
    expect(t.player.state.sentence).toBe(sentences.interrupted)
    expect(t.player.state.picture).toBe(true)
  })

  test('an ended stream closes the socket for good', async () => {
    const t = startTestPlayer()
    await play(t)
    show(t.socket(), null, { state: 'ended' })
    expect(t.player.state.phase).toBe('ended')
    expect(t.socket().closed).toBe(true)
    expect(t.link().closed).toBe(true)
    t.tellPage({ type: 'page.awake' })
    t.clock.increment(600_000)
    expect(t.sockets.length).toBe(1)
  })

  test('a stream that has ended before the join is said so', () => {
    const t = startTestPlayer()
    t.socket().open()
    joined(t.socket(), { stream: { state: 'ended' } })
    expect(t.player.state.phase).toBe('ended')
    expect(t.player.state.stream?.state).toBe('ended')
  })
})

describe('the curtain', () => {
  test('goes up at once and keeps the link; the picture is back with its first new frame', async () => {
    const t = startTestPlayer()
    await play(t)
    t.picture.length = 0
    show(t.socket(), 1, { curtain: { up: true } })
    expect(t.picture).toEqual(['conceal'])
    expect(t.player.state.curtain).toBe(true)
    expect(t.player.state.picture).toBe(false)
    expect(t.link().closed).toBe(false)
    show(t.socket(), 1)
    expect(t.picture).toEqual(['conceal', 'reveal'])
    expect(t.player.state.curtain).toBe(false)
    expect(t.player.state.picture).toBe(false)
    t.tellPicture({ type: 'picture.fresh' })
    expect(t.player.state.picture).toBe(true)
    expect(t.links.length).toBe(1)
  })

  test('no state ever shows a picture while it is up', async () => {
    const t = startTestPlayer()
    await play(t)
    show(t.socket(), 1, { curtain: { up: true } })
    t.tellPicture({ type: 'picture.fresh' })
    expect(t.states.filter((state) => state.curtain && state.picture)).toEqual([])
  })

  test('one that is up at the join conceals before there is a link', async () => {
    const t = startTestPlayer()
    t.socket().open()
    joined(t.socket(), { media: 1, stream: { curtain: { up: true } } })
    await t.settle()
    expect(t.picture).toEqual(['conceal'])
    expect(t.player.state.curtain).toBe(true)
    consumed(t.socket())
    expect(t.links.length).toBe(1)
  })

  test('it stays up while the server is out of reach', async () => {
    const t = startTestPlayer()
    await play(t)
    show(t.socket(), 1, { curtain: { up: true } })
    t.socket().lose()
    expect(t.player.state.phase).toBe('reconnecting')
    expect(t.player.state.curtain).toBe(true)
  })
})

describe('a lost socket', () => {
  test('the picture stays, and a resumed viewer carries on with the link it has', async () => {
    const t = startTestPlayer()
    await play(t)
    t.socket().lose()
    expect(t.player.state.phase).toBe('reconnecting')
    expect(t.player.state.picture).toBe(true)
    t.clock.increment(250)
    expect(t.sockets.length).toBe(2)
    t.socket().open()
    expect(t.socket().last('join').resume).toBe('vwr_1')
    joined(t.socket(), { media: 1, resumed: true })
    await t.settle()
    expect(t.player.state.phase).toBe('playing')
    expect(t.socket().count('consume')).toBe(0)
    expect(t.links.length).toBe(1)
    expect(t.link().closed).toBe(false)
  })

  test('a viewer that is not resumed asks for everything anew', async () => {
    const t = startTestPlayer()
    await play(t)
    t.socket().lose()
    t.clock.increment(250)
    t.socket().open()
    joined(t.socket(), { media: 1, resumed: false, viewer: 'vwr_2' })
    expect(t.links[0]?.closed).toBe(true)
    await bringUp(t)
    expect(t.player.state.phase).toBe('playing')
    expect(t.links.length).toBe(2)
  })

  test('resumed into another publication: that one is asked for', async () => {
    const t = startTestPlayer()
    await play(t, 1)
    t.socket().lose()
    t.clock.increment(250)
    t.socket().open()
    joined(t.socket(), { media: 2, resumed: true })
    await t.settle()
    expect(t.links[0]?.closed).toBe(true)
    expect(t.socket().last('consume').media).toBe(2)
  })

  test('a restarted server: waiting, then the desk’s new publication', async () => {
    const t = startTestPlayer()
    await play(t, 4)
    t.socket().lose()
    t.clock.increment(250)
    t.socket().lose()
    t.clock.increment(500)
    t.socket().open()
    joined(t.socket(), { media: null, viewer: 'vwr_9' })
    await t.settle()
    expect(t.player.state.phase).toBe('waiting')
    expect(t.player.state.picture).toBe(false)
    show(t.socket(), 1)
    await bringUp(t)
    expect(t.player.state.phase).toBe('playing')
  })

  test('lost in the middle of an offer: nothing half-made is kept', async () => {
    const t = startTestPlayer()
    t.socket().open()
    joined(t.socket(), { media: 1 })
    await t.settle()
    consumed(t.socket())
    t.link().dtls()
    t.socket().lose()
    expect(t.link().closed).toBe(true)
    t.clock.increment(250)
    t.socket().open()
    joined(t.socket(), { media: 1, resumed: true })
    await bringUp(t)
    expect(t.player.state.phase).toBe('playing')
  })

  test('tries again after 250 ms, doubling to 4 s', () => {
    const t = startTestPlayer()
    const waits: number[] = []
    for (let attempt = 0; attempt < 7; attempt += 1) {
      const before = t.sockets.length
      t.socket().lose()
      let waited = 0
      while (t.sockets.length === before) {
        t.clock.increment(50)
        waited += 50
        if (waited > 10_000) throw new Error('it gave up')
      }
      waits.push(waited)
    }
    expect(waits).toEqual([250, 500, 1000, 2000, 4000, 4000, 4000])
  })

  test('chance takes at most half of the wait', () => {
    expect([0, 0.5, 1].map((chance) => backoffMs(3, chance))).toEqual([500, 750, 1000])
    expect(backoffMs(60, 1)).toBe(4000)
  })

  test('a socket that stood for five seconds starts the backoff afresh, one that did not does not', () => {
    const t = startTestPlayer()
    t.socket().lose()
    t.clock.increment(250)
    t.socket().open()
    joined(t.socket())
    t.socket().lose()
    t.clock.increment(499)
    expect(t.sockets.length).toBe(2)
    t.clock.increment(1)
    expect(t.sockets.length).toBe(3)
    t.socket().open()
    joined(t.socket())
    t.clock.increment(5000)
    t.socket().lose()
    t.clock.increment(250)
    expect(t.sockets.length).toBe(4)
  })

  test('a page that wakes up does not wait', () => {
    const t = startTestPlayer()
    t.socket().lose()
    t.tellPage({ type: 'page.awake' })
    expect(t.sockets.length).toBe(2)
    t.tellPage({ type: 'page.awake' })
    expect(t.sockets.length).toBe(2)
  })

  test('a network that is gone takes the socket with it', () => {
    const t = startTestPlayer()
    t.socket().open()
    joined(t.socket())
    t.tellPage({ type: 'page.offline' })
    expect(t.sockets[0]?.closed).toBe(true)
    expect(t.player.state.phase).toBe('reconnecting')
  })

  for (const [name, upTo] of [
    ['does not open', () => {}],
    ['opens and says nothing', (t: TestPlayer) => t.socket().open()],
  ] as const) {
    test(`a socket that ${name} for five seconds is lost`, () => {
      const t = startTestPlayer()
      upTo(t)
      t.clock.increment(4999)
      expect(t.sockets[0]?.closed).toBe(false)
      t.clock.increment(1)
      expect(t.sockets[0]?.closed).toBe(true)
      t.clock.increment(250)
      expect(t.sockets.length).toBe(2)
    })
  }

  test('so is one that leaves a consume unanswered', async () => {
    const t = startTestPlayer()
    t.socket().open()
    joined(t.socket(), { media: 1 })
    await t.settle()
    t.clock.increment(5000)
    expect(t.sockets[0]?.closed).toBe(true)
    expect(t.player.state.phase).toBe('reconnecting')
  })
})

describe('rejoin', () => {
  test('joins anew on the same socket', async () => {
    const t = startTestPlayer()
    await play(t)
    t.socket().say({ type: 'rejoin' })
    expect(t.sockets.length).toBe(1)
    expect(t.socket().count('join')).toBe(2)
    expect(t.socket().last('join').resume).toBeUndefined()
    expect(t.link().closed).toBe(true)
    joined(t.socket(), { media: null, viewer: 'vwr_2' })
    await t.settle()
    expect(t.player.state.phase).toBe('waiting')
    show(t.socket(), 1)
    await bringUp(t)
    expect(t.player.state.phase).toBe('playing')
  })
})

describe('the link', () => {
  test('a short disconnection is sat out, one of three seconds is not', async () => {
    const t = startTestPlayer()
    await play(t)
    t.link().become('disconnected')
    t.clock.increment(2999)
    t.link().become('connected')
    t.clock.increment(60_000)
    expect(t.links.length).toBe(1)
    t.link().become('disconnected')
    t.clock.increment(3000)
    expect(t.link().closed).toBe(true)
    expect(t.player.state.phase).toBe('starting')
    t.clock.increment(1000)
    expect(t.socket().count('consume')).toBe(2)
    await bringUp(t)
    expect(t.player.state.phase).toBe('playing')
  })

  test('one that failed is asked for again', async () => {
    const t = startTestPlayer()
    await play(t)
    t.link().become('failed')
    t.clock.increment(1000)
    await bringUp(t)
    expect(t.links.map((link) => link.closed)).toEqual([true, false])
    expect(t.player.state.phase).toBe('playing')
  })

  test('one that never comes up is said, retried ever more slowly, and forgotten once it works', async () => {
    const t = startTestPlayer()
    t.socket().open()
    joined(t.socket(), { media: 1 })
    for (const wait of [1000, 2000, 4000, 4000]) {
      await t.settle()
      consumed(t.socket())
      t.clock.increment(10_000)
      expect(t.player.state.sentence).toBe(sentences.blocked)
      const before = t.socket().count('consume')
      t.clock.increment(wait - 1)
      expect(t.socket().count('consume')).toBe(before)
      t.clock.increment(1)
      expect(t.socket().count('consume')).toBe(before + 1)
    }
    await bringUp(t)
    expect(t.player.state.sentence).toBeNull()
    expect(t.player.state.phase).toBe('playing')
  })

  test('what a closed link still says is not heard', async () => {
    const t = startTestPlayer()
    await play(t, 1)
    const old = t.link()
    show(t.socket(), 2)
    await bringUp(t)
    old.become('failed')
    expect(t.player.state.phase).toBe('playing')
    expect(t.link().closed).toBe(false)
  })
})

describe('problems', () => {
  for (const code of ['not_live', 'media_unavailable', 'wrong_order', 'ask_timeout', 'internal', 'no-such-code']) {
    test(`${code} to a consume: again after a second`, async () => {
      const t = startTestPlayer()
      t.socket().open()
      joined(t.socket(), { media: 1 })
      await t.settle()
      t.socket().say({ type: 'problem', id: t.socket().last('consume').id, code, detail: '' })
      t.clock.increment(999)
      expect(t.socket().count('consume')).toBe(1)
      t.clock.increment(1)
      expect(t.socket().count('consume')).toBe(2)
    })
  }

  test('a server that does not know the viewer is joined anew, ever more slowly while that lasts', async () => {
    const t = startTestPlayer()
    for (const wait of [250, 500, 1000]) {
      t.socket().open()
      joined(t.socket(), { media: 1 })
      await t.settle()
      t.socket().say({ type: 'problem', id: t.socket().last('consume').id, code: 'session_not_found', detail: '' })
      expect(t.socket().closed).toBe(true)
      const before = t.sockets.length
      t.clock.increment(wait - 1)
      expect(t.sockets.length).toBe(before)
      t.clock.increment(1)
      expect(t.sockets.length).toBe(before + 1)
    }
    t.socket().open()
    expect(t.socket().last('join').resume).toBeUndefined()
    joined(t.socket(), { media: 1 })
    await bringUp(t)
    expect(t.player.state.phase).toBe('playing')
  })

  test('not_live, and then a new view: no waiting', async () => {
    const t = startTestPlayer()
    t.socket().open()
    joined(t.socket(), { media: 1 })
    await t.settle()
    t.socket().say({ type: 'problem', id: t.socket().last('consume').id, code: 'not_live', detail: '' })
    show(t.socket(), 2)
    expect(t.socket().last('consume').media).toBe(2)
  })

  test('no codec in common: said, and asked again only for another publication', async () => {
    const t = startTestPlayer()
    t.socket().open()
    joined(t.socket(), { media: 1 })
    await t.settle()
    t.socket().say({ type: 'problem', id: t.socket().last('consume').id, code: 'no_compatible_codecs', detail: '' })
    expect(t.player.state.sentence).toBe(sentences.noCodec)
    show(t.socket(), 1, { viewers: 9 })
    t.clock.increment(60_000)
    expect(t.socket().count('consume')).toBe(1)
    show(t.socket(), 2)
    expect(t.socket().count('consume')).toBe(2)
  })

  for (const code of ['store_unavailable', 'shutting_down', 'too_many_requests']) {
    test(`${code} to a join: again, after the backoff`, () => {
      const t = startTestPlayer()
      t.socket().open()
      t.socket().say({ type: 'problem', id: t.socket().last('join').id, code, detail: '' })
      expect(t.player.state.phase).toBe('reconnecting')
      t.clock.increment(250)
      expect(t.sockets.length).toBe(2)
    })
  }

  const refusals: [string, (t: TestPlayer) => void, string][] = [
    ['close code 4004', (t) => t.socket().lose(4004), sentences.notYours],
    ['not_found', (t) => t.socket().say({ type: 'problem', id: 1, code: 'not_found', detail: '' }), sentences.notYours],
    ['forbidden', (t) => t.socket().say({ type: 'problem', id: 1, code: 'forbidden', detail: '' }), sentences.notYours],
  ]
  for (const [name, refuse, sentence] of refusals) {
    test(`${name}: refused, in words, and no more trying`, () => {
      const t = startTestPlayer()
      t.socket().open()
      refuse(t)
      expect(t.player.state.phase).toBe('refused')
      expect(t.player.state.sentence).toBe(sentence)
      expect(t.player.state.stream).toBeNull()
      t.tellPage({ type: 'page.awake' })
      t.clock.increment(600_000)
      expect(t.sockets.length).toBe(1)
    })
  }

  test('refused while playing: the picture goes', async () => {
    const t = startTestPlayer()
    await play(t)
    t.socket().lose(4004)
    expect(t.player.state.sentence).toBe(sentences.noLonger)
    expect(t.link().closed).toBe(true)
    expect(t.picture.at(-1)).toBe('clear')
    expect(t.player.state.picture).toBe(false)
  })

  test('too slow for the server (4008) is no refusal', async () => {
    const t = startTestPlayer()
    await play(t)
    t.socket().lose(4008)
    expect(t.player.state.phase).toBe('reconnecting')
  })
})

describe('the browser', () => {
  test('without WebRTC: said, while the page still tells how the stream stands', async () => {
    const t = startTestPlayer({ webRtc: false })
    t.socket().open()
    joined(t.socket(), { media: 1 })
    await t.settle()
    expect(t.player.state.sentence).toBe(sentences.noWebRtc)
    expect(t.socket().count('consume')).toBe(0)
    show(t.socket(), null, { state: 'ended' })
    expect(t.player.state.phase).toBe('ended')
  })

  test('one that wants a click first says so until it plays', async () => {
    const t = startTestPlayer()
    await play(t)
    t.tellPicture({ type: 'picture.blocked' })
    expect(t.player.state.blocked).toBe(true)
    t.tellPicture({ type: 'picture.played' })
    expect(t.player.state.blocked).toBe(false)
  })

  test('a page that is left says so, and joins as a new viewer when it comes back', async () => {
    const t = startTestPlayer()
    await play(t)
    t.tellPage({ type: 'page.leaving' })
    expect(t.sockets[0]?.sent.at(-1)).toEqual({ type: 'leave' })
    expect(t.sockets[0]?.closed).toBe(true)
    t.tellPage({ type: 'page.awake' })
    t.socket().open()
    expect(t.socket().last('join').resume).toBeUndefined()
  })

  test('destroy leaves, closes everything and says nothing more', async () => {
    const t = startTestPlayer()
    await play(t)
    t.player.destroy()
    expect(t.socket().sent.at(-1)).toEqual({ type: 'leave' })
    expect(t.socket().closed).toBe(true)
    expect(t.link().closed).toBe(true)
    expect(t.picture.at(-1)).toBe('clear')
    const told = t.states.length
    t.clock.increment(60_000)
    expect(t.states.length).toBe(told)
    expect(t.sockets.length).toBe(1)
  })
})
