import { describe, expect, test } from 'bun:test'
import type { IcePatched, Precondition } from '../../src/actors/ice-session/ice-patch.ts'
import { RefusedError, refuse } from '../../src/contracts/problem.ts'
import { refusal, Stage } from './stage.ts'

const any: Precondition = { type: 'any' }
const tagged = (...tags: string[]): Precondition => ({ type: 'tags', tags })
const candidates = { ufrag: null, pwd: null }
const same = { ufrag: 'client', pwd: 'its password' }
const fresh = (ufrag = 'fresh') => ({ ufrag, pwd: 'a new password' })

/** Both kinds of session keep the same rules: each test is for a desk's and for a player's. */
const kinds = [
  {
    kind: 'a WHIP session',
    async open(stage: Stage) {
      const stream = await stage.stream()
      const session = await stage.goLive(stream)
      const patch = (condition: Precondition, fragment: { ufrag: string | null; pwd: string | null }) =>
        stage.system.ask(stream.id, 'publication.patch', {
          ticket: stream.ticket,
          publication: session,
          condition,
          fragment,
        })
      const end = () => stage.system.ask(stream.id, 'unpublish', { ticket: stream.ticket, publication: session })
      const alive = () => stage.system.ask(stream.id, 'publication.check', { publication: session })
      return { stream, session, patch, end, alive }
    },
  },
  {
    kind: 'a WHEP session',
    async open(stage: Stage) {
      const stream = await stage.stream()
      await stage.goLive(stream)
      const session = 'player'
      await stage.whep(stream, session)
      const patch = (condition: Precondition, fragment: { ufrag: string | null; pwd: string | null }) =>
        stage.system.ask(stream.id, 'viewer.patch', { viewer: session, condition, fragment })
      const end = () => stage.system.ask(stream.id, 'viewer.leave', { viewer: session })
      const alive = () => stage.system.ask(stream.id, 'viewer.check', { viewer: session })
      return { stream, session, patch, end, alive }
    },
  },
]

describe.each(kinds)('$kind', ({ open }) => {
  test('takes candidates under its tag or *, and restarts nothing', async () => {
    const stage = new Stage()
    const { session, patch } = await open(stage)
    expect(await patch(tagged(`${session}-ice`), candidates)).toBeNull()
    expect(await patch(tagged('other', `${session}-ice`), same)).toBeNull()
    expect(await patch(any, same)).toBeNull()
    expect(stage.media.calls).not.toContain(`restartIce ${session}`)
  })

  test('refuses what comes without If-Match, and under another tag', async () => {
    const stage = new Stage()
    const { patch } = await open(stage)
    for (const fragment of [candidates, same, fresh()]) {
      expect(await refusal(patch({ type: 'none' }, fragment))).toBe('precondition_required')
      expect(await refusal(patch(tagged('stale'), fragment))).toBe('precondition_failed')
      expect(await refusal(patch(tagged(), fragment))).toBe('precondition_failed')
    }
    // In quotes it is a tag like any other, and only a restart takes it for the star.
    expect(await refusal(patch(tagged('*'), same))).toBe('precondition_failed')
  })

  test('restarts with *, with "*" and with its tag; each time the tag is another', async () => {
    const stage = new Stage()
    const { session, patch } = await open(stage)
    let tag = `${session}-ice`
    for (const [at, condition] of [() => any, () => tagged('*'), () => tagged(tag)].entries()) {
      const restarted = (await patch(condition(), fresh(`fresh${at}`))) as NonNullable<IcePatched>
      expect(restarted).toEqual({ fragment: `fragment of ${session}-ice${at + 1}`, tag: `${session}-ice${at + 1}` })
      expect(await refusal(patch(tagged(tag), candidates))).toBe('precondition_failed')
      tag = restarted.tag
      expect(await patch(tagged(tag), { ...fresh(`fresh${at}`) })).toBeNull()
    }
    expect(stage.media.calls.filter((call) => call === `restartIce ${session}`).length).toBe(3)
  })

  test('wants both credentials of a restart', async () => {
    const stage = new Stage()
    const { session, patch } = await open(stage)
    expect(await refusal(patch(any, { ufrag: 'fresh', pwd: null }))).toBe('invalid_sdp_fragment')
    expect(stage.media.calls).not.toContain(`restartIce ${session}`)
  })

  test('goes on as it was when a restart fails, and restarts later', async () => {
    const stage = new Stage()
    const { session, patch, alive } = await open(stage)
    stage.media.gate.restart = Promise.reject(new RefusedError(refuse('media_unavailable', 'Try again.', 1)))
    expect(await refusal(patch(any, fresh()))).toBe('media_unavailable')
    stage.media.gate.restart = Promise.reject(new Error('broken'))
    expect(await refusal(patch(any, fresh()))).toBe('media_unavailable')
    await alive()
    expect(await patch(tagged(`${session}-ice`), candidates)).toBeNull()
    stage.media.gate.restart = Promise.resolve()
    expect((await patch(any, fresh()))?.tag).toBe(`${session}-ice3`)
  })

  test('restarts one after the other, and answers each once, in order', async () => {
    const stage = new Stage()
    const { session, patch } = await open(stage)
    const { promise, resolve } = Promise.withResolvers<void>()
    stage.media.gate.restart = promise
    const answers: string[] = []
    const note = (name: string, ask: Promise<IcePatched>) =>
      ask.then(
        (restarted) => void answers.push(`${name} ${restarted?.tag ?? 'taken'}`),
        (error: RefusedError) => void answers.push(`${name} ${error.refusal.code}`),
      )
    const all = [
      note('first', patch(any, fresh('one'))),
      note('second', patch(tagged('*'), fresh('two'))),
      // Named the session that the first restart ends.
      note('third', patch(tagged(`${session}-ice`), fresh('three'))),
      note('candidates', patch(tagged(`${session}-ice`), candidates)),
      note('fourth', patch(any, fresh('four'))),
    ]
    await stage.settle()
    expect(stage.media.calls.filter((call) => call === `restartIce ${session}`).length).toBe(1)
    resolve()
    await Promise.all(all)
    expect(answers).toEqual([
      'candidates taken',
      `first ${session}-ice1`,
      `second ${session}-ice2`,
      'third precondition_failed',
      `fourth ${session}-ice3`,
    ])
  })

  test('that ends answers who waits for a restart', async () => {
    const stage = new Stage()
    const { patch, end } = await open(stage)
    stage.media.gate.restart = new Promise(() => {})
    const first = refusal(patch(any, fresh('one')))
    const second = refusal(patch(any, fresh('two')))
    await stage.settle()
    await end()
    expect([await first, await second]).toEqual(['session_not_found', 'session_not_found'])
    expect(await refusal(patch(any, fresh('three')))).toBe('session_not_found')
  })
})

describe('a patch', () => {
  test('of a WHIP session needs the ticket, and the session that is up', async () => {
    const stage = new Stage()
    const stream = await stage.stream()
    const publication = await stage.goLive(stream)
    const patch = (ticket: string, session: string) =>
      stage.system.ask(stream.id, 'publication.patch', {
        ticket,
        publication: session,
        condition: any,
        fragment: candidates,
      })
    expect(await refusal(patch('another', publication))).toBe('invalid_ticket')
    expect(await refusal(patch(stream.ticket, 'another'))).toBe('session_not_found')
    expect(await patch(stream.ticket, publication)).toBeNull()
  })

  test('of a session that is being set up finds none, and of our own player’s neither', async () => {
    const stage = new Stage()
    const stream = await stage.stream()
    stage.media.gate.open = new Promise(() => {})
    void stage.publish(stream).catch(() => {})
    await stage.settle()
    const patch = { condition: any, fragment: fresh() }
    const early = stage.system.ask(stream.id, 'publication.patch', {
      ticket: stream.ticket,
      publication: 'pub1',
      ...patch,
    })
    expect(await refusal(early)).toBe('session_not_found')
    await stage.join(stream, 'v')
    expect(await refusal(stage.system.ask(stream.id, 'viewer.patch', { viewer: 'v', ...patch }))).toBe(
      'session_not_found',
    )
  })

  test('does not reach a player’s session that the desk took along when it left', async () => {
    const stage = new Stage()
    const stream = await stage.stream()
    const publication = await stage.goLive(stream)
    await stage.whep(stream, 'w')
    const left: string[] = []
    stage.system.watch(stream.id, (news) => {
      if (news.type === 'left') left.push(news.viewer)
    })
    stage.media.gate.restart = new Promise(() => {})
    const waiting = refusal(
      stage.system.ask(stream.id, 'viewer.patch', { viewer: 'w', condition: any, fragment: fresh() }),
    )
    await stage.settle()
    await stage.system.ask(stream.id, 'unpublish', { ticket: stream.ticket, publication })
    expect(await waiting).toBe('session_not_found')
    expect(left).toEqual(['w'])
  })
})
