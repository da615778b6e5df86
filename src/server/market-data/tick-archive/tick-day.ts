import { refuse, type Result, ok } from '#core/result.ts'
import { DAY_MS, instant, later, MINUTE_MS, type Instant } from '#core/time/instant.ts'
import type { Db } from '#server/platform/database/tables.ts'
import {
  hasDropped,
  placeOfTime,
  readHead,
  batchesAfter,
  batchEndingAt,
} from '#server/market-data/tick-log/tick-batch.queries.ts'
import { GENESIS_HASH } from '#server/market-data/tick-log/tick-text.ts'

/** The batches written on one day (UTC): a gapless range of the log with both ends. */
export interface TickDay {
  readonly day: string
  readonly firstSeq: number
  readonly lastSeq: number
  /** The hash before the first batch and the hash of the last one: together they prove the day. */
  readonly previousHash: Uint8Array
  readonly hash: Uint8Array
}

export type TickDayRefusal = 'tick_day_open' | 'tick_day_empty' | 'tick_day_dropped'

const DAY = /^\d{4}-\d{2}-\d{2}$/
/**
 * A day is available 1 minute after its end, because a batch that was created just before midnight may be written
 * shortly after it.
 */
export const SETTLED_MS = MINUTE_MS

/** Parses a day such as `2026-11-20` to its start; null when there is no such day. */
export function readDay(text: string): Instant | null {
  const start = DAY.test(text) ? Date.parse(`${text}T00:00:00Z`) : Number.NaN
  // The date parser turns 30 February into a day of March.
  return Number.isNaN(start) || new Date(start).toISOString().slice(0, 10) !== text ? null : instant(start)
}

/**
 * Finds the batches that were written on the UTC day that begins at `start`. Refuses a day that is not over, is empty,
 * or from which retention has removed ticks.
 */
export async function findTickDay(db: Db, start: Instant, now: Instant): Promise<Result<TickDay, TickDayRefusal>> {
  const end = later(start, DAY_MS)
  if (now < end + SETTLED_MS) return refuse('tick_day_open')
  const firstSeq = await placeOfTime(db, start)
  if (firstSeq === null) return refuse('tick_day_empty')
  const lastSeq = ((await placeOfTime(db, end)) ?? (await readHead(db)).lastSeq + 1) - 1
  if (lastSeq < firstSeq) return refuse('tick_day_empty')
  if (await hasDropped(db, firstSeq, lastSeq)) return refuse('tick_day_dropped')
  const [first] = await batchesAfter(db, firstSeq - 1, 1)
  const last = await batchEndingAt(db, lastSeq)
  return ok({
    day: new Date(start).toISOString().slice(0, 10),
    firstSeq,
    lastSeq,
    previousHash: first?.previousHash ?? GENESIS_HASH,
    hash: last?.hash ?? GENESIS_HASH,
  })
}

/** The number of the first day (since 1970) with a batch; null while the log is empty. */
export async function firstDayOfLog(db: Db): Promise<number | null> {
  const [first] = await batchesAfter(db, 0, 1)
  return first === undefined ? null : Math.floor(first.writtenAt / DAY_MS)
}
