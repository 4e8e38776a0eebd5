import { h264, midExtension, type OfferDescription, opus, vp8 } from './offer-builder.ts'

/** What clients' WHIP offers look like, as INTEROP notes them; described here, not recorded. */
export const clients = {
  /** libdatachannel: transport at session level, a=group:LS, audio first, no candidates. */
  obs: {
    transportAt: 'session',
    sessionLines: ['a=group:LS 0 1', 'a=msid-semantic:WMS *', 'a=ice-options:ice2,trickle'],
    sections: [
      { kind: 'audio', mid: '0', codecs: [opus] },
      { kind: 'video', mid: '1', codecs: [h264(96, '42e01f', 1, 97)], ssrcs: [3000, 3001], fid: true },
    ],
  },
  /** setup:passive, no MID, no BUNDLE, no rtcp-fb, its own ssrcs. */
  ffmpeg: {
    setup: 'passive',
    bundle: false,
    sections: [
      { kind: 'audio', codecs: [opus], ssrcs: [4000] },
      {
        kind: 'video',
        codecs: [
          {
            payload: 106,
            name: 'H264/90000',
            fmtp: 'level-asymmetry-allowed=1;packetization-mode=1;profile-level-id=42001f',
          },
        ],
        ssrcs: [4001],
      },
    ],
  },
  /** Mids by name, no rtx. */
  gstreamer: {
    sections: [
      { kind: 'video', mid: 'video0', codecs: [{ ...h264(96, '42e01f'), feedback: ['nack pli'] }], ssrcs: [5000] },
      { kind: 'audio', mid: 'audio1', codecs: [{ payload: 97, name: 'opus/48000/2' }], ssrcs: [5001] },
    ],
  },
  safari: {
    sections: [
      { kind: 'audio', mid: '0', ssrcs: [6000] },
      { kind: 'video', mid: '1', codecs: [h264(96, '640c1f', 1, 97), vp8Other(98)], ssrcs: [6001, 6002], fid: true },
    ],
  },
  /** Mids and msids in braces. */
  firefox: {
    sections: [
      {
        kind: 'audio',
        mid: '{b8d2f3a1-0c55-4e41-a4dc-1f2b6a0f2f11}',
        direction: 'sendrecv',
        codecs: [{ payload: 109, name: 'opus/48000/2' }],
        lines: ['a=msid:{0f0f} {1f1f}'],
      },
      {
        kind: 'video',
        mid: '{7a4e1f09-8e0b-4b32-9a63-0f4d2a6c7e22}',
        codecs: [{ ...vp8, payload: 120, rtx: 124 }],
        ssrcs: [7000, 7001],
        fid: true,
        extensions: { 3: midExtension },
      },
    ],
  },
  chromium: {
    sessionLines: ['a=extmap-allow-mixed'],
    sections: [
      { kind: 'audio', mid: '0', extensions: { 4: midExtension } },
      { kind: 'video', mid: '1', ssrcs: [8000, 8001], fid: true, extensions: { 4: midExtension } },
    ],
  },
  videoOnly: { sections: [{ kind: 'video', mid: '0', ssrcs: [8000, 8001], fid: true }] },
  audioOnly: { sections: [{ kind: 'audio', mid: '0' }] },
  simulcast: {
    sections: [
      { kind: 'audio', mid: '0' },
      { kind: 'video', mid: '1', rids: ['f', 'h', 'q'], extensions: { 4: midExtension } },
    ],
  },
  /** No a=ssrc: found by its MID. */
  withoutSsrc: { sections: [{ kind: 'video', mid: '0', ssrcs: [], extensions: { 4: midExtension } }] },
  lineFeedOnly: { lineEnd: '\n', finalLineEnd: false, sections: [{ kind: 'video', mid: '0' }] },
  dataChannelBeside: {
    sections: [
      { kind: 'audio', mid: '0' },
      { kind: 'application', mid: '1' },
      { kind: 'video', mid: '2' },
    ],
  },
} as const satisfies Record<string, OfferDescription>

function vp8Other(payload: number) {
  return { ...vp8, payload, rtx: payload + 1 }
}
