/** The name at the head of a page, and the way home. */
export function Masthead() {
  return (
    <header class="masthead">
      <a class="wordmark" href="/">
        <svg class="mark" viewBox="0 0 32 32" aria-hidden="true" focusable="false">
          <path class="mark-beam" d="M16 20 3 3h26Z" />
          <path class="mark-lamp" d="M6 24a10 10 0 0 1 20 0Z" />
          <path class="mark-edge" d="M3 28h26" />
        </svg>
        Footlight
      </a>
    </header>
  )
}
