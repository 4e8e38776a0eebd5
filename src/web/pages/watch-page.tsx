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
  /** A view ticket for the page's player, where the stream needs one: it goes to the browser. */
  readonly vt?: string
  readonly assets: Assets
  readonly nonce?: string
}

/** `/@person/agents/<id>`: the picture, its label and its status line. */
export function renderWatchPage({ stream, handle, vt, assets, nonce }: WatchPageInput): string {
  const data: WatchData = { view: 'page', stream, handle, ...(vt !== undefined && { vt }) }
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
          <WatchView view="page" stream={stream} handle={handle} state={firstState(stream)} muted />
        </main>
        <NoScript />
        <IslandData data={data} />
      </>
    ),
  })
}

/** `/embed/agent/<id>`: the picture fills the frame. */
export function renderEmbedPage({ stream, handle, vt, assets, nonce }: WatchPageInput): string {
  const data: WatchData = { view: 'embed', stream, handle, ...(vt !== undefined && { vt }) }
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
          <WatchView view="embed" stream={stream} handle={handle} state={firstState(stream)} muted />
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
