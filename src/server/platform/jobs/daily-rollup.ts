import { type RawBuilder, sql } from 'kysely'
import { DAY_MS, HOUR_MS, MINUTE_MS } from '#core/time/instant.ts'
import { assert } from '#core/result.ts'
import type { Ctx } from '#server/platform/context/context.ts'
import { prepareLongRead } from '#server/platform/database/long-read.queries.ts'
import type { Tx } from '#server/platform/database/tables.ts'

/** Rows of the last minute are not counted yet, because an earlier row may still be uncommitted. */
export const COUNT_AFTER_MS = MINUTE_MS
/** One hour after its end, a day is compared with its rows once more and then closed. */
export const CLOSE_AFTER_MS = HOUR_MS

/** Totals of a table's rows per day (UTC). Counted columns never change, and rows are never deleted. */
export interface DayCount {
  /** The name of this count's mark in `day_total_mark`. */
  readonly name: string
  /** The table with its condition, as `from … where …`. It needs an index on `time`. */
  readonly rows: RawBuilder<unknown>
  readonly time: RawBuilder<unknown>
  /**
   * Returns the time at which the next portion ends; null when it ends at `until`. Without this function, a portion is
   * a number of rows.
   */
  readonly nextEnd?: (range: TimeRange) => number | null
  /** Returns the time from which rows are counted. */
  readonly firstMs: (now: number) => number
  /** Adds the rows between two instants to the totals of their days. */
  readonly add: (tx: Tx, from: number, until: number) => Promise<void>
  /** The number of rows counted in the totals of a day, as one `int8` or null. */
  readonly counted: (day: number) => RawBuilder<unknown>
  readonly forget: (tx: Tx, day: number) => Promise<void>
}

interface TimeRange {
  readonly from: number
  readonly until: number
  readonly portion: number
}

interface Mark {
  /** Everything before this instant is in the totals, and nothing after it. */
  readonly countedUntil: number
  /** Days before this one are closed. */
  readonly closedUntil: number
}

/**
 * Counts the next `portion` rows into the totals of their days. Totals and mark change in one transaction, so each row
 * is counted once even after an interruption. Returns whether more rows are available.
 */
export async function countByDay(ctx: Ctx, count: DayCount, portion: number): Promise<boolean> {
  const isDone = await ctx.db.transaction().execute((tx) => countPortion(ctx, tx, { count, portion }))
  return !isDone
}

async function countPortion(
  ctx: Ctx,
  tx: Tx,
  { count, portion }: { readonly count: DayCount; readonly portion: number },
): Promise<boolean> {
  const horizon = ctx.now() - COUNT_AFTER_MS
  const { countedUntil: from } = await lockMark(ctx, tx, count)
  if (from >= horizon) return true
  const range = { from, until: horizon, portion }
  const next = count.nextEnd ? count.nextEnd(range) : await firstAfterPortion(tx, count, range)
  // All rows of one millisecond are counted together, however many there are.
  const until = next === null ? horizon : Math.max(next, from + 1)
  await count.add(tx, from, until)
  await tx.updateTable('day_total_mark').set({ counted_until_ms: until }).where('source', '=', count.name).execute()
  return next === null
}

/**
 * The time of the first row between two instants that is not among their first `portion` rows; null when all are. The
 * search uses the index whatever the planner expects. The planner has no statistics about the newest rows, expects few,
 * and would sort all of them for each portion.
 */
async function firstAfterPortion(
  tx: Tx,
  { rows, time }: Pick<DayCount, 'rows' | 'time'>,
  { from, until, portion }: TimeRange,
): Promise<number | null> {
  const sorting = (isOn: 'on' | 'off') => sql`select set_config('enable_sort', ${isOn}, true)`.execute(tx)
  await sorting('off')
  const found = await sql<{ time: bigint }>`
    select ${time} as time ${rows} and ${time} >= ${from}::int8 and ${time} < ${until}::int8
    order by ${time} limit 1 offset ${portion}`.execute(tx)
  await sorting('on')
  const [row] = found.rows
  return row === undefined ? null : Number(row.time)
}

/**
 * Compares the first open day with its rows, when the day has been over for long enough, and recounts the day if the
 * totals differ. A row may have taken unusually long to commit.
 */
export async function closeDay(ctx: Ctx, count: DayCount): Promise<void> {
  await ctx.db.transaction().execute((tx) => closeDayIn(ctx, tx, count))
}

async function closeDayIn(ctx: Ctx, tx: Tx, count: DayCount): Promise<void> {
  const { closedUntil: from, countedUntil } = await lockMark(ctx, tx, count)
  const until = from + DAY_MS
  if (ctx.now() < until + CLOSE_AFTER_MS || countedUntil < until) return
  await prepareLongRead(tx)
  const day = from / DAY_MS
  const { rows, time } = count
  const found = await sql<{ rows: bigint; counted: bigint }>`
    select (select count(*) ${rows} and ${time} >= ${from}::int8 and ${time} < ${until}::int8) as rows,
      coalesce((${count.counted(day)}), 0) as counted`.execute(tx)
  const [both] = found.rows
  assert(both, 'two counts are one row')
  if (both.rows !== both.counted) {
    ctx.log.warn({ source: count.name, day, ...both }, 'a day was recounted')
    await count.forget(tx, day)
    await count.add(tx, from, until)
  }
  await tx.updateTable('day_total_mark').set({ closed_until_ms: until }).where('source', '=', count.name).execute()
}

/**
 * The mark is created at the first start. Rows before today are long committed by then, so those days are closed as
 * soon as they are counted.
 */
async function lockMark(ctx: Ctx, tx: Tx, { name, firstMs }: DayCount): Promise<Mark> {
  const now = ctx.now()
  await tx
    .insertInto('day_total_mark')
    .values({ source: name, counted_until_ms: firstMs(now), closed_until_ms: now - (now % DAY_MS) - DAY_MS })
    .onConflict((conflict) => conflict.doNothing())
    .execute()
  const mark = await tx
    .selectFrom('day_total_mark')
    .select(['counted_until_ms', 'closed_until_ms'])
    .where('source', '=', name)
    .forUpdate()
    .executeTakeFirstOrThrow()
  return { countedUntil: Number(mark.counted_until_ms), closedUntil: Number(mark.closed_until_ms) }
}
