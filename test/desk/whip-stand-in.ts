import { openBrowser } from '../../src/desk/browser.ts'

/**
 * A server that does for a desk what the real one does, with a browser's own peer connection as
 * the far end, so that the desk can be tested by itself.
 */
export async function startWhipStandIn(ticket: string) {
  const viewer = await openBrowser()
  await viewer.page.goto('data:text/html,<video autoplay muted playsinline></video>')
  /** Method and path of every call, in order. */
  const calls: string[] = []
  const sessions = new Set<string>()
  let encode = true
  let made = 0
  let refusal: { status: number; code: string } | null = null

  const answer = (offer: string) =>
    viewer.page.evaluate(async (offer) => {
      const page = window as unknown as { peer?: RTCPeerConnection }
      page.peer?.close()
      const peer = new RTCPeerConnection()
      page.peer = peer
      peer.ontrack = ({ track }) => {
        const video = document.querySelector('video')
        if (video !== null) video.srcObject = new MediaStream([track])
      }
      await peer.setRemoteDescription({ type: 'offer', sdp: offer })
      await peer.setLocalDescription()
      if (peer.iceGatheringState !== 'complete') {
        await new Promise<void>((resolve) => {
          peer.onicegatheringstatechange = () => {
            if (peer.iceGatheringState === 'complete') resolve()
          }
        })
      }
      return peer.localDescription?.sdp ?? ''
    }, offer)

  const server = Bun.serve({
    hostname: '127.0.0.1',
    port: 0,
    async fetch(request) {
      const { pathname } = new URL(request.url)
      calls.push(`${request.method} ${pathname}`)
      if (request.headers.get('authorization') !== `Bearer ${ticket}`) return new Response('', { status: 401 })
      if (request.method === 'POST' && pathname === '/whip/agent/x') {
        if (refusal !== null) {
          const { status, code } = refusal
          return Response.json({ code, detail: `Refused with ${code}, said to ${ticket}.` }, { status })
        }
        const location = `/whip/agent/x/${++made}`
        const sdp = await answer(await request.text())
        sessions.add(location)
        return new Response(sdp, { status: 201, headers: { 'content-type': 'application/sdp', location } })
      }
      if (pathname.startsWith('/whip/agent/x/')) {
        if (!sessions.has(pathname)) return new Response('', { status: 404 })
        if (request.method === 'DELETE') sessions.delete(pathname)
        return new Response('', { status: 200 })
      }
      if (pathname.endsWith('/state')) {
        return Response.json({ viewers: 0, encode, curtain: { up: false }, ends_at: null })
      }
      return Response.json({})
    },
  })
  const origin = `http://127.0.0.1:${server.port}`
  return {
    calls,
    sessions,
    streamUrl: `${origin}/api/streams/agent/x`,
    publish: {
      whip_url: `${origin}/whip/agent/x`,
      ticket,
      expires_at: new Date(Date.now() + 4 * 60 * 60 * 1000).toISOString(),
    },
    setEncode(on: boolean) {
      encode = on
    },
    refuse(status: number, code: string) {
      refusal = { status, code }
    },
    /** Frames of the current session that the far end has decoded. */
    frames: () =>
      viewer.page.evaluate(async () => {
        const { peer } = window as unknown as { peer?: RTCPeerConnection }
        let frames = 0
        for (const [, entry] of ((await peer?.getStats()) ?? []) as unknown as Map<string, Record<string, unknown>>) {
          if (entry.type === 'inbound-rtp') frames += Number(entry.framesDecoded ?? 0)
        }
        return frames
      }),
    async stop() {
      await viewer.close()
      await server.stop(true)
    },
  }
}
