import { decodeQR, type FinderPoints } from 'qr/decode.js'
import { readFrameTime } from '../scene/frame-time.ts'

/** One decoded frame: when the viewer's browser presented it and the time that it shows, both epoch ms. */
export interface Sighting {
  readonly at: number
  readonly shown: number
}

/** What the probe counted so far. */
export interface ProbeReport {
  readonly sightings: readonly Sighting[]
  /** Frames that the video element presented, decoded or not. */
  readonly presented: number
  /** Video packets that came over every connection of the page, whatever the player did with them. */
  readonly packets: number
}

interface Region {
  readonly x: number
  readonly y: number
  readonly width: number
  readonly height: number
}

/** After this many frames in a row without a code the region is looked for again. */
const missesBeforeSearch = 15
const searchPause = 250

/**
 * Watches the page's `<video>` and reads the frame's time from it, frame by frame, with as little
 * work as it can: the code is looked for in the whole picture once and only its region read after.
 * Follows the page to another `<video>` when it makes a new one.
 */
export class GlassProbe {
  readonly #sightings: Sighting[] = []
  readonly #canvas = new OffscreenCanvas(1, 1)
  readonly #pen = this.#canvas.getContext('2d', { willReadFrequently: true, alpha: false })
  readonly #peers = new Set<RTCPeerConnection>()
  #presented = 0
  #region: Region | null = null
  #misses = 0
  #searched = 0
  #video: HTMLVideoElement | null = null

  start(): void {
    const follow = () => {
      const video = document.querySelector('video')
      if (video === this.#video) return
      this.#video = video
      if (video !== null) this.#watch(video)
    }
    follow()
    setInterval(follow, 100)
  }

  /**
   * Counts what the page's peer connections receive from now on. A player takes the picture away by
   * itself when the curtain goes up; only this shows whether the server did too.
   */
  listen(): void {
    const peers = this.#peers
    window.RTCPeerConnection = class extends window.RTCPeerConnection {
      constructor(configuration?: RTCConfiguration) {
        super(configuration)
        peers.add(this)
      }
    }
  }

  /** Everything seen from sighting number `from` on. */
  async read(from = 0): Promise<ProbeReport> {
    let packets = 0
    for (const peer of this.#peers) {
      // A closed connection has no statistics: its packets would leave the sum.
      for (const [, entry] of (await peer.getStats()) as unknown as Map<string, Record<string, unknown>>) {
        // mediasoup probes the bandwidth with empty packets on a stream of their own, the curtain up or not.
        const isPicture = entry.type === 'inbound-rtp' && entry.kind === 'video' && entry.mid !== 'probator'
        if (isPicture) packets += Number(entry.packetsReceived ?? 0)
      }
    }
    return { sightings: this.#sightings.slice(from), presented: this.#presented, packets }
  }

  #watch(video: HTMLVideoElement): void {
    const frame = () => {
      if (video !== this.#video) return
      const at = Date.now()
      this.#presented++
      this.#look(video, at)
      video.requestVideoFrameCallback(frame)
    }
    video.requestVideoFrameCallback(frame)
  }

  #look(video: HTMLVideoElement, at: number): void {
    const { videoWidth: width, videoHeight: height } = video
    if (width === 0 || height === 0) return
    const search = this.#region === null
    if (search && at - this.#searched < searchPause) return
    if (search) this.#searched = at
    const region = this.#region ?? { x: 0, y: 0, width, height }
    const shown = this.#decode(video, region, (points) => {
      if (search) this.#region = around(points, width, height)
    })
    if (shown === null) {
      this.#misses++
      if (this.#misses >= missesBeforeSearch) this.#region = null
      return
    }
    this.#misses = 0
    this.#sightings.push({ at, shown })
  }

  #decode(video: HTMLVideoElement, region: Region, found: (points: FinderPoints) => void): number | null {
    const pen = this.#pen
    if (pen === null) return null
    if (this.#canvas.width !== region.width || this.#canvas.height !== region.height) {
      this.#canvas.width = region.width
      this.#canvas.height = region.height
    }
    const { x, y, width, height } = region
    pen.drawImage(video, x, y, width, height, 0, 0, width, height)
    try {
      const text = decodeQR(pen.getImageData(0, 0, width, height), { pointsOnDetect: found, timeLimit: 8 })
      return readFrameTime(text)
    } catch {
      return null
    }
  }
}

/** The code's box with its quiet zone, within the picture. */
function around(points: FinderPoints, width: number, height: number): Region {
  const box = points.boundingBox
  const margin = Math.ceil(box.width / 5)
  const x = Math.max(0, Math.floor(box.x - margin))
  const y = Math.max(0, Math.floor(box.y - margin))
  return {
    x,
    y,
    width: Math.min(width - x, Math.ceil(box.width + 2 * margin)),
    height: Math.min(height - y, Math.ceil(box.height + 2 * margin)),
  }
}

declare global {
  interface Window {
    footlightProbe?: GlassProbe
  }
}
