import type { Operation } from '../../contracts/operation.ts'
import { PeopleList } from '../../contracts/viewing.ts'
import { described } from '../description/described.ts'
import { all, ofBodies, ofOwners, ofReaders, ofStreams, ofWriters } from '../description/refusals.ts'

const shared = {
  area: 'Watching',
  who: 'The owner, or a service for the owner.',
  accepts: ['service_token', 'session'],
  answers: { 200: { says: 'The people whom it is shared with now.', contract: PeopleList } },
} as const satisfies Partial<Operation>

/** What the Share sheet's routes say of themselves. */
export const sharingOperations = {
  list: described({
    ...shared,
    name: 'listShares',
    summary: 'List whom a stream is shared with',
    refuses: all(ofReaders, ofStreams, ofOwners),
  }),
  add: described({
    ...shared,
    name: 'shareStream',
    summary: 'Share a stream with a person',
    refuses: all(ofWriters, ofBodies, ofStreams, ofOwners),
  }),
  remove: described({
    ...shared,
    name: 'unshareStream',
    summary: 'Stop sharing with a person',
    about: 'Their view tickets are dead and they are dropped before this answers.',
    refuses: all(ofWriters, ofStreams, ofOwners, ['invalid_request']),
  }),
} as const
