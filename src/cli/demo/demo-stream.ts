import type { Config } from '../../config.ts'
import type { AgentStream, PublishGrant } from '../../contracts/agent-stream.ts'
import { createStream, endStream, mintTicket } from '../../desk/agent-stream-api.ts'
import { ensurePerson, mintServiceToken } from '../operator.ts'

/** The demo's stream, and what may be done to it as the service that made it. */
export interface DemoStream {
  readonly stream: AgentStream
  readonly publish: PublishGrant
  /** `…/api/streams/agent/<ags_id>` */
  readonly streamUrl: string
  readonly pageUrl: string
  readonly embedUrl: string
  renew(): Promise<PublishGrant>
  end(): Promise<void>
}

const tokenMinutes = 5

/** Makes sure that the person `demo` is there and creates a public stream of theirs. */
export async function createDemoStream(config: Config, origin: string): Promise<DemoStream> {
  const person = await ensurePerson(config, 'demo')
  // Short-lived and made anew for each call: nothing here keeps one.
  const token = () =>
    mintServiceToken(config, {
      person: person.id,
      capabilities: ['live.agent_stream.publish'],
      minutes: tokenMinutes,
    })
  const { stream, publish } = await createStream(origin, await token(), {
    visibility: 'public',
    task: { source: 'desk', ref: 'demo', title: 'Fix the checkout total' },
  })
  const streamUrl = new URL(`/api/streams/agent/${stream.id}`, origin).href
  return {
    stream,
    publish,
    streamUrl,
    pageUrl: new URL(stream.page_url, origin).href,
    embedUrl: new URL(stream.embed_url, origin).href,
    renew: async () => mintTicket(streamUrl, await token()),
    end: async () => endStream(streamUrl, await token()),
  }
}
