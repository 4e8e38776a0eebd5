import type { types } from 'mediasoup'
import * as ortc from 'mediasoup/ortc'
import { sdpRefusal } from './offer.ts'
import type { WantedTrack } from './whep.ts'

/** A producer of the room, as a viewer could consume it. Plain data. */
export interface Consumable {
  readonly producer: string
  readonly kind: types.MediaKind
  readonly rtpParameters: types.RtpParameters
}

export interface PlannedTrack {
  readonly section: number
  readonly producer: string
  readonly rtpCapabilities: types.RtpCapabilities
}

/**
 * The payload types that one kind of WHEP client reads. An answer has to keep the offer's
 * numbers (RFC 3264 section 6.1): Chromium receives what is sent with other ones and decodes
 * none of it. mediasoup numbers payloads per router, so each dialect gets a router of its
 * own, fed from the room's by a pipe; viewers with the same numbers share it.
 */
export interface Dialect {
  /** Equal for viewers that can share. */
  readonly key: string
  /** The codecs of the dialect's router. */
  readonly codecs: types.RouterRtpCodecCapability[]
  readonly tracks: readonly PlannedTrack[]
}

/** The numbers that mediasoup gives to RTX codecs, in its order (mediasoup/ortc). */
const dynamicPayloadTypes = [...Array.from({ length: 28 }, (_, index) => 100 + index), 96, 97, 98, 99]

/**
 * Plans what a WHEP viewer gets: for each wanted section the producer of that kind, with the
 * numbers of the viewer's offer.
 *
 * Throws `RefusedError`: `unsupported_offer` when the viewer wants only kinds that nobody
 * sends, `no_compatible_codecs` when it knows none of the codecs that are sent.
 */
export function planDialect(wanted: readonly WantedTrack[], sent: readonly Consumable[]): Dialect {
  const offered = wanted.flatMap((track) => {
    const consumable = sent.find(({ kind }) => kind === track.kind)
    return consumable === undefined ? [] : [{ track, consumable }]
  })
  if (offered.length === 0) {
    const kinds = sent.map(({ kind }) => kind).join(' and ')
    throw sdpRefusal('unsupported_offer', `The stream sends ${kinds} only. Offer to receive that.`)
  }
  const matches = offered.flatMap(({ track, consumable }) => matchCodec(track, consumable) ?? [])
  if (matches.length === 0) {
    const codecs = offered.map(({ consumable }) => consumable.rtpParameters.codecs[0]?.mimeType).join(' and ')
    throw sdpRefusal('no_compatible_codecs', `The stream is sent as ${codecs}, which the offer does not include.`)
  }
  // Audio first, so that one order of sections and the other share a dialect.
  const ordered = [...matches].sort((one, other) => one.consumable.kind.localeCompare(other.consumable.kind))
  return {
    key: ordered.map(keyOf).join(' '),
    codecs: routerCodecs(ordered),
    tracks: matches.map(({ track, consumable, payload, rtx }) => ({
      section: track.section,
      producer: consumable.producer,
      rtpCapabilities: {
        codecs: rtx === null ? [payload] : [payload, rtx],
        // MID is left out: a client's mid may be longer than the 8 bytes that mediasoup has for it.
        headerExtensions: (track.rtpCapabilities.headerExtensions ?? []).filter(
          ({ uri }) => uri !== 'urn:ietf:params:rtp-hdrext:sdes:mid',
        ),
      },
    })),
  }
}

interface Match {
  readonly track: WantedTrack
  readonly consumable: Consumable
  readonly sent: types.RtpCodecParameters
  readonly payload: types.RtpCodecCapability
  readonly rtx: types.RtpCodecCapability | null
}

function matchCodec(track: WantedTrack, consumable: Consumable): Match | null {
  const sent = consumable.rtpParameters.codecs[0]
  if (sent === undefined) return null
  const offered = track.rtpCapabilities.codecs ?? []
  const payload = offered.find((codec) =>
    ortc.canConsume(
      { ...consumable.rtpParameters, codecs: [sent] },
      structuredClone({ codecs: [codec], headerExtensions: [] }),
    ),
  )
  if (payload === undefined) return null
  const rtx = offered.find(
    ({ mimeType, parameters, preferredPayloadType }) =>
      /\/rtx$/i.test(mimeType) &&
      parameters?.apt === payload.preferredPayloadType &&
      // mediasoup cannot be made to use another number: then losses are repaired without RTX.
      dynamicPayloadTypes.includes(preferredPayloadType ?? -1),
  )
  return { track, consumable, sent, payload, rtx: rtx ?? null }
}

function keyOf({ sent, payload, rtx }: Match): string {
  const parameters = JSON.stringify(Object.entries(sent.parameters ?? {}).sort())
  return `${sent.mimeType}${parameters}=${payload.preferredPayloadType}/${rtx?.preferredPayloadType ?? 'none'}`
}

/**
 * mediasoup takes a codec's number from us but picks RTX's itself, the first that is free: so
 * every number before the wanted one is filled with a codec that nobody uses.
 */
function routerCodecs(matches: readonly Match[]): types.RouterRtpCodecCapability[] {
  const taken = new Set(
    matches.flatMap(({ payload, rtx }) => [payload, rtx]).map((codec) => codec?.preferredPayloadType),
  )
  const codecs: types.RouterRtpCodecCapability[] = []
  for (const { consumable, sent, payload, rtx } of matches) {
    for (const number of rtx === null ? [] : dynamicPayloadTypes) {
      if (number === rtx?.preferredPayloadType) break
      if (taken.has(number)) continue
      taken.add(number)
      codecs.push({ kind: 'audio', mimeType: 'audio/PCMU', clockRate: 8000, preferredPayloadType: number })
    }
    codecs.push({
      kind: consumable.kind,
      mimeType: sent.mimeType,
      clockRate: sent.clockRate,
      ...(sent.channels === undefined ? {} : { channels: sent.channels }),
      parameters: sent.parameters ?? {},
      ...(payload.preferredPayloadType === undefined ? {} : { preferredPayloadType: payload.preferredPayloadType }),
    } as types.RouterRtpCodecCapability)
  }
  return codecs
}
