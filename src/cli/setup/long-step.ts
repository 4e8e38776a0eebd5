/** How often a line is written where lines cannot be rewritten, as in a log. */
const LINE_EVERY_MS = 10_000
const REDRAW_EVERY_MS = 250

/**
 * A step that takes long enough to be told about. On a terminal it is one line that is
 * rewritten; elsewhere a line when it begins, every ten seconds, and when it is done.
 */
export interface LongStep {
  /** What it does now, and how much of it is done (0 to 1) where that is known. */
  update(doing: string, fraction?: number): void
  /** Writes a text of something else meanwhile, such as a command's output. */
  aside(text: string): void
  /** Ends it; without this call it counts as failed. */
  done(): void
  [Symbol.dispose](): void
}

/** What a step writes to: stderr, or a test's stand-in. */
export interface StepOutput {
  readonly isTTY?: boolean
  write(text: string): unknown
}

/** Begins a step: `using step = longStep('Installing …')`. */
export function longStep(doing: string, output: StepOutput = process.stderr): LongStep {
  const begun = performance.now()
  let now = doing
  let share: number | undefined
  let shown = ''
  let finished = false

  const line = () => {
    const percent = share === undefined ? '' : ` ${Math.floor(share * 100)} %`
    return `footlight: ${now}${percent} … ${elapsed(performance.now() - begun)}`
  }
  const show = (text: string) => {
    if (output.isTTY) output.write(`\r\x1b[K${text}`)
    else output.write(`${text}\n`)
    shown = now
  }
  show(line())
  const timer = setInterval(() => show(line()), output.isTTY ? REDRAW_EVERY_MS : LINE_EVERY_MS)

  return {
    update(next, fraction) {
      // Another file of the same kind is no news for a log: what was counted off is not compared.
      const isNews = withoutCount(next) !== withoutCount(shown)
      now = next
      share = fraction
      if (isNews) show(line())
    },
    aside(text) {
      output.write(output.isTTY ? `\r\x1b[K${text}` : text)
    },
    done() {
      finished = true
    },
    [Symbol.dispose]() {
      clearInterval(timer)
      now = doing
      share = undefined
      const end = `footlight: ${now}: ${finished ? 'done' : 'failed'} after ${elapsed(performance.now() - begun)}`
      output.write(output.isTTY ? `\r\x1b[K${end}\n` : `${end}\n`)
    },
  }
}

function withoutCount(text: string): string {
  return text.replaceAll(/\d+/g, '')
}

/** A time as people read it: `0.8 s`, `12 s`, `5 min 03 s`. */
export function elapsed(milliseconds: number): string {
  const seconds = milliseconds / 1000
  if (seconds < 10) return `${seconds.toFixed(1)} s`
  const whole = Math.round(seconds)
  if (whole < 60) return `${whole} s`
  return `${Math.floor(whole / 60)} min ${String(whole % 60).padStart(2, '0')} s`
}
