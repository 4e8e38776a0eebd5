import { describe, expect, test } from 'bun:test'
import * as fc from 'fast-check'
import { type Moment, moments, type Step } from './steps.ts'
import { World } from './world.ts'

/** More of them by hand: `FOOTLIGHT_PROPERTY_RUNS=20000`; the same ones again: `FOOTLIGHT_PROPERTY_SEED`. */
const asked = process.env.FOOTLIGHT_PROPERTY_RUNS
const seed = process.env.FOOTLIGHT_PROPERTY_SEED

describe('whatever happens, in whatever order, no promise is broken', () => {
  test('to streams of two people on a store and a media layer that fail', async () => {
    const property = fc.asyncProperty(moments(60), (all) => World.live(all))
    const outcome = await fc.check(property, {
      numRuns: asked === undefined ? 400 : Number(asked),
      // A slow machine tries fewer.
      ...(asked === undefined && { interruptAfterTimeLimit: 20_000 }),
      ...(seed !== undefined && { seed: Number(seed) }),
    })
    if (outcome.failed) throw new Error(story(outcome), { cause: outcome.errorInstance })
    expect(outcome.numRuns).toBeGreaterThan(0)
  }, 6_000_000)
})

/** What happened, a line each, so that it can be made a test. */
function story({ seed, errorInstance, counterexample }: fc.RunDetails<[Moment[]]>): string {
  const lines = (counterexample?.[0] ?? []).map((moment) => `  ${JSON.stringify(moment)},`)
  return [`${errorInstance} (seed ${seed})`, ...lines].join('\n')
}

describe('what once broke a promise', () => {
  /** Steps one after the other, each with the time that it needs. */
  const happening = (...steps: readonly Step[]): Moment[] => steps.map((step) => ({ step, turns: 60 }))

  const stories: Record<string, Moment[]> = {
    'the start of a stream while the store is away': happening({ do: 'store', mood: 'down' }, { do: 'go live', s: 0 }),
    'a player by WHEP that asks twice as our own player does': happening(
      { do: 'go live', s: 0 },
      { do: 'whep', s: 0, v: 0, right: 'owner', seconds: 0, offer: 'good' },
      { do: 'consume', s: 0, v: 0 },
      { do: 'consume', s: 0, v: 0 },
    ),
    'a revocation of what had ended and was not kept so': happening(
      { do: 'store', mood: 'down' },
      { do: 'end', s: 0, by: 'desk' },
      { do: 'revoke', s: 0 },
    ),
    'a second end of what had ended and was not kept so': happening(
      { do: 'store', mood: 'slow' },
      { do: 'end', s: 0, by: 'desk' },
      { do: 'end', s: 0, by: 'owner' },
    ),
    'a widening that was done and not answered': happening(
      { do: 'visibility', s: 0, visibility: 'private' },
      { do: 'store', mood: 'lossy' },
      { do: 'visibility', s: 0, visibility: 'unlisted' },
    ),
    'a raise while the media layer let go': happening(
      { do: 'go live', s: 0 },
      { do: 'watch', s: 0, v: 0, right: 'public', seconds: 0 },
      { do: 'curtain', s: 0, by: 'owner', up: true },
      { do: 'media', slow: true },
      { do: 'curtain', s: 0, by: 'owner', up: false },
      { do: 'curtain', s: 0, by: 'owner', up: true },
    ),
    'a session that began while a lowering was being kept': happening(
      { do: 'curtain', s: 0, by: 'owner', up: true },
      { do: 'store', mood: 'slow' },
      { do: 'curtain', s: 0, by: 'owner', up: false },
      { do: 'go live', s: 0 },
      { do: 'watch', s: 0, v: 0, right: 'public', seconds: 0 },
    ),
  }
  test.each(Object.entries(stories))('%s', async (_name, moments) => {
    await World.live(moments)
  })
})
