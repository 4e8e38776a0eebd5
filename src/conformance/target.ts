import { sdpFragmentType } from '../contracts/sdp-fragment.ts'
import { type Answer, readAnswer } from './answer.ts'
import { Failed, must } from './check.ts'
import {
  type CodecDescription,
  midExtension,
  type OfferDescription,
  opus,
  type SectionDescription,
  writeOffer,
} from './offer-builder.ts'
import type { Protocol } from './protocol.ts'

/** What came back. */
export interface Reply {
  readonly status: number
  readonly headers: Headers
  readonly body: string
}

export interface Asking {
  readonly body?: string
  readonly type?: string
  readonly headers?: Readonly<Record<string, string>>
  /** Left out: the one that the target was given. `null`: none. */
  readonly token?: string | null
}

/** A session that a check opened. */
export interface Session {
  readonly url: URL
  readonly created: Reply
  readonly answer: Answer
  /** As the server wrote it, quotes and all; `null`: it sent none. */
  readonly etag: string | null
  /** What names it in `If-Match`: its ETag, or the star where there is none. */
  readonly match: string
}

/** How long one answer may take, in ms. */
const patience = 15_000
/** How long a server may ask to be left alone before the suite gives up, in s. */
const longestWait = 5

/** The endpoint under test. It ends whatever sessions it opened. */
export class Target {
  readonly #open = new Set<Session>()

  constructor(
    readonly protocol: Protocol,
    readonly endpoint: URL,
    readonly token: string | null,
  ) {}

  /** Sends a request as it is; redirections are not followed. */
  async send(method: string, url: URL, { body, type, headers, token = this.token }: Asking = {}): Promise<Reply> {
    const response = await fetch(url, {
      method,
      redirect: 'manual',
      signal: AbortSignal.timeout(patience),
      headers: {
        ...(type === undefined ? {} : { 'Content-Type': type }),
        ...(token === null ? {} : { Authorization: `Bearer ${token}` }),
        ...headers,
      },
      ...(body === undefined ? {} : { body }),
    })
    return { status: response.status, headers: response.headers, body: await response.text() }
  }

  /** Sends an offer to the endpoint, wherever it redirects to (307 or 308). */
  async post(body: string, asking: Asking = {}): Promise<Reply & { readonly at: URL }> {
    let at = this.endpoint
    for (let hop = 0; hop < 5; hop++) {
      const reply = await this.send('POST', at, { type: 'application/sdp', ...asking, body })
      const location = reply.headers.get('location')
      if (reply.status < 300 || reply.status > 399) return { ...reply, at }
      must(
        reply.status === 307 || reply.status === 308,
        `It redirects a POST with ${reply.status}; 307 is what keeps it a POST.`,
      )
      must(location !== null, `It redirects with ${reply.status} and no Location.`)
      at = new URL(location, at)
    }
    throw new Failed('It redirects in a circle.')
  }

  /** The m-sections of an offer that nothing is wrong with. */
  get tracks(): { readonly audio: SectionDescription; readonly video: SectionDescription } {
    const direction = this.protocol.offers
    const ssrcs = (some: number[]) => ({ ssrcs: direction === 'sendonly' ? some : [] })
    return {
      audio: { kind: 'audio', mid: '0', direction, ...ssrcs([1111]), ...extras, codecs: [opus] },
      video: { kind: 'video', mid: '1', direction, ...ssrcs([2222]), ...extras, codecs: videoCodecs[direction] },
    }
  }

  /** An offer that nothing is wrong with, but for what is described. */
  offer(description: Partial<OfferDescription> = {}): string {
    const { audio, video } = this.tracks
    const sessionLines = ['a=extmap-allow-mixed', 'a=ice-options:trickle ice2']
    return writeOffer({ sessionLines, sections: [audio, video], ...description })
  }

  /**
   * Opens a session with an offer that must be taken. Waits a little where the server asks for it.
   * @throws Failed
   */
  async open(offer = this.offer(), asking: Asking = {}): Promise<Session> {
    let reply = await this.post(offer, asking)
    for (let again = 0; again < 3 && [409, 429, 503].includes(reply.status); again++) {
      const wait = Number(reply.headers.get('retry-after') ?? Number.NaN)
      if (!(wait <= longestWait)) break
      await Bun.sleep(wait * 1000)
      reply = await this.post(offer, asking)
    }
    must(reply.status === 201, `It answers an offer with ${saidBy(reply)} and not with 201.`)
    return this.session(reply)
  }

  /** The session of a 201; it is ended when the check is over. @throws Failed */
  session(created: Reply & { readonly at: URL }): Session {
    const location = created.headers.get('location')
    must(location !== null, 'Its 201 has no Location.')
    const answer = readAnswer(created.body)
    const url = new URL(location, created.at)
    // Noted first, that it is ended even if its answer is of no use.
    const etag = created.headers.get('etag')
    const session: Session = { url, created, answer: answer as Answer, etag, match: etag ?? '*' }
    this.#open.add(session)
    must(answer !== null, 'The body of its 201 is no SDP.')
    return session
  }

  async patch(session: Session, body: string, match: string | null, asking: Asking = {}): Promise<Reply> {
    const headers = { ...(match === null ? {} : { 'If-Match': match }), ...asking.headers }
    return await this.send('PATCH', session.url, { type: sdpFragmentType, ...asking, headers, body })
  }

  async end(session: Session, asking: Asking = {}): Promise<Reply> {
    const reply = await this.send('DELETE', session.url, asking)
    if (reply.status < 300 || reply.status === 404) this.#open.delete(session)
    return reply
  }

  /** Ends what the last check left open. */
  async tidy(): Promise<void> {
    for (const session of this.#open) {
      this.#open.delete(session)
      await this.send('DELETE', session.url).catch(() => {})
    }
  }
}

/** RFC 9725 section 4.4.1: what a good offer has, too. */
const extras = { lines: ['a=rtcp-mux-only', 'a=msid:stream track'], extensions: { 4: midExtension } }
const feedback = ['nack', 'nack pli', 'ccm fir']
const video = (payload: number, name: string, fmtp?: string): CodecDescription => ({
  payload,
  name: `${name}/90000`,
  feedback,
  ...(fmtp === undefined ? {} : { fmtp }),
})
const h264 = (payload: number, profile: string) =>
  video(payload, 'H264', `level-asymmetry-allowed=1;packetization-mode=1;profile-level-id=${profile}`)
/** A desk sends what it encodes; a player takes whatever there is. */
const videoCodecs = {
  sendonly: [video(96, 'VP8'), h264(98, '42e01f')],
  recvonly: [
    video(96, 'VP8'),
    video(97, 'VP9', 'profile-id=0'),
    ...['42e01f', '42001f', '4d0032', '640c1f', '640032'].map((profile, at) => h264(100 + at, profile)),
    video(110, 'AV1'),
  ],
}

/** `404 (session_not_found)`: what a problem names itself helps to understand. */
export function saidBy({ status, body }: Pick<Reply, 'status' | 'body'>): string {
  try {
    const { code, detail } = JSON.parse(body) as { code?: string; detail?: string }
    const said = [code, detail].filter(Boolean).join(': ')
    return said === '' ? String(status) : `${status} (${said})`
  } catch {
    return String(status)
  }
}
