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

/** The batches that were written on one day (UTC): a piece of the log without a hole, and its two ends. */
export interface TickDay {
  readonly day: string
  readonly firstSeq: number
  readonly lastSeq: number
  /** What the first batch follows, and what the last one is: the day proves itself between them. */
  readonly previousHash: Uint8Array
  readonly hash: Uint8Array
}

export type TickDayRefusal = 'tick_day_open' | 'tick_day_empty' | 'tick_day_dropped'

const DAY = /^\d{4}-\d{2}-\d{2}$/
/** A batch that was made just before midnight may be written a moment after it. */
export const SETTLED_MS = MINUTE_MS

/** The start of a day such as `2026-11-20`; null when there is no such day. */
export function readDay(text: string): Instant | null {
  const start = DAY.test(text) ? Date.parse(`${text}T00:00:00Z`) : Number.NaN
  // The parser rolls 30 February over.
  return Number.isNaN(start) || new Date(start).toISOString().slice(0, 10) !== text ? null : instant(start)
}

/** Finds a day that is over, with all its ticks. `start` is midnight. */
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

/** The number of the first day (since 1970) on which anything was written; null while the log is empty. */
export async function firstDayOfLog(db: Db): Promise<number | null> {
  const [first] = await batchesAfter(db, 0, 1)
  return first === undefined ? null : Math.floor(first.writtenAt / DAY_MS)
}
