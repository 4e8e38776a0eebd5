import type { Assets } from '../assets.ts'
import { renderDocument } from './document.tsx'
import { Masthead } from './masthead.tsx'

export interface HomePageInput {
  readonly assets: Assets
  /** Who is signed in, without `@`. */
  readonly handle?: string
  readonly nonce?: string
}

/** `/`: says what this is. */
export function renderHomePage({ assets, handle, nonce }: HomePageInput): string {
  return renderDocument({
    title: "Footlight: an AI agent's screen, on air",
    assets,
    styles: 'site.css',
    nonce,
    indexed: true,
    bodyClass: 'page page-home',
    children: (
      <>
        <Masthead />
        <main class="home">
          <div class="hero">
            <h1>An AI agent’s screen, on air.</h1>
            <p class="lead">
              An agent works on a screen. Footlight shows that screen live, to the people who may see it, a fraction of
              a second after it happens.
            </p>
            {handle === undefined ? null : (
              <form class="signed-in" method="post" action="/sign-out">
                Signed in as <bdi>@{handle}</bdi>. <button type="submit">Sign out</button>
              </form>
            )}
          </div>
          <ul class="facts">
            <li>
              <h2>Live, in any browser</h2>
              <p>Nothing to install. Open the stream’s address and the picture starts by itself.</p>
            </li>
            <li>
              <h2>The curtain</h2>
              <p>A password, a secret, a private window: the curtain falls, and no picture leaves the server.</p>
            </li>
            <li>
              <h2>Always the owner’s</h2>
              <p>Private unless its owner says otherwise, and ended at the press of a button.</p>
            </li>
          </ul>
          <nav class="ways" aria-label="More">
            <a href="/docs">The API</a>
            {handle === undefined ? <a href="/sign-in">Sign in</a> : null}
          </nav>
        </main>
      </>
    ),
  })
}
