import type { NewStream, StorePort, StreamChange, StreamRecord } from '../../src/actors/ports/store.ts'
import { replaceTicket } from '../../src/actors/stream/ticket-rules.ts'
import { RefusedError, refuse } from '../../src/contracts/problem.ts'

/** A store for tests of actors: keeps records as the real one would, and fails when told to. */
export class FakeStore implements StorePort {
  readonly records = new Map<string, StreamRecord>()
  readonly kept: string[] = []
  loads = 0
  down = false
  /** The next writes fail, so many of them. */
  failing = 0
  /** The next write is done, and its answer lost. */
  cutOff = false
  /** Set to make writes wait until it resolves. */
  gate: Promise<void> | undefined

  async loadStream(id: string) {
    this.loads++
    this.#check()
    return this.records.get(id) ?? null
  }
  async createStream(stream: NewStream) {
    this.#check()
    const { id, owner, task, visibility, ticket, linkKeyHash, createdAt } = stream
    const record: StreamRecord = {
      id,
      owner,
      handle: owner.slice(4),
      channel: 'chn_1',
      task,
      visibility,
      createdAt,
      startedAt: null,
      ended: null,
      workedMs: 0,
      ticket,
      replacedTickets: [],
      curtain: { since: null, holds: {} },
      linkKeyHash,
      still: null,
    }
    this.records.set(id, record)
    return record
  }
  async keep(id: string, change: StreamChange) {
    await this.gate
    this.#check()
    if (this.failing > 0) {
      this.failing--
      throw unavailable()
    }
    const record = this.records.get(id)
    if (!record) throw new RefusedError(refuse('not_found', 'There is no such stream.'))
    this.kept.push(change.type)
    this.records.set(id, { ...record, ...changed(record, change) })
    if (!this.cutOff) return
    this.cutOff = false
    throw unavailable()
  }
  #check() {
    if (this.down) throw unavailable()
  }
}

function unavailable(): RefusedError {
  return new RefusedError(refuse('store_unavailable', 'The database does not answer.', 1))
}

function changed(record: StreamRecord, change: StreamChange): Partial<StreamRecord> {
  switch (change.type) {
    case 'ticket_minted':
      return replaceTicket(record, change.ticket, change.at, change.replacedUntil)
    case 'ticket_revoked':
      return { ticket: null, replacedTickets: [] }
    case 'curtain_changed':
      return { curtain: change.curtain }
    case 'started':
      return { startedAt: change.at }
    case 'worked':
      return { workedMs: change.workedMs }
    case 'visibility_changed':
      return { visibility: change.visibility }
    case 'link_rotated':
      return { linkKeyHash: change.linkKeyHash }
    case 'still_changed':
      return { still: change.still }
    case 'ended':
      return {
        ended: record.ended ?? { at: change.at, why: change.why },
        workedMs: change.workedMs,
        ticket: null,
        replacedTickets: [],
      }
  }
}
