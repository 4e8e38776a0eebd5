/** The subjects that both documents treat, each under a number of its own. */
export type Subject =
  | 'http'
  | 'setup'
  | 'end'
  | 'patch'
  | 'trickle'
  | 'restart'
  | 'bundle'
  | 'tracks'
  | 'redirects'
  | 'iceServers'
  | 'bearer'
  | 'extensions'
  | 'security'

/** What is different between WHIP and WHEP, as far as the checks of both go. */
export interface Protocol {
  readonly name: 'WHIP' | 'WHEP'
  readonly document: string
  readonly sections: Readonly<Record<Subject, string>>
  /** What an offer's m-sections are, and an answer's. */
  readonly offers: 'sendonly' | 'recvonly'
  readonly answers: 'sendonly' | 'recvonly'
}

export const whip: Protocol = {
  name: 'WHIP',
  document: 'RFC 9725',
  sections: {
    http: '4.1',
    setup: '4.2',
    end: '4.2',
    patch: '4.3.1',
    trickle: '4.3.2',
    restart: '4.3.3',
    bundle: '4.4.1',
    tracks: '4.4.2',
    redirects: '4.5',
    iceServers: '4.6',
    bearer: '4.7.1',
    extensions: '4.9',
    security: '5',
  },
  offers: 'sendonly',
  answers: 'recvonly',
}

export const whep: Protocol = {
  name: 'WHEP',
  document: 'draft-ietf-wish-whep-03',
  sections: {
    http: '4.1',
    setup: '4.2',
    end: '4.3',
    patch: '4.4.1',
    trickle: '4.4.2',
    restart: '4.4.3',
    bundle: '4.5.1',
    tracks: '4.5.2',
    redirects: '4.6',
    iceServers: '4.7',
    bearer: '4.8.1',
    extensions: '4.9',
    security: '5',
  },
  offers: 'recvonly',
  answers: 'sendonly',
}

/** `RFC 9725 section 4.3.1` */
export function sectionOf({ document, sections }: Protocol, subject: Subject): string {
  return `${document} section ${sections[subject]}`
}
