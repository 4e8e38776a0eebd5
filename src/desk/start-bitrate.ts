import { parse, write } from 'sdp-transform'

/** kbit/s. A key frame of a screen is large: at the browser's own 300 it would take seconds to send. */
export const startBitrate = 1800

/**
 * The server's answer with Chromium's `x-google-start-bitrate` on the video codecs: what the sender
 * assumes of the network until it has measured it. The picture is sharp, and in time, from the start.
 */
export function withStartBitrate(answer: string, kilobits = startBitrate): string {
  const sdp = parse(answer)
  for (const media of sdp.media) {
    if (media.type !== 'video') continue
    const parameter = `x-google-start-bitrate=${kilobits}`
    for (const { payload, codec } of media.rtp) {
      if (/^(rtx|red|ulpfec)$/i.test(codec)) continue
      const format = media.fmtp.find((each) => each.payload === payload)
      if (format === undefined) media.fmtp.push({ payload, config: parameter })
      else format.config = `${format.config};${parameter}`
    }
  }
  return write(sdp)
}
