import { rateKinds, rateSetting } from '../../../src/http/rate-limits/rate-settings.ts'
import { startTestServer } from '../../http/test-server.ts'
import { mediaAddress } from './network.ts'

/** A stream of its own for one test, and where clients go for it. */
export interface Air {
  readonly id: string
  readonly publish: { readonly url: string; readonly token: string }
  readonly play: { readonly url: string }
  readonly watchUrl: string
}

/** A server for clients to meet on: public streams, as many as the tests want. */
export async function openAir(env: Record<string, string> = {}) {
  const server = await startTestServer({
    FOOTLIGHT_LIVE_LIMIT: '1000',
    ...Object.fromEntries(rateKinds.map((kind) => [rateSetting(kind), 'off'])),
    FOOTLIGHT_MEDIA_HOST: mediaAddress(),
    ...env,
  })
  const owner = await server.person('ada')
  return {
    server,
    async stream(): Promise<Air> {
      const { id, ticket, stream } = await server.stream(owner, 'public')
      return {
        id,
        publish: { url: `${server.url}/whip/agent/${id}`, token: ticket },
        play: { url: `${server.url}/whep/agent/${id}` },
        watchUrl: new URL(stream.page_url, server.url).href,
      }
    },
    /** `idle`, `live`; and how many watch. */
    async look({ id }: Air): Promise<{ state: string; viewers: number }> {
      const { body } = await server.call('GET', `/api/streams/agent/${id}`)
      return { state: body.state, viewers: body.viewers }
    },
    /** Ends the stream, so that it takes nothing of the machine from the next test. */
    async end({ id }: Air): Promise<void> {
      await server.call('POST', `/api/streams/agent/${id}/end`, { cookie: owner.cookie })
    },
    stop: () => server.stop(),
  }
}

export type OpenAir = Awaited<ReturnType<typeof openAir>>
