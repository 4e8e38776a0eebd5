import { type Ice, iceOfConnection } from './exchange.ts'
import { connectionOfPlayer, longestGap, play, played, restartPlayer, stopPlaying } from './players.ts'
import {
  connectionOfPublisher,
  offerWithOneMoreTrack,
  publish,
  restartPublisher,
  sent,
  stopPublishing,
} from './publishers.ts'

/** What a test may ask of a page, in whichever browser it is open. */
export const orders = {
  publish,
  stopPublishing,
  restartPublisher,
  offerWithOneMoreTrack,
  sent,
  play,
  played,
  restartPlayer,
  stopPlaying,
  longestGap,
  iceOf: (name: string, as: 'publisher' | 'player'): Ice =>
    iceOfConnection(as === 'publisher' ? connectionOfPublisher(name) : connectionOfPlayer(name)),
  about: () => navigator.userAgent,
  /** Firefox uses all the addresses that it has only for a page that may use a microphone. */
  useMicrophone: async () => {
    await navigator.mediaDevices.getUserMedia({ audio: true })
  },
}

export type Orders = typeof orders

/** One order of the test, and the page's answer to it. */
export interface Order {
  readonly id: number
  readonly name: keyof Orders
  readonly args: readonly unknown[]
}
export type Answer = { readonly id: number } & ({ readonly value: unknown } | { readonly error: string })

const socket = new WebSocket(`ws://${location.host}/orders`)
socket.addEventListener('message', async ({ data }) => {
  const { id, name, args } = JSON.parse(data) as Order
  try {
    const value = await (orders[name] as (...args: readonly unknown[]) => unknown)(...args)
    socket.send(JSON.stringify({ id, value } satisfies Answer))
  } catch (error) {
    socket.send(JSON.stringify({ id, error: String(error) } satisfies Answer))
  }
})
