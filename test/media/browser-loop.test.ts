import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from 'bun:test'
import { descendants, signal } from './browser-loop/freeze.ts'
import { Loop } from './browser-loop/loop.ts'

setDefaultTimeout(60_000)

let loop: Loop
beforeAll(async () => {
  loop = await Loop.start()
})
afterAll(() => loop.close())

const publish = (name: string, codec: string, simulcast = false) =>
  loop.page.evaluate(([n, c, s]) => window.page.publish(n, c, s), [name, codec, simulcast] as const)
const playWhep = (name: string, kinds: string[]) =>
  loop.page.evaluate(([n, k]) => window.page.playWhep(n, k), [name, kinds] as const)
const playClient = (name: string) => loop.page.evaluate((n) => window.page.playClient(n), name)

describe.each([
  ['video/VP8', false],
  ['video/H264', false],
  ['video/VP9', false],
  ['video/AV1', false],
  ['video/VP8', true],
] as const)('%s, simulcast %p', (codec, simulcast) => {
  const desk = `desk ${codec} ${simulcast}`

  test('a desk publishes; WHEP and mediasoup-client players decode it', async () => {
    await loop.open()
    await publish(desk, codec, simulcast)
    await loop.until(desk, 'packets')
    expect(loop.told.get(desk)?.[0]).toBe('connected')
    await playWhep(`whep ${desk}`, ['audio', 'video'])
    await playWhep(`video first ${desk}`, ['video', 'audio'])
    await playClient(`client ${desk}`)
    for (const player of [`whep ${desk}`, `video first ${desk}`, `client ${desk}`]) {
      await loop.moreFrames(player)
      await loop.hears(player)
    }
  })

  test('nothing is decoded while held, and everything after release', async () => {
    const players = [`whep ${desk}`, `client ${desk}`]
    await loop.layer.media.hold({ stream: 'loop' })
    // What was on its way before the hold was confirmed may still be decoded.
    await settle(players)
    const before = await Promise.all(players.map((player) => loop.counts(player)))
    // The desk goes on sending, and is told to be flowing, all the same.
    await loop.until(desk, 'packets', (loop.told.get(desk) ?? []).filter((fact) => fact === 'packets').length + 2)
    expect(await Promise.all(players.map((player) => loop.counts(player)))).toEqual(before)
    await playWhep(`late ${desk}`, ['video'])
    await loop.until(`late ${desk}`, 'connected')
    await loop.layer.media.release({ stream: 'loop' })
    for (const player of [...players, `late ${desk}`]) await loop.moreFrames(player)
  })

  test('the end is told', async () => {
    await loop.page.evaluate((name) => window.page.unpublish(name), desk)
    await loop.until(desk, 'closed')
    loop.layer.media.closeRoom({ stream: 'loop' })
    await loop.until(`whep ${desk}`, 'closed')
    expect(loop.told.get(`client ${desk}`)).toEqual(['connected', 'closed'])
  })
})

test('a link that is lost is told after ten seconds, and told again when it comes back', async () => {
  await loop.open()
  await publish('frozen desk', 'video/VP8')
  await loop.until('frozen desk', 'packets')
  const browser = descendants('chromium')
  expect(browser.length).toBeGreaterThan(0)
  signal(browser, 'SIGSTOP')
  try {
    await loop.until('frozen desk', 'disconnected')
  } finally {
    signal(browser, 'SIGCONT')
  }
  await loop.until('frozen desk', 'connected', 2)
  const told = loop.told.get('frozen desk') ?? []
  const packets = told.filter((fact) => fact === 'packets').length
  await loop.until('frozen desk', 'packets', packets + 1)
  expect(told.filter((fact) => fact !== 'packets')).toEqual(['connected', 'disconnected', 'connected'])
  loop.layer.media.closeRoom({ stream: 'loop' })
})

/** Waits until the players' counts stand still for a moment. */
async function settle(players: readonly string[]): Promise<void> {
  let last = ''
  for (let look = 0; look < 50; look += 1) {
    const now = JSON.stringify(await Promise.all(players.map((player) => loop.counts(player))))
    if (now === last) return
    last = now
    await Bun.sleep(200)
  }
  throw new Error('the players never stood still')
}
