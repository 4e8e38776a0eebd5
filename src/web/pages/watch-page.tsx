import type { AgentStream } from '../../contracts/agent-stream.ts'
import type { Assets } from '../assets.ts'
import { islandRootId } from '../stage/island.ts'
import { type WatchData, WatchView } from '../stage/watch-view.tsx'
import { firstState } from '../stage/words.ts'
import { renderDocument } from './document.tsx'
import { IslandData } from './island-data.tsx'
import { Masthead } from './masthead.tsx'

export interface WatchPageInput {
  /** As the caller may see it: all of it goes to the browser. */
  readonly stream: AgentStream
  /** The owner's, without `@`. */
  readonly handle: string
  readonly assets: Assets
  readonly nonce?: string
}

/** `/@person/agents/<id>`: the picture, its label and its status line. */
export function renderWatchPage({ stream, handle, assets, nonce }: WatchPageInput): string {
  const data: WatchData = { view: 'page', stream, handle }
  return renderDocument({
    title: `${stream.task.title} · @${handle} · Footlight`,
    assets,
    styles: 'site.css',
    script: 'watch.js',
    nonce,
    bodyClass: 'page page-watch',
    children: (
      <>
        <Masthead />
        <main id={islandRootId} class="watch">
          <WatchView {...data} state={firstState(stream)} muted />
        </main>
        <NoScript />
        <IslandData data={data} />
      </>
    ),
  })
}

/** `/embed/agent/<id>`: the picture fills the frame. */
export function renderEmbedPage({ stream, handle, assets, nonce }: WatchPageInput): string {
  const data: WatchData = { view: 'embed', stream, handle }
  return renderDocument({
    title: `${stream.task.title} · @${handle}`,
    assets,
    styles: 'embed.css',
    script: 'watch.js',
    nonce,
    bodyClass: 'embed',
    children: (
      <>
        <main id={islandRootId} class="embed-main">
          <WatchView {...data} state={firstState(stream)} muted />
        </main>
        <NoScript />
        <IslandData data={data} />
      </>
    ),
  })
}

function NoScript() {
  return (
    <noscript>
      <p class="noscript">To show the live picture, this page needs JavaScript.</p>
    </noscript>
  )
}
