import { encodeFrameTime, frameTimeModules } from './frame-time.ts'

/** Video compression keeps modules of seven pixels apart at a quarter of the bitrate that we ask for. */
const modulePixels = 7
const codePixels = frameTimeModules * modulePixels
const textHeight = 40

/**
 * Draws the time of the frame, as a QR code and as digits, on one canvas: one small part of the
 * page changes in every frame and nothing else has to be drawn again.
 */
export class ClockFace {
  readonly #pen: CanvasRenderingContext2D

  constructor(canvas: HTMLCanvasElement) {
    canvas.width = codePixels
    canvas.height = codePixels + textHeight
    canvas.style.width = `${canvas.width}px`
    canvas.style.height = `${canvas.height}px`
    const pen = canvas.getContext('2d', { alpha: false })
    if (pen === null) throw new Error('This browser has no 2D canvas')
    this.#pen = pen
  }

  /** `at`: milliseconds since the epoch. */
  draw(at: number): void {
    const pen = this.#pen
    pen.fillStyle = '#fff'
    pen.fillRect(0, 0, codePixels, codePixels)
    pen.fillStyle = '#000'
    pen.beginPath()
    const modules = encodeFrameTime(at)
    for (const [y, line] of modules.entries()) {
      for (let x = 0; x < line.length; x++) {
        // One rectangle for a run of dark modules: fewer shapes, the same picture.
        let end = x
        while (line[end] === true) end++
        if (end === x) continue
        pen.rect(x * modulePixels, y * modulePixels, (end - x) * modulePixels, modulePixels)
        x = end
      }
    }
    pen.fill()
    pen.fillStyle = '#1a222d'
    pen.fillRect(0, codePixels, codePixels, textHeight)
    pen.fillStyle = '#ffb454'
    pen.font = '600 21px "Footlight Mono", monospace'
    pen.textAlign = 'center'
    pen.textBaseline = 'middle'
    pen.fillText(wallClock(at), codePixels / 2, codePixels + textHeight / 2 + 1)
  }
}

/** `13:05:09.042`, in the machine's own time zone. */
export function wallClock(at: number): string {
  const time = new Date(at)
  const pad = (value: number, width: number) => String(value).padStart(width, '0')
  return `${pad(time.getHours(), 2)}:${pad(time.getMinutes(), 2)}:${pad(time.getSeconds(), 2)}.${pad(time.getMilliseconds(), 3)}`
}
