import { describe, expect, test } from 'bun:test'
import type { PlayerView } from '../../../src/contracts/broadcast.ts'
import { whepEvents } from '../../../src/contracts/whep-events.ts'
import { EventStream } from '../../../src/http/whep/event-stream.ts'

function view(active: boolean, viewers: number): PlayerView {
  return { media: 1, stream: { link: 'flowing', viewers, curtain: { up: !active } } } as PlayerView
}

/** What a reader gets of a stream that has ended. */
async function rest(reader: ReadableStreamDefaultReader<Uint8Array>): Promise<string> {
  let text = ''
  for (let read = await reader.read(); !read.done; read = await reader.read())
    text += Buffer.from(read.value).toString()
  return text
}

const names = (text: string) => [...text.matchAll(/^event: (\w+)$/gm)].map(([, name]) => name)

describe('an event stream', () => {
  test('keeps nothing for a player that does not read: it is told how it stands at the end', async () => {
    const stream = new EventStream('v', whepEvents, () => {})
    const reader = stream.read().getReader()
    for (let change = 1; change <= 10_000; change++) stream.changed(view(change % 2 === 1, change))
    stream.changed(view(true, 7))
    // What stood there before it was read: the first chunk of all.
    expect(Buffer.from((await reader.read()).value ?? []).toString()).toBe('retry: 2000\n\n')
    stream.left('v')
    const told = await rest(reader)
    expect(names(told)).toEqual(['active', 'viewercount', 'inactive'])
    expect(told).toContain('{"viewercount":7}')
  })

  test('tells a slow player the difference, not every step', async () => {
    const stream = new EventStream('v', ['active', 'inactive'], () => {})
    const reader = stream.read().getReader()
    await reader.read()
    stream.changed(view(true, 1))
    // On its way and not taken yet; what changes back meanwhile has not happened for this player.
    for (let change = 0; change < 100; change++) stream.changed(view(change % 2 === 1, 1))
    stream.close()
    expect(names(await rest(reader))).toEqual(['active'])
  })

  test('leaves other viewers alone, and ends once', async () => {
    let ended = 0
    const stream = new EventStream('v', whepEvents, () => void ended++)
    const reader = stream.read().getReader()
    stream.left('w')
    expect(ended).toBe(0)
    stream.left('v')
    stream.close()
    stream.lost()
    await stream.reconnect()
    expect(ended).toBe(1)
    expect(names(await rest(reader))).toEqual([])
  })
})
