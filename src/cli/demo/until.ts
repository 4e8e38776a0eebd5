import { CommandError } from '../command-error.ts'

/** Something was waited for in vain: `what` names it. */
export class WaitedInVain extends CommandError {
  constructor(what: string, limit: number) {
    super(`Waited ${Math.round(limit / 1000)} s for ${what}, in vain.`)
  }
}

/** Waits; rejects with the signal's reason as soon as that aborts. */
export function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    signal.throwIfAborted()
    const stop = () => {
      clearTimeout(timer)
      reject(signal.reason)
    }
    const timer = setTimeout(() => {
      signal.removeEventListener('abort', stop)
      resolve()
    }, ms)
    signal.addEventListener('abort', stop, { once: true })
  })
}

export interface Wait {
  /** What is waited for, for the sentence when it does not come. */
  readonly what: string
  readonly limit: number
  readonly every?: number
  readonly signal: AbortSignal
}

/** Asks `look` until it answers something. Rejects with {@link WaitedInVain} after the limit. */
export async function until<T>(wait: Wait, look: () => Promise<T | undefined>): Promise<T> {
  const end = Date.now() + wait.limit
  for (;;) {
    wait.signal.throwIfAborted()
    const found = await look()
    if (found !== undefined) return found
    if (Date.now() >= end) throw new WaitedInVain(wait.what, wait.limit)
    await pause(wait.every ?? 100, wait.signal)
  }
}
