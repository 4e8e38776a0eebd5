import { createActor, SimulatedClock } from 'xstate'
import type { DeskState } from '../../src/contracts/agent-stream.ts'
import { createDeskMachine } from '../../src/desk/desk-machine.ts'
import type { DeskPorts } from '../../src/desk/desk-ports.ts'
import { SetbackError } from '../../src/desk/setback.ts'

export const fourHours = 4 * 60 * 60 * 1000

export function refused(status: number, code: string, retryAfterMs: number | null = null): SetbackError {
  return new SetbackError({ kind: 'refused', status, code, sentence: `refused with ${code}`, retryAfterMs })
}

export const unreachable = new SetbackError({ kind: 'unreachable', sentence: 'nobody there' })

/** A desk on fake ports and a clock that only moves when told. `calls`: what it did, in order. */
export function fakeDesk() {
  const clock = new SimulatedClock()
  const calls: string[] = []
  /** What the next calls answer; when empty, the port agrees. */
  const failures: Record<
    'openSurface' | 'publish' | 'checkSession' | 'readState' | 'sendStill' | 'renewTicket',
    unknown[]
  > = {
    openSurface: [],
    publish: [],
    checkSession: [],
    readState: [],
    sendStill: [],
    renewTicket: [],
  }
  let state: DeskState = { viewers: 0, encode: true, curtain: { up: false }, ends_at: null }
  let tellLink: (session: number, state: string) => void = () => {}
  let tellGone = () => {}

  const answer = async <T>(call: keyof typeof failures, note: string, value: T): Promise<T> => {
    calls.push(note)
    const failure = failures[call].shift()
    if (failure !== undefined) throw failure
    return value
  }

  const ports: DeskPorts = {
    now: () => clock.now(),
    openSurface: () => answer('openSurface', 'open', undefined),
    closeSurface: async () => void calls.push('close'),
    observeSurface(gone) {
      tellGone = gone
      return () => {}
    },
    publish: ({ session, replaces, encode }) =>
      answer('publish', `publish ${session} ${replaces ?? '-'} ${encode ? 'on' : 'off'}`, {
        location: `/whip/${session}`,
      }),
    observeLink(tell) {
      tellLink = tell
      return () => {}
    },
    checkSession: (location) => answer('checkSession', `check ${location}`, undefined),
    leaveSession: async (location) => void calls.push(`leave ${location}`),
    setEncoding: async (on) => void calls.push(`encode ${on ? 'on' : 'off'}`),
    readState: () => answer('readState', 'state', state),
    sendStill: () => answer('sendStill', 'still', undefined),
    renewTicket: () => answer('renewTicket', 'renew', { expiresAt: clock.now() + fourHours }),
  }

  const actor = createActor(createDeskMachine(ports), { clock, input: { mintedAt: 0, expiresAt: fourHours } })

  /** Lets every promise that is ready run. */
  const settle = async () => {
    for (let turn = 0; turn < 20; turn++) await Promise.resolve()
  }
  return {
    actor,
    calls,
    failures,
    setState(change: Partial<DeskState>) {
      state = { ...state, ...change }
    },
    link(session: number, linkState: string) {
      tellLink(session, linkState)
    },
    surfaceGone: () => tellGone(),
    settle,
    /** Starts the desk and brings it on air with its first session. Forgets the calls up to then. */
    async onAir() {
      actor.start()
      await settle()
      tellLink(1, 'connected')
      await settle()
      calls.length = 0
    },
    /** Moves the clock in steps of at most 250 ms, so that what a timer starts can end in between. */
    async pass(ms: number, stride = 250) {
      for (let left = ms; left > 0; left -= stride) {
        clock.increment(Math.min(left, stride))
        await settle()
      }
    },
    count: (call: string) => calls.filter((each) => each.startsWith(call)).length,
  }
}
