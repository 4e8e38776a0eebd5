/** The name at the head of a page, and the way home. */
export function Masthead() {
  return (
    <header class="masthead">
      <a class="wordmark" href="/">
        <svg class="mark" viewBox="0 0 32 32" aria-hidden="true" focusable="false">
          <path class="mark-lamp" d="M7 24a9 9 0 0 1 18 0Z" />
          <path class="mark-line" d="M3 28.5h26M16 4v6M6.5 7.5l3.7 4.7M25.5 7.5l-3.7 4.7" />
        </svg>
        Footlight
      </a>
    </header>
  )
}
