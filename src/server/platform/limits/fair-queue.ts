import { subnetOf } from '#server/platform/limits/subnet.ts'

/** The requester of a piece of work. Users and callers without log-in queue separately. */
export interface Asker {
  readonly kind: 'user' | 'stranger'
  /** A user id, or the network of a caller without log-in (see `subnetOf`). */
  readonly key: string
}

export function userAsker(userId: string): Asker {
  return { kind: 'user', key: userId }
}

export function strangerAsker(address: string): Asker {
  return { kind: 'stranger', key: subnetOf(address) }
}

/** The server's own work at a start or in a job. */
export const SERVER_ASKER: Asker = { kind: 'user', key: 'server' }

/** Thrown when too much work waits. The HTTP layer replies with the refusal `busy`. */
export class BusyError extends Error {
  override readonly name = 'BusyError'
}

export interface FairQueueOptions {
  /** Pieces of work that run at the same time. */
  readonly atOnce: number
  /** Pieces that may wait for one requester. */
  readonly perAsker: number
  /** Pieces that may wait for all requesters of a kind. */
  readonly perKind: number
}

export type FairQueue = <T>(asker: Asker, work: () => Promise<T>) => Promise<T>

interface Waiting {
  readonly start: () => void
  readonly refuse: () => void
}

/**
 * Runs a few pieces of work at a time, in fair shares. Users and callers without log-in take turns, and within each
 * kind the requesters take turns. When a kind is full, the requester with the most waiting work loses its newest piece
 * to a requester with less. So a flooding network delays another network by a single piece of work. Throws a
 * `BusyError` for work that gets no place or loses its place.
 */
export function createFairQueue({ atOnce, perAsker, perKind }: FairQueueOptions): FairQueue {
  const shares = { user: new Share(perAsker, perKind), stranger: new Share(perAsker, perKind) }
  let running = 0
  let last: Asker['kind'] = 'stranger'

  function next(): Waiting | null {
    const first = last === 'user' ? 'stranger' : 'user'
    const second = last
    for (const kind of [first, second] as const) {
      const waiting = shares[kind].shift()
      if (waiting === null) continue
      last = kind
      return waiting
    }
    return null
  }

  return async (asker, work) => {
    if (running < atOnce) running += 1
    else
      await new Promise<void>((start, reject) =>
        shares[asker.kind].push(asker.key, { start, refuse: () => reject(busy()) }),
      )
    try {
      return await work()
    } finally {
      // Finished work passes its slot to the next piece, so `running` is unchanged.
      const waiting = next()
      if (waiting === null) running -= 1
      else waiting.start()
    }
  }
}

/** Waiting work of one kind, by requester. The map's order is the order of turns. */
class Share {
  readonly #byAsker = new Map<string, Waiting[]>()
  readonly #perAsker: number
  readonly #perKind: number
  #count = 0

  constructor(perAsker: number, perKind: number) {
    this.#perAsker = perAsker
    this.#perKind = perKind
  }

  push(key: string, waiting: Waiting): void {
    const own = this.#byAsker.get(key) ?? []
    if (own.length >= this.#perAsker || !this.#makeRoom(own.length)) return waiting.refuse()
    own.push(waiting)
    this.#byAsker.set(key, own)
    this.#count += 1
  }

  shift(): Waiting | null {
    for (const [key, own] of this.#byAsker) {
      const waiting = own.shift()
      // The requester moves behind all others.
      this.#byAsker.delete(key)
      if (own.length > 0) this.#byAsker.set(key, own)
      if (waiting === undefined) continue
      this.#count -= 1
      return waiting
    }
    return null
  }

  /**
   * Whether there is room for a requester with `waiting` pieces, if necessary by dropping a piece of a requester with
   * more.
   */
  #makeRoom(waiting: number): boolean {
    if (this.#count < this.#perKind) return true
    let fullestQueue: Waiting[] = []
    for (const own of this.#byAsker.values()) if (own.length > fullestQueue.length) fullestQueue = own
    if (fullestQueue.length <= waiting + 1) return false
    fullestQueue.pop()?.refuse()
    this.#count -= 1
    return true
  }
}

function busy(): BusyError {
  return new BusyError('too much work is waiting')
}
