/** What the pages publish: made here, so that it is the same on every machine and needs no camera. */

export interface PictureWish {
  readonly width: number
  readonly height: number
  readonly framesPerSecond: number
  /** Noise all over, so that the encoder needs every bit that it may have. */
  readonly busy?: boolean
}

/** A picture that changes with every frame: its colour, and a number that wanders. */
export function movingPicture({ width, height, framesPerSecond, busy = false }: PictureWish): MediaStreamTrack {
  const canvas = document.createElement('canvas')
  canvas.width = width
  canvas.height = height
  const context = canvas.getContext('2d') as CanvasRenderingContext2D
  const tile = busy ? noise(context) : null
  let frame = 0
  const draw = () => {
    frame += 1
    context.fillStyle = `hsl(${(frame * 7) % 360} 80% 50%)`
    context.fillRect(0, 0, width, height)
    if (tile !== null) {
      context.putImageData(tile, (frame * 37) % width, (frame * 23) % height)
    }
    context.fillStyle = 'black'
    context.font = '24px sans-serif'
    context.fillText(String(frame), (frame * 3) % width, height / 2)
  }
  draw()
  setInterval(draw, 1000 / framesPerSecond)
  return canvas.captureStream(framesPerSecond).getVideoTracks()[0] as MediaStreamTrack
}

function noise(context: CanvasRenderingContext2D): ImageData {
  const tile = context.createImageData(128, 128)
  for (let at = 0; at < tile.data.length; at += 1) tile.data[at] = at % 4 === 3 ? 255 : Math.random() * 255
  return tile
}

export function tone(): MediaStreamTrack {
  const audio = new AudioContext()
  const oscillator = audio.createOscillator()
  const out = audio.createMediaStreamDestination()
  oscillator.connect(out)
  oscillator.start()
  void audio.resume()
  return out.stream.getAudioTracks()[0] as MediaStreamTrack
}
