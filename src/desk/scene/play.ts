import { ClockFace } from './clock-face.ts'
import { writeScript } from './script.ts'
import { Stage } from './stage.ts'

/**
 * Half of a 60 Hz display's frames: the video has 30 a second, and what the capture would drop
 * is not worth drawing. A little under 1/30 s, so that a frame that comes early is not skipped.
 */
const framePeriod = 30

/** Plays the scene for ever: the script from its start at each loop, the time in each frame. */
export function playScene(seed?: number): void {
  const stage = new Stage(writeScript(seed))
  const face = new ClockFace(document.getElementById('time') as HTMLCanvasElement)
  const { actions, length } = stage.script
  let loopStart = performance.now()
  let next = 0
  let drawn = 0

  const frame = (now: number) => {
    requestAnimationFrame(frame)
    if (now - drawn < framePeriod) return
    drawn = now
    if (now - loopStart >= length) {
      stage.clear()
      loopStart = now
      next = 0
    }
    for (let action = actions[next]; action !== undefined && action.at <= now - loopStart; action = actions[next]) {
      stage.apply(action)
      next++
    }
    face.draw(Date.now())
  }
  requestAnimationFrame(frame)
}
