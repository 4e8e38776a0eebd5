import { describe, expect, test } from 'bun:test'
import type { types } from 'mediasoup'
import * as ortc from 'mediasoup/ortc'
import * as sdpTransform from 'sdp-transform'
import { type ProblemCode, RefusedError } from '../../../src/contracts/problem.ts'
import { roomCodecs } from '../../../src/media/codecs.ts'
import { type Consumable, planDialect } from '../../../src/media/sdp-bridge/dialect.ts'
import { readWhepOffer } from '../../../src/media/sdp-bridge/whep.ts'
import { readWhipOffer } from '../../../src/media/sdp-bridge/whip.ts'
import { clients } from './clients.ts'
import { h264, type OfferDescription, opus, vp8, writeOffer } from './offer-builder.ts'
import { transport } from './transport.ts'

const router = ortc.generateRouterRtpCapabilities(structuredClone([...roomCodecs]))

/** What a room sends while a desk publishes with this offer; mediasoup's own arithmetic. */
function sentBy(desk: OfferDescription): Consumable[] {
  return readWhipOffer(writeOffer(desk), router).tracks.map(({ kind, rtpParameters }) => {
    const mapping = ortc.getProducerRtpParametersMapping(rtpParameters, router)
    return {
      producer: `the ${kind}`,
      kind,
      rtpParameters: ortc.getConsumableRtpParameters(kind, rtpParameters, router, mapping),
    }
  })
}

/** Reads, plans, consumes as mediasoup would in the dialect's router, and answers. */
function play(viewer: OfferDescription, desk: OfferDescription) {
  const playing = readWhepOffer(writeOffer(viewer))
  const sent = sentBy(desk)
  const dialect = planDialect(playing.wanted, sent)
  const capabilities = ortc.generateRouterRtpCapabilities(structuredClone(dialect.codecs))
  const tracks = dialect.tracks.map(({ section, producer, rtpCapabilities }) => {
    const { kind, rtpParameters } = sent.find((each) => each.producer === producer) as Consumable
    const piped = ortc.getPipeConsumerRtpParameters({ consumableRtpParameters: rtpParameters, enableRtx: false })
    const mapping = ortc.getProducerRtpParametersMapping(piped, capabilities)
    const consumed = ortc.getConsumerRtpParameters({
      consumableRtpParameters: ortc.getConsumableRtpParameters(kind, piped, capabilities, mapping),
      remoteRtpCapabilities: rtpCapabilities,
      pipe: false,
      enableRtx: kind === 'video',
    })
    return [section, { rtpParameters: consumed, streamId: 'footlight', trackId: kind as string }] as const
  })
  const answer = playing.answer(transport, new Map(tracks))
  return { dialect, answer, media: sdpTransform.parse(answer).media }
}

function refusalOf(attempt: () => unknown): ProblemCode {
  try {
    attempt()
  } catch (error) {
    if (error instanceof RefusedError) return error.refusal.code
    throw error
  }
  throw new Error('it was not refused')
}

const receive = (kind: 'audio' | 'video', mid: string, codecs?: readonly (typeof vp8)[]) =>
  ({ kind, mid, direction: 'recvonly', ssrcs: [], ...(codecs === undefined ? {} : { codecs }) }) as const

const payloads = (media: types.AppData[] | sdpTransform.MediaDescription[]) =>
  (media as sdpTransform.MediaDescription[]).map(({ rtp }) => rtp.map(({ payload }) => payload))

describe('payload types are those of the offer', () => {
  test.each([
    ['Chromium', 96, 97, 111],
    ['Firefox', 120, 124, 109],
    ['numbers that the room itself uses for others', 100, 101, 115],
  ])('%s', (_, payload, rtx, audio) => {
    const { media } = play(
      {
        sections: [
          receive('audio', '0', [{ ...opus, payload: audio }]),
          receive('video', '1', [{ ...vp8, payload, rtx }]),
        ],
      },
      clients.chromium,
    )
    expect(payloads(media)).toEqual([[audio], [payload, rtx]])
    expect(media.map(({ direction }) => direction as string)).toEqual(['sendonly', 'sendonly'])
    expect(media[1]?.ssrcGroups?.map(({ semantics }) => semantics)).toEqual(['FID'])
  })

  test('every dynamic payload type can be had, RTX too', () => {
    for (let payload = 96; payload < 127; payload += 1) {
      const viewer = { sections: [receive('video', '0', [{ ...vp8, payload, rtx: payload + 1 }])] }
      expect(payloads(play(viewer, clients.chromium).media)).toEqual([[payload, payload + 1]])
    }
  })

  test('an RTX number that mediasoup cannot use is left out', () => {
    const viewer = { sections: [receive('video', '0', [{ ...vp8, payload: 45, rtx: 46 }])] }
    const { media } = play(viewer, clients.chromium)
    expect(payloads(media)).toEqual([[45]])
    expect(media[0]?.ssrcGroups).toBeUndefined()
  })

  test('of several H264 the one that the desk sends', () => {
    const offered = [
      h264(102, '42001f', 1, 103),
      h264(104, '42001f', 0, 105),
      h264(106, '42e01f', 1, 107),
      h264(112, '640032', 1, 113),
    ]
    const viewer = { sections: [receive('audio', '0'), receive('video', '1', offered)] }
    expect(payloads(play(viewer, clients.obs).media)).toEqual([[111], [106, 107]])
  })
})

describe('m-lines are mirrored', () => {
  test('in the order of the offer, and viewers share a dialect whatever the order', () => {
    const one = play({ sections: [receive('video', 'v'), receive('audio', 'a')] }, clients.chromium)
    const other = play({ sections: [receive('audio', 'a'), receive('video', 'v')] }, clients.chromium)
    expect(one.media.map(({ type, mid }) => `${type} ${mid}`)).toEqual(['video v', 'audio a'])
    expect(other.media.map(({ type, mid }) => `${type} ${mid}`)).toEqual(['audio a', 'video v'])
    expect(one.dialect.key).toBe(other.dialect.key)
  })

  test('what cannot be filled is rejected in its place', () => {
    const { media, answer } = play(
      {
        sections: [
          receive('audio', '0'),
          { kind: 'application', mid: '1' },
          receive('video', '2'),
          receive('video', '3'),
          { kind: 'video', mid: '4', direction: 'sendonly' },
        ],
      },
      clients.videoOnly,
    )
    expect(media.map(({ port }) => port)).toEqual([0, 0, 9, 0, 0])
    expect(answer).toContain('a=group:BUNDLE 2\r\n')
  })

  test('sendrecv is answered sendonly', () => {
    const { media } = play({ sections: [{ kind: 'video', mid: '0', direction: 'sendrecv' }] }, clients.videoOnly)
    expect(media[0]?.direction).toBe('sendonly')
  })

  test('long mids of Firefox are no trouble', () => {
    const mid = '{7a4e1f09-8e0b-4b32-9a63-0f4d2a6c7e22}'
    expect(play({ sections: [receive('video', mid)] }, clients.videoOnly).media[0]?.mid).toBe(mid)
  })
})

describe('what is refused', () => {
  test.each(['sendonly', 'inactive'] as const)('an offer that is %s only', (direction) => {
    expect(refusalOf(() => readWhepOffer(writeOffer({ sections: [{ kind: 'video', mid: '0', direction }] })))).toBe(
      'unsupported_offer',
    )
  })
  test('a kind that nobody sends', () => {
    expect(refusalOf(() => play({ sections: [receive('video', '0')] }, clients.audioOnly))).toBe('unsupported_offer')
  })
  test('none of the codecs that are sent', () => {
    expect(refusalOf(() => play({ sections: [receive('video', '0')] }, clients.ffmpeg))).toBe('no_compatible_codecs')
  })
  test.each(['', 'garbage', '{}', writeOffer({ sections: [] })])('%j', (text) => {
    expect(refusalOf(() => readWhepOffer(text))).toBe('invalid_sdp')
  })
})
