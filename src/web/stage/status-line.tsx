import type { PlayerState } from '../player/player-state.ts'
import { EyeIcon } from './icons.tsx'
import { statusWord, viewerCount, writeCount } from './words.ts'

/**
 * `Live · 3 watching`, `Waiting for the desk`, `Ended`. Only the word is a live region: a
 * count that changes announces nothing.
 */
export function StatusLine({ state }: { state: PlayerState }) {
  const count = viewerCount(state)
  return (
    <p class="status" data-phase={state.phase}>
      <span class="status-dot" aria-hidden="true" />
      <span role="status">{statusWord(state)}</span>
      {count === null ? null : <span class="status-count"> · {writeCount(count)} watching</span>}
    </p>
  )
}

/** The embed's, in the corner: the small count while live, else the word. */
export function CornerStatus({ state }: { state: PlayerState }) {
  const count = viewerCount(state)
  return (
    <div class="corner">
      <p class="corner-status" data-phase={state.phase}>
        <span class="status-dot" aria-hidden="true" />
        <span role="status">{statusWord(state)}</span>
        {count === null ? null : (
          <>
            <EyeIcon />
            <span aria-hidden="true">{writeCount(count)}</span>
            <span class="sr-only">{writeCount(count)} watching</span>
          </>
        )}
      </p>
    </div>
  )
}
