import { type Check, must, Skipped } from '../check.ts'
import { midExtension, type OfferDescription } from '../offer-builder.ts'
import { type Protocol, sectionOf } from '../protocol.ts'
import { type Session, saidBy, type Target } from '../target.ts'
import { isRefusal } from './endpoint-checks.ts'

/** What an offer asks for, and what the answer says to it. */
export function offerChecks(protocol: Protocol): Check[] {
  const at = (subject: Parameters<typeof sectionOf>[1]) => sectionOf(protocol, subject)
  const { offers, answers } = protocol
  const wrongWay = offers === 'sendonly' ? 'recvonly' : 'sendonly'
  return [
    {
      id: 'answer',
      section: at('setup'),
      says: 'An offer: 201, application/sdp, an SDP answer and a Location',
      run: async (target) => {
        const { created } = await target.open()
        const type = created.headers.get('content-type')
        must(
          type?.split(';', 1)[0]?.trim().toLowerCase() === 'application/sdp',
          `The Content-Type of its 201 is ${type ?? 'missing'}.`,
        )
      },
    },
    {
      id: 'session-url',
      section: at('security'),
      says: 'Session addresses differ, and cannot be guessed',
      run: async (target) => {
        const ids = []
        for (let round = 0; round < 2; round++) {
          const session = await target.open()
          ids.push(session.url.href)
          await target.end(session)
        }
        const [one = '', other = ''] = ids
        must(one !== other, 'Two sessions have the same address.')
        // What both addresses have in common carries no chance.
        const differing = [...one].filter((character, index) => character !== other[index]).length
        must(differing >= 12, `Two sessions’ addresses differ in ${differing} characters.`)
      },
    },
    {
      id: 'answer-direction',
      section: at('setup'),
      says: `An offer of ${offers} or sendrecv is answered ${answers}`,
      run: async (target) => {
        const { audio, video } = target.tracks
        for (const direction of [offers, 'sendrecv'] as const) {
          const session = await target.open(
            target.offer({
              sections: [
                { ...audio, direction },
                { ...video, direction },
              ],
            }),
          )
          for (const { port, direction: answered } of session.answer.sections) {
            must(port === 0 || answered === answers, `It answers ${direction} with ${answered}.`)
          }
          must(
            session.answer.sections.some(({ port }) => port !== 0),
            `It rejects every m-section of ${direction}.`,
          )
          await target.end(session)
        }
      },
    },
    {
      id: 'offer-wrong-direction',
      section: at('setup'),
      says: `An offer of ${wrongWay} or inactive is refused`,
      run: async (target) => {
        const { audio, video } = target.tracks
        for (const direction of [wrongWay, 'inactive'] as const) {
          await mustRefuse(
            target,
            {
              sections: [
                { ...audio, direction },
                { ...video, direction },
              ],
            },
            direction,
          )
        }
      },
    },
    {
      id: 'answer-mirrors',
      section: 'RFC 3264 section 6',
      says: 'The answer has the offer’s m-sections in the offer’s order, with formats of the offer’s',
      run: async (target) => {
        const { audio, video } = target.tracks
        const offered = new Set(
          [audio, video].flatMap(({ codecs = [] }) => codecs.map(({ payload }) => String(payload))),
        )
        for (const sections of [
          [audio, video],
          [
            { ...video, mid: 'v' },
            { ...audio, mid: 'a' },
          ],
          [{ ...video, mid: '{7a4e1f09-8e0b-4b32-9a63-0f4d2a6c7e22}' }],
        ]) {
          const { answer } = await target.open(target.offer({ sections }))
          const wanted = sections.map(({ kind, mid }) => `${kind} ${mid}`).join(', ')
          const got = answer.sections.map(({ kind, mid }) => `${kind} ${mid}`).join(', ')
          must(wanted === got, `It answers ${wanted} with ${got || 'nothing'}.`)
          for (const { payloads, port, kind } of answer.sections) {
            const foreign = port === 0 ? [] : payloads.filter((payload) => !offered.has(payload))
            must(foreign.length === 0, `Its ${kind} has the formats ${foreign.join(' ')}, which were not offered.`)
          }
          await target.tidy()
        }
      },
    },
    {
      id: 'answer-candidates',
      section: at('trickle'),
      says: 'The answer has ICE credentials and the server’s candidates',
      run: async (target) => {
        const { answer } = await target.open()
        must(answer.ufrag !== null && answer.pwd !== null, 'It has no a=ice-ufrag or no a=ice-pwd.')
        must(
          answer.sections.some(({ candidates }) => candidates.length > 0),
          'It has no a=candidate, and they cannot be sent later.',
        )
      },
    },
    {
      id: 'answer-bundle',
      section: at('bundle'),
      says: 'The answer bundles what the offer bundles, each m-section rtcp-mux and rtcp-mux-only',
      run: async (target) => {
        const { answer } = await target.open()
        const live = answer.sections.filter(({ port }) => port !== 0)
        for (const { mid, kind, lines } of live) {
          must(mid !== null && answer.bundle.includes(mid), `Its ${kind} is not bundled.`)
          must(lines.includes('a=rtcp-mux'), `Its ${kind} has no a=rtcp-mux.`)
          must(lines.includes('a=rtcp-mux-only'), `Its ${kind} has no a=rtcp-mux-only.`)
        }
      },
    },
    {
      id: 'answer-setup',
      section: protocol.name === 'WHIP' ? 'RFC 9725 section 4.4.4' : 'RFC 8842 section 5.3',
      says: 'setup:actpass is answered active or passive, setup:active passive, setup:passive active',
      run: async (target) => {
        for (const [setup, right] of [
          ['actpass', ['active', 'passive']],
          ['active', ['passive']],
          ['passive', ['active']],
        ] as const) {
          const { answer } = await target.open(target.offer({ setup }))
          for (const section of answer.sections.filter(({ port }) => port !== 0)) {
            must(right.includes(section.setup as never), `It answers setup:${setup} with ${section.setup ?? 'none'}.`)
          }
          await target.tidy()
        }
      },
    },
    {
      id: 'answer-fingerprint',
      section: 'RFC 8122 section 5',
      says: 'The answer has a certificate’s fingerprint',
      run: async (target) => {
        const { answer } = await target.open()
        const all = [...answer.lines, ...answer.sections.flatMap(({ lines }) => lines)]
        must(
          all.some((line) => /^a=fingerprint:\S+ [0-9A-Fa-f]{2}(:[0-9A-Fa-f]{2})+$/.test(line)),
          'It has no a=fingerprint.',
        )
      },
    },
    {
      id: 'one-track',
      section: at('tracks'),
      says: 'Audio alone or video alone: 201',
      run: async (target) => {
        let taken = 0
        for (const section of Object.values(target.tracks)) {
          const reply = await target.post(target.offer({ sections: [section] }))
          if (reply.status === 201) {
            taken++
            await target.end(target.session(reply))
          } else if (protocol.name === 'WHIP') {
            must(false, `It answers ${section.kind} alone with ${saidBy(reply)}.`)
          }
        }
        must(taken > 0, 'It takes neither.')
      },
    },
    {
      id: 'line-feeds',
      section: 'RFC 8866 section 5',
      says: 'An offer whose lines end with a line feed alone: 201',
      run: async (target) => void (await target.open(target.offer({ lineEnd: '\n', finalLineEnd: false }))),
    },
    {
      id: 'session-level',
      section: 'RFC 8839 section 5.4',
      says: 'An offer with ICE, fingerprint and setup at session level: 201',
      run: async (target) => void (await target.open(target.offer({ transportAt: 'session' }))),
    },
  ]
}

/** What only a WHIP endpoint is offered. */
export function whipOfferChecks(): Check[] {
  return [
    {
      id: 'two-videos',
      section: 'RFC 9725 section 4.4.2',
      says: 'Two video tracks are refused whole with 4xx, or both taken',
      run: async (target) => {
        const { audio, video } = target.tracks
        const sections = [audio, video, { ...video, mid: '2', ssrcs: [3333] }]
        await takenWholeOrNot(target, { sections }, 'two video tracks')
      },
    },
    {
      id: 'no-partial-answer',
      section: 'RFC 9725 section 4.4.3',
      says: 'A track that cannot be taken refuses the offer: no m-section alone is rejected',
      run: async (target) => {
        const { audio, video } = target.tracks
        const unknown = { ...video, codecs: [{ payload: 96, name: 'X-UNKNOWN/90000' }] }
        await takenWholeOrNot(target, { sections: [audio, unknown] }, 'a track with an unknown codec')
      },
    },
    {
      id: 'simulcast',
      section: 'RFC 9725 section 4.8',
      says: 'Simulcast that is taken is answered (RFC 8853 section 5.3.2)',
      run: async (target) => {
        const { audio, video } = target.tracks
        const rids = ['f', 'h', 'q']
        const extensions = { 4: midExtension, 5: 'urn:ietf:params:rtp-hdrext:sdes:rtp-stream-id' }
        const { answer } = await target.open(target.offer({ sections: [audio, { ...video, rids, extensions }] }))
        const lines = answer.sections[1]?.lines ?? []
        const simulcast = lines.find((line) => line.startsWith('a=simulcast:'))
        if (simulcast === undefined) throw new Skipped('It takes one layer alone.')
        must(simulcast.startsWith('a=simulcast:recv '), `It answers ${simulcast}.`)
        const named = rids.filter((rid) => lines.includes(`a=rid:${rid} recv`) && simulcast.includes(rid))
        must(named.length > 0, 'It names no a=rid that it takes.')
      },
    },
  ]
}

async function mustRefuse(target: Target, description: Partial<OfferDescription>, what: string): Promise<void> {
  const reply = await target.post(target.offer(description))
  if (reply.status === 201) target.session(reply)
  must(isRefusal(reply.status), `It answers ${what} with ${saidBy(reply)}.`)
}

async function takenWholeOrNot(target: Target, description: Partial<OfferDescription>, what: string): Promise<void> {
  const reply = await target.post(target.offer(description))
  if (reply.status !== 201) return must(isRefusal(reply.status), `It answers ${what} with ${saidBy(reply)}.`)
  const session: Session = target.session(reply)
  const rejected = session.answer.sections.filter(({ port }) => port === 0)
  must(rejected.length === 0, `It answers ${what} with 201 and rejects ${rejected.length} of them.`)
}
