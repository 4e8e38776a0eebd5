/** WHIP and WHEP by fetch alone, as a page without any library does it. */

export interface Endpoint {
  readonly url: string
  /** The bearer token, where one is needed. */
  readonly token?: string
}

/** Which candidates of the answer the browser gets. `tcp`: as where UDP is blocked. */
export type Transports = 'all' | 'tcp'

/** A session that the server answered 201 for. */
export interface Session {
  readonly connection: RTCPeerConnection
  readonly location: string
  readonly token: string | undefined
  etag: string
}

/** Posts the connection's offer and takes the answer. */
export async function exchange(
  connection: RTCPeerConnection,
  { url, token }: Endpoint,
  transports: Transports = 'all',
): Promise<Session> {
  await connection.setLocalDescription(await connection.createOffer())
  const response = await fetch(url, {
    method: 'POST',
    body: connection.localDescription?.sdp ?? '',
    headers: { 'Content-Type': 'application/sdp', ...bearer(token) },
  })
  const answer = await response.text()
  if (response.status !== 201) throw new Error(`${response.status} ${answer}`)
  await connection.setRemoteDescription({ type: 'answer', sdp: reachable(answer, transports) })
  return {
    connection,
    location: new URL(response.headers.get('Location') ?? '', url).href,
    token,
    etag: response.headers.get('ETag') ?? '',
  }
}

/** Restarts ICE (RFC 9725 section 4.3.3): our new half goes out as a fragment, the server's comes back as one. */
export async function restartIce(session: Session): Promise<{ status: number }> {
  const { connection, location, token } = session
  await connection.setLocalDescription(await connection.createOffer({ iceRestart: true }))
  await gathered(connection)
  const offer = connection.localDescription?.sdp ?? ''
  const response = await fetch(location, {
    method: 'PATCH',
    body: fragmentOf(offer),
    headers: {
      'Content-Type': 'application/trickle-ice-sdpfrag',
      'If-Match': session.etag,
      ...bearer(token),
    },
  })
  const fragment = await response.text()
  if (response.status !== 200) throw new Error(`${response.status} ${fragment}`)
  session.etag = response.headers.get('ETag') ?? ''
  const before = connection.remoteDescription?.sdp ?? ''
  await connection.setRemoteDescription({ type: 'answer', sdp: withIce(before, fragment) })
  return { status: response.status }
}

/** How a connection's ICE stands, and which session of it: the server's fragment is another one after a restart. */
export interface Ice {
  readonly state: RTCPeerConnectionState
  readonly ufrag: string
}

export function iceOfConnection({ connectionState, remoteDescription }: RTCPeerConnection): Ice {
  return { state: connectionState, ufrag: /^a=ice-ufrag:(.*)$/m.exec(remoteDescription?.sdp ?? '')?.[1] ?? '' }
}

export async function hangUp({ connection, location, token }: Session): Promise<void> {
  connection.close()
  await fetch(location, { method: 'DELETE', headers: bearer(token) })
}

function bearer(token: string | undefined): Record<string, string> {
  return token === undefined ? {} : { Authorization: `Bearer ${token}` }
}

function reachable(answer: string, transports: Transports): string {
  return transports === 'all' ? answer : answer.replace(/^a=candidate:\S+ \d+ udp .*\r\n/gim, '')
}

async function gathered(connection: RTCPeerConnection): Promise<void> {
  while (connection.iceGatheringState !== 'complete') {
    await new Promise((resolve) =>
      connection.addEventListener('icegatheringstatechange', resolve, { once: true, passive: true }),
    )
  }
}

const iceLines = /^a=(?:ice-ufrag|ice-pwd|candidate|end-of-candidates)[^\r\n]*\r\n/gm

/** RFC 8840 section 9, as RFC 9725 section 4.3.1 has it: the group, the first m-line, its mid and the ICE lines. */
function fragmentOf(offer: string): string {
  const [session = '', first = ''] = offer.split(/^(?=m=)/m)
  const kept = (text: string, lines: RegExp) => (text.match(lines) ?? []).join('')
  return (
    kept(session, /^a=group:BUNDLE [^\r\n]*\r\n/gm) +
    kept(first, /^(?:m=|a=mid:)[^\r\n]*\r\n/gm) +
    kept(first, iceLines)
  )
}

/** The description with the fragment's credentials and candidates in each of its m-sections. */
function withIce(description: string, fragment: string): string {
  const credentials = (fragment.match(/^a=ice-(?:ufrag|pwd):[^\r\n]*\r\n/gm) ?? []).join('')
  const candidates = (fragment.match(/^a=(?:candidate:|end-of-candidates)[^\r\n]*\r\n/gm) ?? []).join('')
  const [session = '', ...sections] = description.replace(iceLines, '').split(/^(?=m=)/m)
  return session + sections.map((section) => section.replace(/\s*$/, '\r\n') + credentials + candidates).join('')
}
