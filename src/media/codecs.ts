import type { types } from 'mediasoup'

const h264 = (profileLevelId: string, packetizationMode: 0 | 1): types.RouterRtpCodecCapability => ({
  kind: 'video',
  mimeType: 'video/H264',
  clockRate: 90000,
  parameters: {
    'packetization-mode': packetizationMode,
    'profile-level-id': profileLevelId,
    'level-asymmetry-allowed': 1,
  },
})

/**
 * What every room takes from a desk and gives to viewers. mediasoup matches an H264 profile
 * and packetization mode exactly, so each that clients offer stands here by itself: 42e01f
 * (OBS, browsers), 42001f (FFmpeg), 4d0032 (main), 640c1f and 640032 (high).
 */
export const roomCodecs: readonly types.RouterRtpCodecCapability[] = [
  { kind: 'audio', mimeType: 'audio/opus', clockRate: 48000, channels: 2 },
  h264('42e01f', 1),
  h264('42001f', 1),
  h264('4d0032', 1),
  h264('640c1f', 1),
  h264('640032', 1),
  h264('42e01f', 0),
  h264('42001f', 0),
  { kind: 'video', mimeType: 'video/VP8', clockRate: 90000 },
  { kind: 'video', mimeType: 'video/VP9', clockRate: 90000 },
  { kind: 'video', mimeType: 'video/AV1', clockRate: 90000 },
]
