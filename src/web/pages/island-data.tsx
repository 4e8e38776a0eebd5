import { islandDataId } from '../stage/island.ts'
import type { WatchData } from '../stage/watch-view.tsx'

/**
 * Data for the page's script: not executed, so it needs no nonce. `<` is escaped, so that no
 * text in it can end the element (HTML 13.1.2.1, restrictions on raw text).
 */
export function IslandData({ data }: { data: WatchData }) {
  const text = JSON.stringify(data).replaceAll('<', '\\u003c')
  return <script type="application/json" id={islandDataId} dangerouslySetInnerHTML={{ __html: text }} />
}
