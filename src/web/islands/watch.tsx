import { hydrate } from 'preact'
import { useEffect, useRef, useState } from 'preact/hooks'
import { createPlayer, type Player } from '../player/player.ts'
import { islandDataId, islandRootId } from '../stage/island.ts'
import { type WatchData, WatchView } from '../stage/watch-view.tsx'
import { firstState } from '../stage/words.ts'
import { type AddressSecrets, addressBarOf, takeAddressSecrets } from './address-secrets.ts'

function Watch({ vt, k, ...data }: Omit<WatchData, 'vt'> & AddressSecrets) {
  const video = useRef<HTMLVideoElement>(null)
  const player = useRef<Player | null>(null)
  const [state, setState] = useState(() => firstState(data.stream))
  const [muted, setMuted] = useState(true)

  useEffect(() => {
    if (video.current === null || data.stream.state === 'ended') return
    const address = new URL(location.href)
    const socketUrl = new URL('/ws/broadcast', address)
    socketUrl.protocol = address.protocol === 'https:' ? 'wss:' : 'ws:'
    const created = createPlayer({
      video: video.current,
      stream: data.stream.id,
      socketUrl: socketUrl.href,
      ...(vt === null ? {} : { vt }),
      ...(k === null ? {} : { k }),
    })
    player.current = created
    const unsubscribe = created.subscribe((next) => {
      // What the server rendered is better than an empty "Connecting".
      if (next.phase !== 'connecting') setState(next)
    })
    return () => {
      unsubscribe()
      created.destroy()
      player.current = null
    }
  }, [data.stream.id, data.stream.state, vt, k])

  const stage = video.current?.parentElement
  return (
    <WatchView
      {...data}
      state={state}
      muted={muted}
      video={video}
      controls={{
        onMute: () => setMuted(!muted),
        onPlay: () => player.current?.play(),
        ...(typeof stage?.requestFullscreen === 'function' ? { onFullScreen: () => toggleFullScreen(stage) } : {}),
      }}
    />
  )
}

function toggleFullScreen(element: Element) {
  const done = document.fullscreenElement === null ? element.requestFullscreen() : document.exitFullscreen()
  done.catch(() => {
    // The browser or the embedding page does not allow it: the picture stays as it is.
  })
}

const root = document.getElementById(islandRootId)
const text = document.getElementById(islandDataId)?.textContent
if (root !== null && text) {
  const data = JSON.parse(text) as WatchData
  const { vt, k } = takeAddressSecrets(data.stream.id, addressBarOf(window))
  // The server's ticket first: of a public stream's page it gives none, and the one in the address still counts.
  hydrate(<Watch {...data} vt={data.vt ?? vt} k={k} />, root)
}
