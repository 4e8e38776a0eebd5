import { AgentStream } from '../../contracts/agent-stream.ts'
import { StreamLink, ViewTicketGrant } from '../../contracts/viewing.ts'
import { linkKeyParameter } from '../access/link-key-parameter.ts'
import { described } from '../description/described.ts'
import { all, ofBodies, ofOwners, ofStreams, ofWriters } from '../description/refusals.ts'

/** What the routes of visibility, links and view tickets say of themselves. */
export const viewingOperations = {
  update: described({
    area: 'Streams',
    name: 'updateAgentStream',
    summary: 'Change who may watch',
    about: 'Takes effect at once, on those who watch already, too.',
    who: 'The owner, or a service for the owner.',
    accepts: ['service_token', 'session'],
    answers: { 200: { says: 'The stream.', contract: AgentStream } },
    refuses: all(ofWriters, ofBodies, ofStreams, ofOwners, ['stream_ended']),
  }),
  mintViewTicket: described({
    area: 'Watching',
    name: 'mintViewTicket',
    summary: 'Get or renew a view ticket',
    about:
      'Ten minutes, renewed while the page is open, four hours from the first mint at most. With k by the link of an unlisted stream; with renew the ticket that is to live longer, and no other credential; with neither by the caller’s own right.',
    who: 'Whoever may view the stream by their session, a service token or the link.',
    accepts: ['service_token', 'session'],
    open: true,
    parameters: [linkKeyParameter],
    answers: {
      200: { says: 'The ticket, renewed.', contract: ViewTicketGrant },
      201: { says: 'A new ticket, shown once.', contract: ViewTicketGrant },
    },
    refuses: all(ofWriters, ofBodies, ofStreams, ['too_many_requests']),
  }),
  rotateLink: described({
    area: 'Watching',
    name: 'rotateLink',
    summary: 'Make a new link',
    about: 'The old links stop working, and who came by them is dropped.',
    who: 'The owner, or a service for the owner.',
    accepts: ['service_token', 'session'],
    answers: { 200: { says: 'The new link, shown once.', contract: StreamLink } },
    refuses: all(ofWriters, ofStreams, ofOwners, ['stream_ended']),
  }),
} as const
