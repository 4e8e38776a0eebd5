/** What a long step tells while it runs; `fraction` (0 to 1) where it is known. */
export interface Progress {
  readonly doing: string
  readonly fraction?: number
}

export type OnProgress = (progress: Progress) => void
