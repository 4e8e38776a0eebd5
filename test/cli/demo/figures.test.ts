import { describe, expect, test } from 'bun:test'
import { percentile, workOut } from '../../../src/cli/demo/figures.ts'

const seen = (at: number, delay: number) => ({ at, shown: at - delay })

test('percentiles are by nearest rank', () => {
  const values = Array.from({ length: 100 }, (_, index) => index + 1)
  expect(percentile(values, 0.5)).toBe(50)
  expect(percentile(values, 0.95)).toBe(95)
  expect(percentile(values, 1)).toBe(100)
  expect(percentile([7], 0.95)).toBe(7)
  expect(percentile([], 0.5)).toBeNull()
})

test('only the steady time counts for the delay, everything for the frames', () => {
  const sightings = [seen(900, 800), seen(1000, 40), seen(1500, 60), seen(2000, 900)]
  const figures = workOut(sightings, { steadyFrom: 1000, steadyUntil: 2000 })
  expect(figures.frames_decoded).toBe(4)
  expect(figures.glass_to_glass_p50_ms).toBe(40)
  expect(figures.glass_to_glass_max_ms).toBe(60)
})

test('what the check did not come to is null', () => {
  expect(workOut([], {})).toEqual({
    frames_decoded: 0,
    glass_to_glass_p50_ms: null,
    glass_to_glass_p95_ms: null,
    glass_to_glass_max_ms: null,
    curtain_ms: null,
    frames_while_up: null,
    restart_to_ready_ms: null,
    restart_to_picture_ms: null,
  })
})

describe('the curtain', () => {
  const times = { raiseSent: 10_000, raiseAnswered: 10_020, lowerSent: 13_000 }

  test('frames that were on their way when it went up are no leak', () => {
    const figures = workOut([seen(9_990, 50), seen(10_030, 50), seen(10_060, 50), seen(13_100, 50)], times)
    expect(figures.curtain_ms).toBe(60)
    expect(figures.frames_while_up).toBe(0)
  })

  test('a frame made behind it is, whenever it is seen', () => {
    expect(workOut([seen(10_100, 50)], times).frames_while_up).toBe(1)
    expect(workOut([seen(13_500, 1500)], times).frames_while_up).toBe(1)
    expect(workOut([seen(12_990, 50)], times).frames_while_up).toBe(1)
  })

  test('so is any frame seen later than a second after the call', () => {
    expect(workOut([seen(11_001, 1500)], times).frames_while_up).toBe(1)
  })

  test('a frame on its way when it was lowered is not', () => {
    expect(workOut([seen(13_040, 60)], times).frames_while_up).toBe(0)
  })

  test('no frame after the call is nought', () => {
    expect(workOut([seen(9_990, 50)], times).curtain_ms).toBe(0)
  })
})

test('the picture is back with the first frame made after the restart', () => {
  const figures = workOut([seen(20_010, 50), seen(22_000, 60), seen(22_033, 60)], {
    restarted: 20_000,
    readyAgain: 21_200,
  })
  expect(figures.restart_to_ready_ms).toBe(1200)
  expect(figures.restart_to_picture_ms).toBe(2000)
})
