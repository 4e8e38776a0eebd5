import { expect, test } from 'bun:test'
import { parse } from 'sdp-transform'
import { withStartBitrate } from '../../src/desk/start-bitrate.ts'

const answer = `${[
  'v=0',
  'o=- 1 1 IN IP4 0.0.0.0',
  's=-',
  't=0 0',
  'm=audio 7 UDP/TLS/RTP/SAVPF 111',
  'a=rtpmap:111 opus/48000/2',
  'a=fmtp:111 useinbandfec=1',
  'a=mid:0',
  'm=video 7 UDP/TLS/RTP/SAVPF 96 97 102',
  'a=rtpmap:96 VP8/90000',
  'a=rtpmap:97 rtx/90000',
  'a=fmtp:97 apt=96',
  'a=rtpmap:102 H264/90000',
  'a=fmtp:102 packetization-mode=1',
  'a=mid:1',
].join('\r\n')}\r\n`

test('only the video codecs get it, beside what they had', () => {
  const [audio, video] = parse(withStartBitrate(answer, 1500)).media
  expect(audio?.fmtp).toEqual([{ payload: 111, config: 'useinbandfec=1' }])
  expect(video?.fmtp.toSorted((a, b) => a.payload - b.payload)).toEqual([
    { payload: 96, config: 'x-google-start-bitrate=1500' },
    { payload: 97, config: 'apt=96' },
    { payload: 102, config: 'packetization-mode=1;x-google-start-bitrate=1500' },
  ])
})

test('nothing else of the answer changes', () => {
  const without = (text: string) =>
    text.split('\r\n').filter((line) => !line.startsWith('a=fmtp:96') && !line.startsWith('a=fmtp:102'))
  expect(without(withStartBitrate(answer)).toSorted()).toEqual(without(answer).toSorted())
})
