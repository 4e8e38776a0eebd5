import type { TabPublisher } from './publisher.ts'

/** What the page puts on its `window` for the desk outside. */
export interface PageDesk {
  readonly publisher: TabPublisher
  /** Covers the whole picture, or uncovers it. Resolves when a frame with it was drawn. */
  blank(on: boolean): Promise<void>
}

declare global {
  interface Window {
    footlightDesk?: PageDesk
    /** Given by the desk outside (playwright's `exposeFunction`). */
    footlightLink?: (session: number, state: string) => void
  }
}
