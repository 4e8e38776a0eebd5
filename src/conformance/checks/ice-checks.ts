import { readSdpFragment, type SdpFragment, sdpFragmentType, writeSdpFragment } from '../../contracts/sdp-fragment.ts'
import { type Check, Failed, must, Skipped } from '../check.ts'
import { type Protocol, sectionOf } from '../protocol.ts'
import { type Reply, type Session, saidBy, type Target } from '../target.ts'

/** A strong entity tag (RFC 9110 section 8.8.3). */
const strongTag = /^"[\x21\x23-\x7e\x80-\xff]*"$/
/** The credentials of the offers. */
const offered = { ufrag: 'ufr1', pwd: '0123456789abcdef01234567' }

/** What is said of entity tags, trickle ICE and ICE restarts. */
export function iceChecks(protocol: Protocol): Check[] {
  const at = (subject: Parameters<typeof sectionOf>[1]) => sectionOf(protocol, subject)
  return [
    {
      id: 'etag',
      section: at('patch'),
      says: 'The 201 has a strong ETag in quotes, another for each session',
      run: async (target) => {
        const tags = []
        for (let round = 0; round < 2; round++) {
          const session = await target.open()
          await mustRestart(target, session)
          must(session.etag !== null, 'It has no ETag, though it restarts ICE.')
          must(strongTag.test(session.etag), `Its ETag is ${session.etag}, which is no strong entity tag.`)
          tags.push(session.etag)
          await target.end(session)
        }
        must(tags[0] !== tags[1], `Two sessions have the ETag ${tags[0]}.`)
      },
    },
    {
      id: 'patch-wrong-type',
      section: at('patch'),
      says: protocol.name === 'WHIP' ? 'PATCH with another type: 415' : 'PATCH with another type: 4xx',
      run: async (target) => {
        const session = await target.open()
        await mustTrickle(target, session)
        for (const type of ['text/plain', 'application/json']) {
          const reply = await target.patch(session, candidatesOf(session), session.match, { type })
          mustRefuseAs(reply, protocol.name === 'WHIP' ? [415] : null)
        }
      },
    },
    {
      id: 'patch-type-parameters',
      section: 'RFC 9110 section 8.3.1',
      says: 'PATCH whose type has parameters: as without them',
      run: async (target) => {
        const session = await target.open()
        await mustTrickle(target, session)
        const plain = await target.patch(session, candidatesOf(session), session.match)
        const type = `${sdpFragmentType}; charset=utf-8`
        const reply = await target.patch(session, candidatesOf(session), session.match, { type })
        must(reply.status === plain.status, `It answers ${saidBy(reply)} where it answers ${plain.status} without.`)
      },
    },
    {
      id: 'patch-malformed',
      section: at('patch'),
      says: protocol.name === 'WHIP' ? 'PATCH that is no SDP fragment: 400' : 'PATCH that is no SDP fragment: 4xx',
      run: async (target) => {
        const session = await target.open()
        await mustTrickle(target, session)
        for (const body of ['', 'hello', '{"candidate":""}']) {
          mustRefuseAs(await target.patch(session, body, session.match), protocol.name === 'WHIP' ? [400] : null)
        }
      },
    },
    {
      id: 'patch-without-if-match',
      section: at(protocol.name === 'WHIP' ? 'trickle' : 'patch'),
      says: 'PATCH without If-Match: 428',
      run: async (target) => {
        const session = await target.open()
        await mustTrickle(target, session)
        mustRefuseAs(await target.patch(session, candidatesOf(session), null), [428])
      },
    },
    {
      id: 'patch-stale-if-match',
      section: at(protocol.name === 'WHIP' ? 'trickle' : 'patch'),
      says: 'PATCH with another session’s If-Match: 412',
      run: async (target) => {
        const session = await target.open()
        await mustTrickle(target, session)
        mustRefuseAs(await target.patch(session, candidatesOf(session), '"stale"'), [412])
      },
    },
    {
      id: 'trickle',
      section: at('trickle'),
      says: 'Candidates: 204, no body and no ETag',
      run: async (target) => {
        const session = await target.open()
        await mustTrickle(target, session)
        for (const fragment of [candidatesOf(session), candidatesOf(session, { endOfCandidates: true })]) {
          const reply = await target.patch(session, fragment, session.match)
          must(reply.status === 204, `It answers ${saidBy(reply)}.`)
          must(reply.body === '', 'Its 204 has a body.')
          must(!reply.headers.has('etag'), 'Its 204 has an ETag.')
        }
      },
    },
    {
      id: 'trickle-unknown',
      section: at('trickle'),
      says: 'Candidates of an unknown transport, or with a name nobody knows: 204',
      run: async (target) => {
        const session = await target.open()
        await mustTrickle(target, session)
        const candidates = [
          '1 1 sctp 2122260223 192.0.2.1 61764 typ host',
          '2 1 udp 2122260223 nobody-knows-this.invalid 61764 typ host',
          '3 1 udp 2122260223 4f0c1c7e-2a51-4e0b-9a0c-0c5b0c1d2e3f.local 61764 typ host',
          '4 1 udp 2122260223 192.0.2.1 61764 typ host',
        ]
        const reply = await target.patch(session, candidatesOf(session, { candidates }), session.match)
        must(reply.status === 204, `It answers ${saidBy(reply)}.`)
      },
    },
    {
      id: 'restart',
      section: at('restart'),
      says: 'An ICE restart with If-Match: *: 200 and the server’s new credentials as an SDP fragment',
      run: async (target) => {
        const session = await target.open()
        const { reply, fragment } = await mustRestart(target, session)
        const type = reply.headers.get('content-type')?.split(';', 1)[0]?.trim().toLowerCase()
        must(type === sdpFragmentType, `The Content-Type of its 200 is ${type ?? 'missing'}.`)
        must(fragment.ufrag !== null && fragment.pwd !== null, 'Its 200 has no a=ice-ufrag or no a=ice-pwd.')
        must(fragment.ufrag !== session.answer.ufrag, 'Its a=ice-ufrag is the one from before.')
        must(fragment.pwd !== session.answer.pwd, 'Its a=ice-pwd is the one from before.')
      },
    },
    {
      id: 'restart-quoted-star',
      section: at('restart'),
      says: 'An ICE restart with If-Match: "*", as in the document’s own example',
      run: async (target) => {
        const session = await target.open()
        await mustRestart(target, session)
        const reply = await target.patch(session, restartOf(2), '"*"')
        must(reply.status === 200, `It answers ${saidBy(reply)}.`)
      },
    },
    {
      id: 'restart-etag',
      section: at('restart'),
      says: 'An ICE restart makes a new ETag: the old one is stale (412), candidates go under the new one (204)',
      run: async (target) => {
        const session = await target.open()
        const { reply } = await mustRestart(target, session)
        const etag = reply.headers.get('etag')
        must(etag !== null, 'Its 200 has no ETag.')
        must(strongTag.test(etag), `Its ETag is ${etag}, which is no strong entity tag.`)
        must(etag !== session.etag, 'Its ETag is the one from before.')
        const fragment = candidatesOf(session, credentials(1))
        mustRefuseAs(await target.patch(session, fragment, session.etag), [412])
        const taken = await target.patch(session, fragment, etag)
        must(taken.status === 204, `It answers candidates under the new ETag with ${saidBy(taken)}.`)
      },
    },
    {
      id: 'restart-same-options',
      section: at('restart'),
      says: 'An ICE restart keeps ice-lite and ice-options as the answer had them',
      run: async (target) => {
        const session = await target.open()
        const { fragment } = await mustRestart(target, session)
        const { iceLite, iceOptions } = session.answer
        must(fragment.iceLite === iceLite, `Its a=ice-lite is ${fragment.iceLite ? 'new' : 'missing'}.`)
        const options = (of: readonly string[]) => [...of].sort().join(' ') || 'none'
        must(
          options(fragment.iceOptions) === options(iceOptions),
          `Its a=ice-options were ${options(iceOptions)} and are ${options(fragment.iceOptions)}.`,
        )
      },
    },
    {
      id: 'restart-failed',
      section: at('restart'),
      says: 'An ICE restart that cannot be done is refused, and the session goes on',
      run: async (target) => {
        const session = await target.open()
        await mustTrickle(target, session)
        const reply = await target.patch(session, 'a=ice-ufrag:only\r\n', '*')
        must(reply.status >= 400, `It answers a restart without a password with ${saidBy(reply)}.`)
        const taken = await target.patch(session, candidatesOf(session), session.match)
        must(taken.status === 204, `It answers candidates after that with ${saidBy(taken)}.`)
      },
    },
    {
      id: 'patch-gone',
      section: 'RFC 9110 section 15.5.5',
      says: 'PATCH of a session that has ended: 404 or 410',
      run: async (target) => {
        const session = await target.open()
        await mustTrickle(target, session)
        await target.end(session)
        mustRefuseAs(await target.patch(session, candidatesOf(session), session.match), [404, 410])
      },
    },
  ]
}

const candidate = '1387637174 1 udp 2122260223 192.0.2.1 61764 typ host'

/** A fragment with candidates, under the offer's credentials. */
export function candidatesOf(session: Session, more: Partial<Parameters<typeof writeSdpFragment>[0]> = {}): string {
  const [first] = session.answer.sections
  const section = { line: `${first?.kind ?? 'audio'} 9 UDP/TLS/RTP/SAVPF 0`, mid: first?.mid ?? '0' }
  return writeSdpFragment({ ...offered, section, candidates: [candidate], ...more })
}

function credentials(restart: number) {
  return { ufrag: `again${restart}`, pwd: `another/password+${restart}234567` }
}

function restartOf(restart: number): string {
  return writeSdpFragment(credentials(restart))
}

/** @throws Skipped when the server has no trickle ICE: it is recommended, not required. */
async function mustTrickle(target: Target, session: Session): Promise<void> {
  const reply = await target.patch(session, candidatesOf(session), session.match)
  if (reply.status === 405 || reply.status === 501 || reply.status === 422) {
    throw new Skipped(`It has no trickle ICE: it answers candidates with ${reply.status}.`)
  }
}

/** Restarts ICE. @throws Skipped when the server does not do that, Failed when it does it otherwise */
async function mustRestart(
  target: Target,
  session: Session,
): Promise<{ readonly reply: Reply; readonly fragment: SdpFragment }> {
  const reply = await target.patch(session, restartOf(1), '*')
  if (reply.status === 405 || reply.status === 501 || reply.status === 422) {
    throw new Skipped(`It restarts no ICE: it answers ${reply.status}.`)
  }
  must(reply.status === 200, `It answers an ICE restart with ${saidBy(reply)}.`)
  try {
    return { reply, fragment: readSdpFragment(reply.body) }
  } catch {
    throw new Failed('The body of its 200 is no SDP fragment (RFC 8840).')
  }
}

/** `null`: any 4xx. */
function mustRefuseAs(reply: Reply, statuses: readonly number[] | null): void {
  const right = statuses === null ? reply.status >= 400 && reply.status <= 499 : statuses.includes(reply.status)
  must(right, `It answers ${saidBy(reply)}.`)
}
