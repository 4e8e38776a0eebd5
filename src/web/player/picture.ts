/** What the picture tells. */
export type PictureFact =
  /** A frame newer than the last `show` or `reveal` is on the element. */
  | { readonly type: 'picture.fresh' }
  /** The browser's autoplay policy wants a click first. */
  | { readonly type: 'picture.blocked' }
  | { readonly type: 'picture.played' }

/** The one place that touches the `<video>` element's source. */
export interface Picture {
  observe(tell: (fact: PictureFact) => void): () => void
  show(tracks: readonly MediaStreamTrack[]): void
  /** Takes the picture off the element, the last frame included; keeps the tracks. */
  conceal(): void
  /** Ends `conceal`. */
  reveal(): void
  /** Forgets the tracks and the last frame. */
  clear(): void
}

/** A {@link Picture} on a `<video>` element. It begins revealed and empty. */
export function createPicture(video: HTMLVideoElement): Picture {
  let tell: (fact: PictureFact) => void = () => {}
  let stream: MediaStream | null = null
  let concealed = false
  // Counts attachments, so that a frame callback of an earlier one says nothing.
  let attachment = 0

  function attach() {
    const source = concealed ? null : stream
    if (video.srcObject === source) return
    attachment += 1
    video.srcObject = source
    if (source === null) {
      // Without this the element may keep the last frame painted (and readable by a canvas).
      video.load()
      return
    }
    const mine = attachment
    whenFrame(video, () => {
      if (mine === attachment) tell({ type: 'picture.fresh' })
    })
    video.play().then(
      () => tell({ type: 'picture.played' }),
      (error: unknown) => {
        // AbortError: another source came first. Only the policy's refusal is for a person.
        if (error instanceof DOMException && error.name === 'NotAllowedError') tell({ type: 'picture.blocked' })
      },
    )
  }

  return {
    observe(listener) {
      tell = listener
      return () => {
        tell = () => {}
      }
    },
    show(tracks) {
      stream = new MediaStream([...tracks])
      attach()
    },
    conceal() {
      concealed = true
      attach()
    },
    reveal() {
      concealed = false
      attach()
    },
    clear() {
      stream = null
      attach()
    },
  }
}

function whenFrame(video: HTMLVideoElement, then: () => void) {
  if ('requestVideoFrameCallback' in video) video.requestVideoFrameCallback(() => then())
  else (video as HTMLVideoElement).addEventListener('loadeddata', then, { once: true })
}
