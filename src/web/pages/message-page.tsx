import type { AssetName, Assets } from '../assets.ts'
import { renderDocument } from './document.tsx'
import { Masthead } from './masthead.tsx'

export interface MessagePageInput {
  readonly title: string
  /** One sentence that says what to do. */
  readonly detail: string
  readonly assets: Assets
  readonly nonce?: string
  readonly script?: AssetName
}

/** A page with one thing to say: a refusal, an expired link. */
export function renderMessagePage({ title, detail, assets, nonce, script }: MessagePageInput): string {
  return renderDocument({
    title: `${title} · Footlight`,
    assets,
    styles: 'site.css',
    nonce,
    ...(script !== undefined && { script }),
    bodyClass: 'page page-message',
    children: (
      <>
        <Masthead />
        <main class="message">
          <h1>{title}</h1>
          <p>{detail}</p>
          <p>
            <a href="/">What is Footlight?</a>
          </p>
        </main>
      </>
    ),
  })
}

/**
 * The 404 of every page: the same whether a thing is not there or not the caller's to see. Its
 * script finds back to a stream whose secret has left the address of this tab.
 */
export function renderNotFoundPage({ assets, nonce }: { assets: Assets; nonce?: string }): string {
  return renderMessagePage({
    title: 'The stage is empty',
    detail:
      'There is nothing at this address, or it is not shared with you. If somebody gave you the link, ask them for a new one.',
    assets,
    script: 'return.js',
    ...(nonce === undefined ? {} : { nonce }),
  })
}
