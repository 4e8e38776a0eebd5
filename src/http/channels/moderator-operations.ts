import type { Operation } from '../../contracts/operation.ts'
import { PeopleList } from '../../contracts/viewing.ts'
import { described } from '../description/described.ts'
import { all, ofBodies, ofReaders, ofWriters } from '../description/refusals.ts'

const shared = {
  area: 'Channels',
  who: 'The channel’s owner, or a service for the owner.',
  accepts: ['service_token', 'session'],
  answers: { 200: { says: 'The moderators now.', contract: PeopleList } },
} as const satisfies Partial<Operation>

/** What the routes of a channel's moderators say of themselves. */
export const moderatorOperations = {
  list: described({
    ...shared,
    name: 'listModerators',
    summary: 'List a channel’s moderators',
    refuses: all(ofReaders, ['sign_in_required', 'not_found']),
  }),
  add: described({
    ...shared,
    name: 'addModerator',
    summary: 'Make a person a moderator',
    about: 'Moderators see the channel’s unlisted and public streams, and raise and lower the curtain.',
    refuses: all(ofWriters, ofBodies, ['sign_in_required', 'not_found']),
  }),
  remove: described({
    ...shared,
    name: 'removeModerator',
    summary: 'Take a moderator off the list',
    refuses: all(ofWriters, ['sign_in_required', 'not_found', 'invalid_request']),
  }),
} as const
