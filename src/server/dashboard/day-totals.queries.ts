import { sql } from 'kysely'
import { DAY_MS, type Instant, MINUTE_MS } from '#core/time/instant.ts'
import { COUNT_AFTER_MS } from '#server/dashboard/count-days.ts'
import { type DayKind, type Source, SOURCE_SQL, SOURCES } from '#server/dashboard/day-total-sources.ts'
import type { Db } from '#server/db/tables.ts'

export interface DayTotal {
  /** Days since 1970, UTC. */
  readonly day: number
  readonly kind: DayKind
  readonly isBot: boolean
  readonly count: number
  readonly amount: bigint
  readonly result: bigint
}

export interface DayTotals {
  /** False while years of a first start are still being counted: then the figures are too low. */
  readonly isComplete: boolean
  readonly rows: readonly DayTotal[]
}

/** What is not in the totals yet is counted as it is asked for, but never more than this. */
const MOST_LIVE_MS = 10 * MINUTE_MS

/** The totals of each day from `firstDay` on, exact to the moment: what is counted, and the rows since. One snapshot. */
export async function readDays(db: Db, now: Instant, firstDay: number): Promise<DayTotals> {
  return read(db, now, { day: sql`day`, firstDay })
}

/** The totals of all days together, as of the day 0. */
export async function readAllTime(db: Db, now: Instant): Promise<DayTotals> {
  return read(db, now, { day: sql`0`, firstDay: 0 })
}

async function read(
  db: Db,
  now: Instant,
  { day, firstDay }: { readonly day: ReturnType<typeof sql>; readonly firstDay: number },
): Promise<DayTotals> {
  const earliest = now - MOST_LIVE_MS
  const live = (source: Source) => {
    const from = sql`(select greatest(
      coalesce((select counted_until_ms from day_total_mark where source = ${source}), 0), ${earliest}::int8))`
    return sql`select * from (${SOURCE_SQL[source].totals(from, null)}) as ${sql.ref(source)}`
  }
  const { rows } = await sql<{
    day: number
    kind: DayKind
    is_bot: boolean
    count: bigint
    amount: bigint
    result: bigint
    counted_until: bigint | null
  }>`
    select ${day}::int4 as day, kind, is_bot, sum(count)::int8 as count, sum(amount)::int8 as amount,
      sum(result)::int8 as result,
      (select case when count(*) < ${SOURCES.length}::int8 then 0 else min(counted_until_ms) end
        from day_total_mark) as counted_until
    from (
      select day, kind, is_bot, count, amount, result from day_total where day >= ${firstDay}::int4
      union all ${sql.join(SOURCES.map(live), sql` union all `)}
    ) as counted where day >= ${firstDay}::int4 group by 1, 2, 3 order by 1, 2, 3`.execute(db)
  const [any] = rows
  return {
    isComplete: any === undefined || Number(any.counted_until) >= earliest - COUNT_AFTER_MS,
    rows: rows.map((row) => ({
      day: row.day,
      kind: row.kind,
      isBot: row.is_bot,
      count: Number(row.count),
      amount: row.amount,
      result: row.result,
    })),
  }
}

export function dayOf(at: Instant): number {
  return Math.floor(at / DAY_MS)
}
