import { whepEventsRelation } from '../../contracts/whep-events.ts'
import { type Check, must, Skipped } from '../check.ts'
import { linksOf } from '../links.ts'
import { type Session, saidBy, type Target } from '../target.ts'

const eventsSection = 'draft-ietf-wish-whep-01 section 4.9.1'
/** How long the first event may take, in ms. */
const firstEvent = 5000

/** What is asked of a WHEP endpoint before anybody publishes. */
export const notLiveCheck: Check = {
  id: 'not-live',
  section: 'draft-ietf-wish-whep-03 section 4.2',
  says: 'An offer while nobody publishes: 409 with Retry-After, or 201',
  run: async (target) => {
    const reply = await target.post(target.offer())
    if (reply.status === 201) {
      await target.end(target.session(reply))
      throw new Skipped('It takes players before there is anything to play.')
    }
    must(reply.status === 409, `It answers ${saidBy(reply)}.`)
    const wait = reply.headers.get('retry-after')
    must(wait !== null && /^\d+$|GMT$/.test(wait), `Its Retry-After is ${wait ?? 'missing'}.`)
  },
}

/** What only a WHEP endpoint answers. */
export const oneStreamCheck: Check = {
  id: 'answer-msid',
  section: 'draft-ietf-wish-whep-03 section 4.5.2',
  says: 'The answer’s m-sections have an a=msid, all of the same stream',
  run: async (target) => {
    const { answer } = await target.open()
    const live = answer.sections.filter(({ port }) => port !== 0)
    const streams = live.map(
      ({ lines }) =>
        lines
          .find((line) => line.startsWith('a=msid:'))
          ?.slice(7)
          .split(' ')[0],
    )
    must(!streams.includes(undefined), 'An m-section has no a=msid.')
    must(new Set(streams).size === 1, `Its m-sections are of the streams ${streams.join(' and ')}.`)
  },
}

/** What only a WHEP endpoint does: its events. An extension: nobody must have it. */
export function whepEventChecks(): Check[] {
  return [
    {
      id: 'events-link',
      section: eventsSection,
      says: 'The 201 tells of the events by a Link that names them',
      run: async (target) => {
        const { names } = eventsOf(await target.open())
        must(names.length > 0, 'It names no events.')
      },
    },
    {
      id: 'events-stream',
      section: eventsSection,
      says: 'POST of a list of events: 201 with Location; GET of that: text/event-stream, each event one line of JSON',
      run: async (target) => {
        const { entry, names } = eventsOf(await target.open())
        const stream = await createStream(target, entry, names)
        const { type, events } = await firstOf(target, stream)
        must(type.startsWith('text/event-stream'), `The Content-Type of the stream is ${type || 'missing'}.`)
        for (const { name, data } of events) {
          must(names.includes(name), `It tells ${name}, which it did not name.`)
          must(isJson(data), `The data of ${name} is not JSON: ${data}`)
        }
        const first = events.find(({ name }) => name === 'viewercount')
        if (names.includes('viewercount'))
          must(/"viewercount":\s*\d+/.test(first?.data ?? ''), 'It tells no viewercount.')
      },
    },
    {
      id: 'events-end',
      section: eventsSection,
      says: 'DELETE of the event stream ends it: then 404',
      run: async (target) => {
        const { entry, names } = eventsOf(await target.open())
        const stream = await createStream(target, entry, names)
        const reply = await target.send('DELETE', stream)
        must(reply.status >= 200 && reply.status <= 299, `It answers ${saidBy(reply)}.`)
        await mustBeGone(stream)
      },
    },
    {
      id: 'events-end-with-session',
      section: eventsSection,
      says: 'The event stream ends with its session: then 404',
      run: async (target) => {
        const session = await target.open()
        const { entry, names } = eventsOf(session)
        const stream = await createStream(target, entry, names)
        await target.end(session)
        await mustBeGone(stream)
      },
    },
  ]
}

function eventsOf({ created, url }: Session): { readonly entry: URL; readonly names: readonly string[] } {
  const [link] = linksOf(created.headers.get('link'), whepEventsRelation)
  if (link === undefined) throw new Skipped('It tells of no events.')
  const names = (link.parameters.events ?? '').split(',').map((name) => name.trim())
  return { entry: new URL(link.target, url), names: names.filter(Boolean) }
}

async function createStream(target: Target, entry: URL, names: readonly string[]): Promise<URL> {
  const reply = await target.send('POST', entry, { type: 'application/json', body: JSON.stringify(names) })
  must(reply.status === 201, `It answers the list of events with ${saidBy(reply)}.`)
  const location = reply.headers.get('location')
  must(location !== null, 'Its 201 has no Location.')
  return new URL(location, entry)
}

/** Reads until there is a whole event, and a moment longer for what comes with it. */
async function firstOf(
  target: Target,
  stream: URL,
): Promise<{ readonly type: string; readonly events: readonly { name: string; data: string }[] }> {
  const abort = new AbortController()
  const timer = setTimeout(() => abort.abort(), firstEvent)
  let text = ''
  try {
    const headers = new Headers(target.token === null ? [] : [['Authorization', `Bearer ${target.token}`]])
    const response = await fetch(stream, { headers, signal: abort.signal })
    must(response.ok, `It answers GET of the stream with ${response.status}.`)
    const type = response.headers.get('content-type') ?? ''
    const decoder = new TextDecoder()
    for await (const chunk of response.body ?? []) {
      text += decoder.decode(chunk, { stream: true })
      if (/^event:[^\n]*\ndata:[^\n]*\n\n/m.test(text)) break
    }
    return { type, events: readEvents(text) }
  } catch (error) {
    if (abort.signal.aborted) must(false, `No event came within ${firstEvent / 1000} s.`)
    throw error
  } finally {
    clearTimeout(timer)
    abort.abort()
  }
}

function readEvents(text: string): { name: string; data: string }[] {
  const blocks = text.split(/\r?\n\r?\n/).slice(0, -1)
  return blocks.flatMap((block) => {
    const name = /^event: ?(.*)$/m.exec(block)?.[1]
    const data = [...block.matchAll(/^data: ?(.*)$/gm)].map(([, line = '']) => line)
    return name === undefined ? [] : [{ name, data: data.join('\n') }]
  })
}

async function mustBeGone(stream: URL): Promise<void> {
  const abort = new AbortController()
  const { status } = await fetch(stream, { signal: abort.signal })
  abort.abort()
  must(status === 404 || status === 410, `It answers GET of the stream after that with ${status}.`)
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text)
    return !text.includes('\n')
  } catch {
    return false
  }
}
