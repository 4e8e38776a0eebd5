import type { StreamFacts } from '../../actors/stream/stream-asks.ts'
import type { AgentStream } from '../../contracts/agent-stream.ts'
import type { CurtainView } from '../../contracts/curtain.ts'

/** `live.agent-stream@1` of what is true now. `origin`: how people reach us; `now` in ms. */
export function streamResource(facts: StreamFacts, origin: string, now: number): AgentStream {
  const stretch = facts.liveSince === null ? 0 : Math.max(0, now - facts.liveSince)
  return {
    id: facts.id,
    kind: 'agent',
    owner: facts.owner,
    channel: facts.channel,
    task: facts.task,
    visibility: facts.visibility,
    mode: 'watch',
    state: facts.state,
    curtain: curtainResource(facts.curtain),
    label: 'AI agent',
    viewers: facts.viewers,
    link: facts.link,
    worked_seconds: Math.floor((facts.workedMs + stretch) / 1000),
    created_at: rfc3339(facts.createdAt),
    started_at: facts.startedAt === null ? null : rfc3339(facts.startedAt),
    ended_at: facts.ended === null ? null : rfc3339(facts.ended.at),
    ended_why: facts.ended?.why ?? null,
    page_url: `${origin}/@${facts.handle}/agents/${facts.id}`,
    embed_url: `${origin}/embed/agent/${facts.id}`,
    whep_url: `${origin}/whep/agent/${facts.id}`,
    still_url: facts.still ? `${origin}/api/streams/agent/${facts.id}/frame` : null,
  }
}

/** The address of an unlisted stream's page, with the key that opens it. */
export function linkUrl(facts: Pick<StreamFacts, 'id' | 'handle'>, origin: string, key: string): string {
  return `${origin}/@${facts.handle}/agents/${facts.id}?k=${key}`
}

export function curtainResource(curtain: StreamFacts['curtain']): CurtainView {
  return curtain.up && curtain.since !== null ? { up: true, since: rfc3339(curtain.since) } : { up: curtain.up }
}

/** RFC 3339 in UTC, of milliseconds since the epoch. */
export function rfc3339(at: number): string {
  return new Date(at).toISOString()
}
