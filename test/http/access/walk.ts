import { problems } from '../../../src/contracts/problem.ts'
import type { Rows } from '../readable-store.ts'
import type { Route } from './matrix.ts'
import { type Caller, insiders, type Shown } from './principals.ts'
import { isRefusal, type Line, readLines } from './read-matrix.ts'
import { requests, whipOffer } from './requests.ts'
import { playMessages } from './socket.ts'
import type { Situation, Stage, World } from './world.ts'

interface Cell {
  readonly caller: Caller
  readonly expected: string
}

/** How many requests are under way at once. */
const atOnce = 12

/** Walks one route of the table: every caller, on every kind of stream. Answers a sentence for all that differs. */
export async function walk(stage: Stage, route: Route): Promise<{ cells: number; faults: string[] }> {
  const lines = readLines(route)
  const faults: string[] = []
  /** What a caller was told of a stream that is not there, to the letter. */
  const ofNothing = new Map<Caller, { expected: string; said: string }>()
  let cells = 0
  for (const [at, column] of route.columns.entries()) {
    const worlds = new Worlds(stage, situationOf(column), route.live ?? false)
    const column_ = cellsOf(lines, at)
    cells += column_.length
    const { writes = false, spoils = false } = requestOf(route) ?? {}
    const alone = writes ? column_.filter(({ expected }) => !isRefusal(expected)) : []
    const together = column_.filter((cell) => !alone.includes(cell))
    const check = async ({ caller, expected }: Cell) => {
      const { got, said } = await ask(stage, route, await worlds.current(), caller, column)
      if (column === 'no such stream') ofNothing.set(caller, { expected, said })
      const nothing = ofNothing.get(caller)
      // Nobody tells a stream that is hidden from one that never was: not by a word, not by a header.
      const hidden = (column === 'private' || column === 'unlisted') && nothing?.expected === expected
      if (hidden && isRefusal(expected) && !insiders.has(caller.name) && said !== nothing.said) {
        faults.push(`${caller.name}, ${column}: ${said} came back, and ${nothing.said} where there is no stream`)
      }
      if (got !== expected) faults.push(`${caller.name}, ${column}: ${expected} is right, ${got} came back`)
    }
    await worlds.current()
    const before = writes ? await stage.server.rows() : null
    await pooled(together, check)
    // Whoever is refused leaves nothing behind.
    const after = before === null ? null : await stage.server.rows()
    if (before !== null && after !== null && !sameRows(before, after)) {
      faults.push(`the refused, ${column}: ${changed(before, after)}`)
    }
    for (const cell of alone) {
      await check(cell)
      if (spoils) await worlds.renew()
    }
    await worlds.renew()
  }
  return { cells, faults }
}

function cellsOf(lines: readonly Line[], at: number): Cell[] {
  return lines.flatMap(({ callers, cells }) => callers.map((caller) => ({ caller, expected: cells[at] ?? '' })))
}

function situationOf(column: string): Situation {
  return ['no such stream', 'private', 'unlisted', 'ended'].includes(column) ? (column as Situation) : 'public'
}

function requestOf({ send, route }: Route) {
  return requests[send ?? route]
}

/** The world that callers come to, made anew when somebody changed it. */
class Worlds {
  #current: Promise<World & { readonly session: string }> | null = null

  constructor(
    private readonly stage: Stage,
    private readonly situation: Situation,
    private readonly live: boolean,
  ) {}

  current(): Promise<World & { readonly session: string }> {
    this.#current ??= this.#make()
    return this.#current
  }

  /** Ends the world's stream, which takes it off air. */
  async renew(): Promise<void> {
    const world = await this.#current
    this.#current = null
    if (world === null || this.situation === 'no such stream') return
    await this.stage.server.call('POST', `/api/streams/agent/${world.stream}/end`, { bearer: world.tokens.forOwner })
  }

  async #make() {
    const world = await this.stage.makeWorld(this.situation)
    const none = 'AAAAAAAAAAAAAAAAAAAAAA'
    if (!this.live || this.situation === 'no such stream' || this.situation === 'ended')
      return { ...world, session: none }
    const { status, headers, body } = await this.stage.server.call('POST', `/whip/agent/${world.stream}`, {
      bearer: world.tickets.current,
      body: whipOffer.text,
      headers: { 'Content-Type': whipOffer.type },
    })
    if (status !== 201) throw new Error(`publishing answered ${status} ${JSON.stringify(body)}`)
    return { ...world, session: headers.get('location')?.split('/').at(-1) ?? none }
  }
}

/** Sends it. `got`: what came back, as the table says it; `said`: to the letter. */
async function ask(
  stage: Stage,
  route: Route,
  world: World & { readonly session: string },
  caller: Caller,
  column: string,
): Promise<{ got: string; said: string }> {
  const showing = caller.shows(world)
  const { url } = stage.server
  const [method = '', path = ''] = route.route.split(' ')
  if (method === 'WS') return await playMessages(url + path, route.route.split(' ')[2] ?? '', world.stream, showing)
  const request = requestOf(route)
  if (request === undefined) throw new Error(`requests.ts does not say how ${route.route} is asked`)
  const sent = await request.send({ world, shown: showing, stage, session: world.session, column })
  const headers = { ...headersOf(sent.shown ?? showing, url), ...sent.headers }
  const type = sent.type ?? (sent.json === undefined ? undefined : 'application/json')
  if (type !== undefined) headers['Content-Type'] = type
  const body = sent.bytes ?? sent.text ?? (sent.json === undefined ? null : JSON.stringify(sent.json))
  const response = await fetch(url + sent.path, { method, headers, body, redirect: 'manual' })
  const text = await bodyOf(response)
  const json = text !== '' && /json/.test(response.headers.get('content-type') ?? '') ? JSON.parse(text) : null
  const said = `${response.status} ${[...response.headers].filter(([name]) => name !== 'date').join(' ')} ${text}`
  // The answer to a HEAD has no body that could say more.
  if (method === 'HEAD') return { got: String(response.status), said }
  if (response.status < 400) return { got: request.outcome?.(world, json) ?? String(response.status), said }
  // A page that is not there is a page.
  if (json === null) return { got: response.status === 404 ? 'not_found' : `${response.status} without a code`, said }
  const known = problems[json.code as keyof typeof problems]
  return { got: known?.status === response.status ? json.code : `${response.status} ${json.code}`, said }
}

/** The whole body; of events, which come for as long as somebody listens, nothing. */
export async function bodyOf(response: Response): Promise<string> {
  if (response.headers.get('content-type') !== 'text/event-stream') return await response.text()
  await response.body?.cancel()
  return ''
}

/** How a caller shows what they have, on a request and on a socket's handshake. */
export function headersOf(shown: Shown, url: string): Record<string, string> {
  const { session, origin, bearer, viewTicket, subject } = shown
  const token = bearer ?? viewTicket
  return {
    ...(session !== undefined && { Cookie: `footlight_session=${session}`, Origin: origin ?? url }),
    ...(token !== undefined && { Authorization: `Bearer ${token}` }),
    ...(subject !== undefined && { 'X-OV-Subject': subject }),
  }
}

async function pooled<T>(items: readonly T[], work: (item: T) => Promise<void>): Promise<void> {
  const left = [...items]
  const worker = async () => {
    for (let item = left.shift(); item !== undefined; item = left.shift()) await work(item)
  }
  await Promise.all(Array.from({ length: atOnce }, worker))
}

function sameRows(before: Rows, after: Rows): boolean {
  return Bun.deepEquals(before, after)
}

function changed(before: Rows, after: Rows): string {
  const tables = Object.keys(after).filter((table) => !Bun.deepEquals(before[table], after[table]))
  return `written to ${tables.join(', ')}`
}
