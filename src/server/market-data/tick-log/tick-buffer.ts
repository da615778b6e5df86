import type { LogNote } from '#core/markets/log-text.ts'
import type { Tick } from '#core/markets/tick.ts'
import { type Instant, later } from '#core/time/instant.ts'
import { BATCH_SPAN_MS } from '#server/market-data/tick-log/tick-batch.queries.ts'
import type { TickHole } from '#server/market-data/tick-log/tick-hole.queries.ts'

const MAX_BATCH_TICKS = 5_000

/** A tick without its number in the log. */
export interface BufferedTick extends Omit<Tick, 'seq'> {
  /** Hash of the source configuration that gave the tick. All ticks of a batch have the same hash. */
  readonly sources: string
  /** Lines of the log that come before the tick. */
  readonly notes: readonly LogNote[]
}

/** The received ticks that are not in the log yet, in order of arrival. */
export class TickBuffer {
  #waiting: BufferedTick[] = []
  /** The batch that is being written. */
  #underWay: readonly BufferedTick[] = []
  /** Receipt time of each symbol's oldest tick in this buffer. Always up to date, because every order reads it. */
  readonly #waitingSince = new Map<number, Instant>()

  /** The number of waiting ticks, without the ticks of the batch that is being written. */
  get length(): number {
    return this.#waiting.length
  }

  /** Receipt time of a symbol's oldest tick that is not known to be in the log; null when there is none. */
  waitingSince(symbolId: number): Instant | null {
    return this.#waitingSince.get(symbolId) ?? null
  }

  add(tick: BufferedTick): void {
    this.#waiting.push(tick)
    this.#note(tick)
  }

  /** Removes and returns the next batch. Its ticks still count as waiting until `endBatch`. */
  takeBatch(): BufferedTick[] {
    let first = Number.POSITIVE_INFINITY
    let last = Number.NEGATIVE_INFINITY
    let count = 0
    const used = this.#waiting[0]?.sources
    for (const { time, sources } of this.#waiting) {
      if (count === MAX_BATCH_TICKS || sources !== used) break
      if (Math.max(last, time) - Math.min(first, time) > BATCH_SPAN_MS) break
      first = Math.min(first, time)
      last = Math.max(last, time)
      count += 1
    }
    const batch = this.#waiting.splice(0, count)
    this.#underWay = batch
    return batch
  }

  /** Call when the batch is in the log or given up. */
  endBatch(): void {
    this.#underWay = []
    this.#noteAll()
  }

  /** Drops all waiting ticks, but not the batch being written. */
  clear(): void {
    this.#waiting = []
    this.#noteAll()
  }

  /**
   * Drops the oldest waiting ticks, and moves their notes to the next tick. Returns the hole that each symbol has now.
   */
  dropOldest(count: number): TickHole[] {
    const lost = new Map<number, TickHole>()
    const dropped = this.#waiting.splice(0, count)
    for (const { symbolId, time } of dropped)
      lost.set(symbolId, { symbolId, from: lost.get(symbolId)?.from ?? time, until: later(time, 1) })
    const [next] = this.#waiting
    if (next !== undefined) this.#waiting[0] = { ...next, notes: [...dropped, next].flatMap(({ notes }) => notes) }
    this.#noteAll()
    return [...lost.values()]
  }

  #note({ symbolId, receivedAt }: BufferedTick): void {
    if (!this.#waitingSince.has(symbolId)) this.#waitingSince.set(symbolId, receivedAt)
  }

  #noteAll(): void {
    this.#waitingSince.clear()
    for (const tick of this.#underWay) this.#note(tick)
    for (const tick of this.#waiting) this.#note(tick)
  }
}
