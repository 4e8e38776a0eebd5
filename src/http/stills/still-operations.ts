import { linkKeyParameter } from '../access/link-key-parameter.ts'
import { described } from '../description/described.ts'
import { all, ofReaders, ofStreams, ofWriters } from '../description/refusals.ts'

const pictures = ['image/jpeg', 'image/webp']

/** What the routes of stills say of themselves. */
export const stillOperations = {
  put: described({
    area: 'Watching',
    name: 'putStill',
    summary: 'Send a still',
    about: 'A JPEG or WebP picture by its bytes, 200 KB (200,000 bytes) at most. Refused while the curtain is up.',
    who: 'The desk.',
    accepts: ['publish_ticket'],
    sends: { types: pictures, file: 'still.jpg' },
    answers: { 204: { says: 'It is the stream’s still now.', headers: ['ETag'] } },
    refuses: all(ofWriters, ofStreams, ['unsupported_media_type', 'body_too_large', 'curtain_up', 'stream_ended']),
  }),
  get: described({
    area: 'Watching',
    name: 'getStill',
    summary: 'Get the last still',
    about: 'With If-None-Match only when it is another. Withheld while the curtain is up.',
    who: 'Whoever may view the stream.',
    accepts: ['service_token', 'session', 'publish_ticket', 'view_ticket'],
    open: true,
    parameters: [
      linkKeyParameter,
      { name: 'If-None-Match', in: 'header', says: 'The ETag of the still that the caller has.' },
    ],
    answers: {
      200: { says: 'The picture.', types: pictures, headers: ['ETag'] },
      304: { says: 'The caller has it.', headers: ['ETag'] },
    },
    refuses: all(ofReaders, ofStreams, ['no_still', 'curtain_up']),
  }),
} as const
