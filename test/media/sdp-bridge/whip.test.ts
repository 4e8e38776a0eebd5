import { describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import * as ortc from 'mediasoup/ortc'
import * as sdpTransform from 'sdp-transform'
import { type ProblemCode, RefusedError } from '../../../src/contracts/problem.ts'
import { roomCodecs } from '../../../src/media/codecs.ts'
import { readWhipOffer } from '../../../src/media/sdp-bridge/whip.ts'
import { clients } from './clients.ts'
import { h264, type OfferDescription, opus, type SectionDescription, writeOffer } from './offer-builder.ts'
import { mutatedOffer } from './offer-mutations.ts'
import { transport } from './transport.ts'

const router = ortc.generateRouterRtpCapabilities(structuredClone([...roomCodecs]))
const read = (offer: OfferDescription) => readWhipOffer(writeOffer(offer), router)
const answerOf = (offer: OfferDescription) => read(offer).answer(transport)
const lines = (text: string, start: string) => text.split('\r\n').filter((line) => line.startsWith(start))

function refusalOf(text: string): ProblemCode {
  try {
    readWhipOffer(text, router)
  } catch (error) {
    if (error instanceof RefusedError) return error.refusal.code
    throw error
  }
  throw new Error('it was not refused')
}

describe('every client is answered', () => {
  test.each(Object.entries(clients))('%s', (_, offer: OfferDescription) => {
    const { tracks, answer } = read(offer)
    const media = offer.sections.filter(({ kind }) => kind !== 'application')
    expect(tracks.map(({ kind }) => String(kind))).toEqual(media.map(({ kind }) => kind))
    // mediasoup itself takes what was read.
    for (const { rtpParameters } of tracks) {
      const checked = structuredClone(rtpParameters)
      ortc.validateAndNormalizeRtpParameters(checked)
      expect(ortc.getProducerRtpParametersMapping(checked, router).codecs.length).toBeGreaterThan(0)
    }
    const text = answer(transport)
    expect(text.startsWith('v=0\r\n')).toBe(true)
    expect(text.length).toBeLessThan(8192)
    expect(lines(text, 'a=ice-lite')).toEqual(['a=ice-lite'])
    // The m-lines are those of the offer, in its order.
    expect(lines(text, 'm=').map((line) => line.split(' ')[0])).toEqual(offer.sections.map(({ kind }) => `m=${kind}`))
    expect(lines(text, 'a=mid:')).toEqual(
      offer.sections.flatMap(({ mid }) => (mid === undefined ? [] : [`a=mid:${mid}`])),
    )
    expect(lines(text, 'a=recvonly').length).toBe(media.length)
    // All candidates, with foundations that FFmpeg reads: digits.
    expect(lines(text, 'a=candidate:').map((line) => line.split(' ')[0])).toEqual(
      media.flatMap(() => ['a=candidate:1', 'a=candidate:2']),
    )
    expect(new Set(lines(text, 'a=fingerprint:'))).toEqual(new Set(['a=fingerprint:sha-256 BB:CC']))
    // Payload types are the offer's.
    for (const [index, section] of sdpTransform.parse(text).media.entries()) {
      const offered = offer.sections[index] as SectionDescription
      if (offered.kind === 'application') expect(section.port).toBe(0)
      else expect(section.rtp[0]?.payload).toBe(offered.codecs?.[0]?.payload ?? (offered.kind === 'audio' ? 111 : 96))
    }
  })
})

describe('the DTLS role', () => {
  test.each([
    ['actpass', 'passive', 'client'],
    ['active', 'passive', 'client'],
    ['passive', 'active', 'server'],
    [null, 'passive', 'client'],
  ] as const)('an offer of %p is answered %s', (setup, answered, role) => {
    const publishing = read({ ...clients.chromium, setup })
    expect(publishing.dtlsParameters.role).toBe(role)
    expect(new Set(lines(publishing.answer(transport), 'a=setup:'))).toEqual(new Set([`a=setup:${answered}`]))
  })
})

describe('BUNDLE', () => {
  test('is mirrored, with rtcp-mux-only in each bundled section', () => {
    const text = answerOf(clients.obs)
    expect(lines(text, 'a=group:')).toEqual(['a=group:BUNDLE 0 1'])
    expect(lines(text, 'a=rtcp-mux-only').length).toBe(2)
    expect(lines(text, 'a=rtcp-mux').length).toBe(4)
  })
  test('leaves out what is rejected', () => {
    expect(lines(answerOf(clients.dataChannelBeside), 'a=group:')).toEqual(['a=group:BUNDLE 0 2'])
  })
  test('is not invented', () => {
    const text = answerOf(clients.ffmpeg)
    expect(lines(text, 'a=group:')).toEqual([])
    expect(lines(text, 'a=rtcp-mux-only')).toEqual([])
  })
})

describe('how tracks are told apart', () => {
  test('by ssrc, with RTX', () => {
    const [, video] = read(clients.chromium).tracks
    expect(video?.rtpParameters.encodings).toEqual([{ ssrc: 8000, rtx: { ssrc: 8001 } }])
    expect(video?.rtpParameters.mid).toBe('1')
  })
  test('by ssrc without MID', () => {
    const [audio, video] = read(clients.ffmpeg).tracks
    expect(audio?.rtpParameters.encodings).toEqual([{ ssrc: 4000 }])
    expect(video?.rtpParameters.encodings).toEqual([{ ssrc: 4001 }])
    expect(audio !== undefined && 'mid' in audio.rtpParameters).toBe(false)
  })
  test('by MID without ssrc', () => {
    const [video] = read(clients.withoutSsrc).tracks
    expect(video?.rtpParameters.encodings).toEqual([{}])
    expect(video?.rtpParameters.headerExtensions?.map(({ id }) => id)).toEqual([4])
  })
  test('by rids, the lowest layer first', () => {
    const publishing = read(clients.simulcast)
    expect(publishing.tracks[1]?.rtpParameters.encodings?.map(({ rid }) => rid)).toEqual(['q', 'h', 'f'])
    expect(lines(publishing.answer(transport), 'a=simulcast:')).toEqual(['a=simulcast:recv f;h;q'])
  })
  test('a group of one is no trouble', () => {
    const lines = ['a=ssrc-group:FID 9']
    const [video] = read({ sections: [{ kind: 'video', mid: '0', ssrcs: [9], lines }] }).tracks
    expect(video?.rtpParameters.encodings).toEqual([{ ssrc: 9 }])
  })
  test('ungrouped ssrcs are not simulcast', () => {
    const [video] = read({ sections: [{ kind: 'video', mid: '0', ssrcs: [1, 2, 3] }] }).tracks
    expect(video?.rtpParameters.encodings).toEqual([{ ssrc: 1 }])
  })
})

describe('codecs', () => {
  test.each([
    ['42e01f', 1],
    ['42001f', 1],
    ['4d0032', 1],
    ['640c1f', 1],
    ['640032', 1],
    ['42e01f', 0],
    ['42001f', 0],
  ] as const)('H264 %s with packetization-mode %d', (profile, mode) => {
    const [video] = read({ sections: [{ kind: 'video', mid: '0', codecs: [h264(102, profile, mode)] }] }).tracks
    expect(video?.rtpParameters.codecs[0]?.parameters?.['packetization-mode']).toBe(mode)
  })
  test.each(['VP8', 'VP9', 'AV1'])('%s', (name) => {
    const [video] = read({
      sections: [{ kind: 'video', mid: '0', codecs: [{ payload: 45, name: `${name}/90000` }] }],
    }).tracks
    expect(video?.rtpParameters.codecs.map(({ mimeType }) => mimeType)).toEqual([`video/${name}`])
  })
  test('the client chooses: its first codec that is known', () => {
    const [video] = read({
      sections: [
        {
          kind: 'video',
          mid: '0',
          codecs: [{ payload: 90, name: 'H265/90000' }, h264(91, '42e01f', 1, 92), { payload: 93, name: 'VP8/90000' }],
        },
      ],
    }).tracks
    expect(video?.rtpParameters.codecs.map(({ payloadType }) => payloadType)).toEqual([91, 92])
  })
  test('stereo is taken when it is offered', () => {
    const stereo = { ...opus, fmtp: 'minptime=10;useinbandfec=1;stereo=1;sprop-stereo=1' }
    expect(answerOf({ sections: [{ kind: 'audio', mid: '0', codecs: [stereo] }] })).toContain('a=fmtp:111 stereo=1')
  })
})

describe('what is refused', () => {
  const section = (part: Partial<SectionDescription>): OfferDescription => ({
    sections: [{ kind: 'video', mid: '0', ...part }],
  })
  const offers: readonly (readonly [string, string, ProblemCode])[] = [
    ['empty text', '', 'invalid_sdp'],
    ['garbage', 'xyz\u0000\uffff garbage', 'invalid_sdp'],
    ['JSON', '{"type":"offer","sdp":"v=0"}', 'invalid_sdp'],
    ['JSON that holds an offer', JSON.stringify({ sdp: writeOffer(clients.chromium) }), 'invalid_sdp'],
    ['v=0 and nothing more', 'v=0\r\n', 'invalid_sdp'],
    ['no m-line (Safari without transceivers)', writeOffer({ sections: [] }), 'invalid_sdp'],
    ['no fingerprint', writeOffer({ ...clients.chromium, fingerprint: null }), 'invalid_sdp'],
    ['a fingerprint of an unknown hash', writeOffer({ ...clients.chromium, fingerprint: 'md5 AA:BB' }), 'invalid_sdp'],
    [
      'a fingerprint that is too short',
      writeOffer({ ...clients.chromium, fingerprint: 'sha-256 AA:BB' }),
      'invalid_sdp',
    ],
    ['no ICE credentials', writeOffer({ ...clients.chromium, ice: false }), 'invalid_sdp'],
    ['plain RTP', writeOffer(section({ protocol: 'RTP/AVP' })), 'invalid_sdp'],
    ['a payload type above 127', writeOffer(section({ codecs: [{ payload: 300, name: 'VP8/90000' }] })), 'invalid_sdp'],
    ['an ssrc above 32 bits', writeOffer(section({ ssrcs: [2 ** 40] })), 'invalid_sdp'],
    ['a port that is no number', writeOffer(clients.videoOnly).replace('m=video 9 ', 'm=video x '), 'invalid_sdp'],
    [
      'two videos',
      writeOffer({
        sections: [
          { kind: 'video', mid: '0' },
          { kind: 'video', mid: '1' },
        ],
      }),
      'unsupported_offer',
    ],
    [
      'two audios',
      writeOffer({
        sections: [
          { kind: 'audio', mid: '0' },
          { kind: 'audio', mid: '1' },
          { kind: 'video', mid: '2' },
        ],
      }),
      'unsupported_offer',
    ],
    ['only a data channel', writeOffer({ sections: [{ kind: 'application', mid: '0' }] }), 'unsupported_offer'],
    ['recvonly', writeOffer(section({ direction: 'recvonly' })), 'unsupported_offer'],
    ['inactive', writeOffer(section({ direction: 'inactive' })), 'unsupported_offer'],
    ['neither MID nor ssrc', writeOffer({ sections: [{ kind: 'video', ssrcs: [] }] }), 'unsupported_offer'],
    [
      'several ICE transports',
      writeOffer({
        bundle: false,
        sections: [
          { kind: 'audio', mid: '0', ufrag: 'one1' },
          { kind: 'video', mid: '1', ufrag: 'two2' },
        ],
      }),
      'unsupported_offer',
    ],
    [
      'no known video codec',
      writeOffer(section({ codecs: [{ payload: 90, name: 'H265/90000' }] })),
      'no_compatible_codecs',
    ],
    [
      'no known audio codec',
      writeOffer({ sections: [{ kind: 'audio', mid: '0', codecs: [{ payload: 0, name: 'PCMU/8000' }] }] }),
      'no_compatible_codecs',
    ],
  ]
  test.each(offers)('%s', (_, text, code) => {
    expect(refusalOf(text)).toBe(code)
  })
})

test('a mutated offer is answered or refused, and never anything else', () => {
  const seen = new Set<string>()
  fc.assert(
    fc.property(mutatedOffer('whip'), (mutated) => {
      try {
        const { tracks, answer } = readWhipOffer(mutated, router)
        for (const { rtpParameters } of tracks) ortc.validateAndNormalizeRtpParameters(structuredClone(rtpParameters))
        sdpTransform.parse(answer(transport))
        seen.add('answered')
      } catch (error) {
        if (!(error instanceof RefusedError)) throw error
        seen.add(error.refusal.code)
      }
    }),
    { numRuns: 2000 },
  )
  expect(seen.has('answered')).toBe(true)
  expect(seen.has('invalid_sdp')).toBe(true)
})
