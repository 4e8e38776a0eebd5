import type { Assets } from '../assets.ts'
import { renderDocument } from './document.tsx'
import { Masthead } from './masthead.tsx'

export interface SignInPageInput {
  /** Who the link signs in, without `@`. */
  readonly handle?: string
  /** Where the form posts to: consumes the link. Looking at this page does not. */
  readonly action: string
  readonly assets: Assets
  readonly nonce?: string
}

/**
 * What a one-time sign-in link shows: a button. The link is used by the POST alone, so that
 * a messenger's preview of it does not burn it.
 */
export function renderSignInPage({ handle, action, assets, nonce }: SignInPageInput): string {
  return renderDocument({
    title: 'Sign in · Footlight',
    assets,
    styles: 'site.css',
    nonce,
    bodyClass: 'page page-message',
    children: (
      <>
        <Masthead />
        <main class="message">
          <h1>Welcome{handle === undefined ? '' : ' back'}</h1>
          <p>This link signs you in once, on this browser.</p>
          <form method="post" action={action}>
            <button type="submit" class="button">
              {handle === undefined ? 'Sign in' : `Sign in as @${handle}`}
            </button>
          </form>
        </main>
      </>
    ),
  })
}
