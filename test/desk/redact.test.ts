import { expect, test } from 'bun:test'
import { redact } from '../../src/desk/redact.ts'

test('no ticket or token is left in a text', () => {
  const text = redact(
    'POST /whip?x=wpt_AbC-_123 with wvt_zzz and Bearer abc.def failed: eyJhbGciOi.eyJzdWIi.sig-nature "wpt_Q"',
  )
  expect(text).toBe('POST /whip?x=wpt_… with wvt_… and Bearer … failed: token… "wpt_…"')
})

test('other text stays', () => {
  expect(redact('the watch page at /@demo/agents/ags_01JC')).toBe('the watch page at /@demo/agents/ags_01JC')
})
