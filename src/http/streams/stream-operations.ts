import {
  AgentStream,
  AgentStreamList,
  CreatedAgentStream,
  DeskState,
  PublishGrant,
} from '../../contracts/agent-stream.ts'
import { CurtainView } from '../../contracts/curtain.ts'
import { CurtainHolds } from '../../contracts/viewing.ts'
import { linkKeyParameter } from '../access/link-key-parameter.ts'
import { described } from '../description/described.ts'
import { all, ofBodies, ofOwners, ofReaders, ofStreams, ofWriters } from '../description/refusals.ts'

/** What the routes of streams say of themselves. */
export const streamOperations = {
  create: described({
    area: 'Streams',
    name: 'createAgentStream',
    summary: 'Create a stream',
    about: 'Answers the stream and its publish ticket, shown once; for an unlisted stream also the link that opens it.',
    who: 'A signed-in person for themselves, or a service with the capability live.agent_stream.publish for the person whom it names.',
    accepts: ['service_token', 'session'],
    answers: { 201: { says: 'The stream, idle.', contract: CreatedAgentStream, headers: ['Location'] } },
    refuses: all(ofWriters, ofBodies, ofOwners, ['not_found', 'too_many_requests', 'ask_timeout']),
  }),
  list: described({
    area: 'Streams',
    name: 'listAgentStreams',
    summary: 'List streams',
    about:
      'What the caller may see, newest first. Of a channel: the owner’s all; the public ones for everybody, the shared ones for whom they are shared with, the unlisted ones for moderators. Without a channel: the public ones, and one’s own. A link puts its stream in nobody’s list. A page may be shorter than asked for; more says whether to ask on, with before and the last id.',
    who: 'Anybody.',
    accepts: ['service_token', 'session'],
    open: true,
    answers: { 200: { says: 'A page of streams.', contract: AgentStreamList } },
    refuses: all(ofReaders, ofStreams, ['invalid_request']),
  }),
  read: described({
    area: 'Streams',
    name: 'readAgentStream',
    summary: 'Read a stream',
    who: 'Whoever may view it: for a public stream anybody, else the owner, whom it is shared with, who has its link or a ticket of it.',
    accepts: ['service_token', 'session', 'publish_ticket', 'view_ticket'],
    open: true,
    parameters: [linkKeyParameter],
    answers: { 200: { says: 'The stream.', contract: AgentStream } },
    refuses: all(ofReaders, ofStreams),
  }),
  mintTicket: described({
    area: 'Streams',
    name: 'mintPublishTicket',
    summary: 'Mint or renew the publish ticket',
    about:
      'The new ticket takes the place of the old one, which serves for another minute. A running session goes on. A desk renews at three hours of its four.',
    who: 'The owner, a service for the owner, or the desk with the current ticket.',
    accepts: ['publish_ticket', 'service_token', 'session'],
    answers: { 201: { says: 'The ticket, shown once.', contract: PublishGrant } },
    refuses: all(ofWriters, ofStreams, ofOwners, ['stream_ended', 'too_many_requests']),
  }),
  revokeTicket: described({
    area: 'Streams',
    name: 'revokePublishTicket',
    summary: 'Revoke the publish ticket',
    about: 'The kill switch: the WHIP session ends at once, and no ticket of the stream serves any more.',
    who: 'The owner, or a service for the owner.',
    accepts: ['service_token', 'session'],
    answers: { 200: { says: 'The stream, off air.', contract: AgentStream } },
    refuses: all(ofWriters, ofStreams, ofOwners),
  }),
  state: described({
    area: 'Streams',
    name: 'readDeskState',
    summary: 'Read what the desk needs to know',
    about:
      'Polled every ten seconds. encode is true while anybody watches or the stream is public; while it is false the desk stops encoding and sends a still every five seconds.',
    who: 'The desk.',
    accepts: ['publish_ticket'],
    answers: { 200: { says: 'The state.', contract: DeskState } },
    refuses: all(ofReaders, ofStreams, ['stream_ended']),
  }),
  setCurtain: described({
    area: 'Streams',
    name: 'setCurtain',
    summary: 'Raise or lower the curtain',
    about:
      'While it is up no media and no still leaves the server. The desk and a moderator lower what they raised, the desk not sooner than two seconds after; the owner lowers all of it. The answer says what is true then: the curtain may stay up by another’s hold.',
    who: 'The desk, the owner, a service for the owner, a moderator of the channel.',
    accepts: ['publish_ticket', 'service_token', 'session'],
    answers: { 200: { says: 'The curtain as it is now.', contract: CurtainView } },
    refuses: all(ofWriters, ofBodies, ofStreams, ofOwners, ['curtain_too_soon', 'stream_ended']),
  }),
  readCurtain: described({
    area: 'Streams',
    name: 'readCurtainHolds',
    summary: 'Read who holds the curtain, and why',
    who: 'The owner, or a service for the owner: the reasons are told to nobody else.',
    accepts: ['service_token', 'session'],
    answers: { 200: { says: 'The holds; none when the curtain is down.', contract: CurtainHolds } },
    refuses: all(ofReaders, ofStreams, ofOwners),
  }),
  end: described({
    area: 'Streams',
    name: 'endAgentStream',
    summary: 'End a stream',
    about: 'Final. Ending it again answers the same.',
    who: 'The owner, a service for the owner, or the desk.',
    accepts: ['publish_ticket', 'service_token', 'session'],
    answers: { 200: { says: 'The stream, ended.', contract: AgentStream } },
    refuses: all(ofWriters, ofStreams, ofOwners),
  }),
} as const
