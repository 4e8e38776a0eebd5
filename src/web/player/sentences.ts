/** What the player says to a person when something is wrong: one sentence, and the way out where there is one. */
export const sentences = {
  notYours: 'This stream is not here, or it is not shared with you.',
  ticketNeeded: 'This stream is private, or your link is no longer good: ask its owner for a new one.',
  noLonger: 'You may not watch this stream any more: reload the page, or ask its owner for a new link.',
  noWebRtc: 'This browser cannot show live video. A current Chrome, Edge, Firefox or Safari can.',
  blocked:
    'The picture cannot get through: this network seems to block live video. Another network, or no VPN, may help.',
  noCodec: 'This browser cannot play the kind of video that the desk sends. Another browser may.',
  interrupted: 'The connection to the desk is interrupted.',
} as const
