import type { DeskState } from '../contracts/agent-stream.ts'

/**
 * What the desk's machine asks of the world. Each rejects with `SetbackError`. The publish ticket
 * lives behind these ports: the machine never sees it.
 */
export interface DeskPorts {
  /** Milliseconds since the epoch, of the same clock as the machine's timers. */
  now(): number
  /** Opens the browser, shows the scene and captures it. */
  openSurface(): Promise<void>
  closeSurface(): Promise<void>
  /** Calls `gone` once when the browser goes away unasked. */
  observeSurface(gone: () => void): () => void

  /**
   * A new WHIP session, number `session`, in place of the one at `replaces`. `encode`: whether it
   * starts with a picture.
   */
  publish(input: {
    readonly session: number
    readonly replaces: string | null
    readonly encode: boolean
  }): Promise<{ readonly location: string }>
  /** Reports each change of a peer connection's `connectionState`. */
  observeLink(tell: (session: number, state: string) => void): () => void
  /** Resolves while the server has the session; rejects with a refusal 404 when it has not. */
  checkSession(location: string): Promise<void>
  /** Ends the session at the server. Bounded, never rejects. */
  leaveSession(location: string): Promise<void>
  setEncoding(on: boolean): Promise<void>

  readState(): Promise<DeskState>
  /** Takes a still of the screen and sends it (`PUT …/frame`). */
  sendStill(): Promise<void>
  /** Gets a new ticket and uses it from then on. `expiresAt`: milliseconds since the epoch. */
  renewTicket(): Promise<{ readonly expiresAt: number }>
}
