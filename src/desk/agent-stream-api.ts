import type { CreateAgentStream, CreatedAgentStream, DeskState, PublishGrant } from '../contracts/agent-stream.ts'
import type { CurtainReason } from '../contracts/curtain.ts'
import { answerAs, httpCall } from './http-call.ts'

/**
 * The routes of an agent stream that a desk calls. `streamUrl`: `…/api/streams/agent/<ags_id>`;
 * `bearer`: the publish ticket, or a service token that may publish. All reject with
 * `SetbackError`.
 */

const json = 'application/json'
const limit = 5000

/** `POST /api/streams/agent`. `server`: the server's origin; `token`: a service token. */
export async function createStream(
  server: string,
  token: string,
  body: CreateAgentStream,
): Promise<CreatedAgentStream> {
  const url = new URL('/api/streams/agent', server).href
  const answer = await httpCall({
    method: 'POST',
    url,
    bearer: token,
    body: JSON.stringify(body),
    contentType: json,
    limit,
  })
  return answerAs(
    answer,
    'a stream with its publish ticket',
    ({ stream, publish }) => isObject(stream) && isGrant(publish),
  )
}

/** `GET …/state`. */
export async function readState(streamUrl: string, bearer: string): Promise<DeskState> {
  const answer = await httpCall({ method: 'GET', url: `${streamUrl}/state`, bearer, limit })
  return answerAs(
    answer,
    'a desk state',
    ({ encode, curtain }) => typeof encode === 'boolean' && isObject(curtain) && typeof curtain.up === 'boolean',
  )
}

/** `POST …/ticket`: a new ticket in place of the current one. */
export async function mintTicket(streamUrl: string, bearer: string): Promise<PublishGrant> {
  const answer = await httpCall({ method: 'POST', url: `${streamUrl}/ticket`, bearer, limit })
  return answerAs(answer, 'a publish ticket', isGrant)
}

/** `POST …/curtain`. Resolves when the server holds the media back, or lets it flow again. */
export async function setCurtain(
  streamUrl: string,
  bearer: string,
  up: boolean,
  reason?: CurtainReason,
): Promise<void> {
  const body = JSON.stringify(up && reason !== undefined ? { up, reason } : { up })
  await httpCall({ method: 'POST', url: `${streamUrl}/curtain`, bearer, body, contentType: json, limit })
}

/** `PUT …/frame`: the stream's last still, JPEG or WebP, 200 KB at most. */
export async function putStill(streamUrl: string, bearer: string, picture: Uint8Array): Promise<void> {
  const body = Uint8Array.from(picture)
  await httpCall({ method: 'PUT', url: `${streamUrl}/frame`, bearer, body, contentType: 'image/jpeg', limit })
}

/** `POST …/end`. */
export async function endStream(streamUrl: string, bearer: string): Promise<void> {
  await httpCall({ method: 'POST', url: `${streamUrl}/end`, bearer, limit })
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null
}

function isGrant(value: unknown): boolean {
  return (
    isObject(value) &&
    typeof value.whip_url === 'string' &&
    typeof value.ticket === 'string' &&
    typeof value.expires_at === 'string'
  )
}
