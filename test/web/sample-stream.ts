import type { AgentStream } from '../../src/contracts/agent-stream.ts'

/** A stream as a viewer sees it; live and public unless told otherwise. */
export function sampleStream(over: Partial<AgentStream> = {}): AgentStream {
  return {
    id: 'ags_01JC8Z6M3F9Q2W4E5R6T7Y8V9A',
    kind: 'agent',
    owner: 'usr_01JC8Z6M3F9Q2W4E5R6T7Y8V9B',
    channel: 'chn_01JC8Z6M3F9Q2W4E5R6T7Y8V9C',
    task: { source: 'codes', ref: 'run-42', title: 'Make the checkout tests pass' },
    visibility: 'public',
    mode: 'watch',
    state: 'live',
    curtain: { up: false },
    label: 'AI agent',
    viewers: 3,
    link: over.state === 'idle' || over.state === 'ended' ? null : 'flowing',
    worked_seconds: 2520,
    created_at: '2026-11-06T10:00:00Z',
    started_at: '2026-11-06T10:00:05Z',
    ended_at: null,
    ended_why: null,
    page_url: 'http://127.0.0.1/@ada/agents/ags_01JC8Z6M3F9Q2W4E5R6T7Y8V9A',
    embed_url: 'http://127.0.0.1/embed/agent/ags_01JC8Z6M3F9Q2W4E5R6T7Y8V9A',
    whep_url: 'http://127.0.0.1/whep/agent/ags_01JC8Z6M3F9Q2W4E5R6T7Y8V9A',
    still_url: null,
    ...over,
  }
}
