import type { ServerMessage } from '../../../src/contracts/broadcast.ts'
import { closeCodes } from '../../../src/contracts/broadcast.ts'
import type { Shown } from './principals.ts'
import { headersOf } from './walk.ts'

/** A socket that hands out what it hears, one after the other. */
class Line {
  readonly #heard: string[] = []
  readonly #waiting: ((next: string) => void)[] = []
  readonly #socket: WebSocket
  readonly opened: Promise<void>

  constructor(url: string, headers: Record<string, string>) {
    this.#socket = new WebSocket(url.replace(/^http/, 'ws'), { headers } as never)
    this.#socket.onmessage = ({ data }) => this.#take(String(data))
    this.#socket.onclose = ({ code }) => this.#take(JSON.stringify({ type: 'closed', code }))
    this.opened = new Promise((resolve, reject) => {
      this.#socket.onopen = () => resolve()
      this.#socket.onerror = () => reject(new Error('the socket did not open'))
    })
  }

  say(message: object): void {
    this.#socket.send(JSON.stringify(message))
  }

  /** The next message that is an answer or the end; news of the stream are passed over. */
  async next(): Promise<ServerMessage | { readonly type: 'closed'; readonly code: number }> {
    for (;;) {
      const text = this.#heard.shift() ?? (await new Promise<string>((resolve) => this.#waiting.push(resolve)))
      const message = JSON.parse(text)
      if (message.type !== 'stream') return message
    }
  }

  close(): void {
    this.#socket.close()
  }

  #take(text: string): void {
    const waiting = this.#waiting.shift()
    if (waiting === undefined) this.#heard.push(text)
    else waiting(text)
  }
}

type Answer = ServerMessage | { readonly type: 'closed'; readonly code: number } | { readonly type: 'left' }

/**
 * Plays the messages up to the named one. `got`: the `type` of the last answer, or a code; `said`: all of it.
 * Whoever may not join sends it without having joined.
 */
export async function playMessages(
  url: string,
  message: string,
  stream: string,
  shown: Shown,
): Promise<{ got: string; said: string }> {
  const answer = await play(url, message, stream, shown)
  return { got: answer.type === 'problem' ? answer.code : answer.type, said: JSON.stringify(answer) }
}

async function play(url: string, message: string, stream: string, shown: Shown): Promise<Answer> {
  const { k, viewTicket, ...rest } = shown
  const open = async () => {
    const line = new Line(url, headersOf(rest, new URL(url).origin))
    await line.opened
    return line
  }
  let line = await open()
  try {
    const secrets = { ...(k !== undefined && { k }), ...(viewTicket !== undefined && { vt: viewTicket }) }
    line.say({ type: 'join', id: 1, stream, ...secrets })
    const joined = await line.next()
    if (joined.type !== 'joined') {
      // A socket that is still there answers this.
      line.say({ type: 'consume', id: 2, media: 1, rtpCapabilities: {} })
      const end = await line.next()
      if (end.type !== 'closed' || end.code !== closeCodes.viewTicketRequired) {
        return { type: 'problem', code: 'the socket stays open', detail: JSON.stringify([joined, end]) }
      }
      if (message === 'join') return joined
      line = await open()
    }
    if (message === 'join') return joined
    const media = joined.type === 'joined' ? (joined.media ?? 1) : 1
    const rtpCapabilities = joined.type === 'joined' ? joined.rtpCapabilities : {}
    if (message === 'leave') line.say({ type: 'leave' })
    line.say({ type: 'consume', id: 2, media, rtpCapabilities })
    const consumed = await line.next()
    if (message === 'leave') {
      return consumed.type === 'problem' && consumed.code === 'wrong_order' ? { type: 'left' } : consumed
    }
    if (message === 'consume' || consumed.type !== 'consumed') return consumed
    const fingerprints = [{ algorithm: 'sha-256', value: Array(32).fill('AB').join(':') }]
    line.say({ type: 'connect', id: 3, media, dtlsParameters: { role: 'client', fingerprints } })
    return await line.next()
  } finally {
    line.close()
  }
}
