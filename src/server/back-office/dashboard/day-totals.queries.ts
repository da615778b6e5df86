import { sql } from 'kysely'
import { DAY_MS, type Instant, MINUTE_MS } from '#core/time/instant.ts'
import { type DayKind, type Source, SOURCE_SQL, SOURCES } from '#server/back-office/dashboard/day-total-sources.ts'
import type { Db } from '#server/platform/database/tables.ts'

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
  /** False while the first start still counts earlier years. The figures are too low then. */
  readonly isComplete: boolean
  readonly rows: readonly DayTotal[]
}

/** 10 minutes: the longest period whose uncounted rows are summed for each request. */
const MAX_LIVE_SPAN_MS = 10 * MINUTE_MS

/**
 * Returns the totals of each day from `firstDay` until now, from one snapshot. The query adds the rows of at most the
 * last 10 minutes that are not counted yet to the stored totals.
 */
export async function readDays(db: Db, now: Instant, firstDay: number): Promise<DayTotals> {
  return read(db, now, { day: sql`day`, firstDay })
}

/** Returns the totals of all days together, under day 0. */
export async function readAllTime(db: Db, now: Instant): Promise<DayTotals> {
  return read(db, now, { day: sql`0`, firstDay: 0 })
}

async function read(
  db: Db,
  now: Instant,
  { day, firstDay }: { readonly day: ReturnType<typeof sql>; readonly firstDay: number },
): Promise<DayTotals> {
  const earliest = now - MAX_LIVE_SPAN_MS
  const live = (source: Source) => {
    const from = sql`(select greatest(
      coalesce((select counted_until_ms from day_total_mark where source = ${source}), 0), ${earliest}::int8))`
    return sql`select * from (${SOURCE_SQL[source].totals(from, null)}) as ${sql.ref(source)}`
  }
  const { rows } = await sql<{
    counted_until: bigint
    day: number | null
    kind: DayKind
    is_bot: boolean
    count: bigint
    amount: bigint
    result: bigint
  }>`
    select marks.counted_until, totals.*
    from (
      select case when count(*) < ${SOURCES.length}::int8 then 0 else min(counted_until_ms) end as counted_until
      from day_total_mark where source in (${sql.join(SOURCES)})
    ) as marks
    left join (
      select ${day}::int4 as day, kind, is_bot, sum(count)::int8 as count, sum(amount)::int8 as amount,
        sum(result)::int8 as result
      from (
        select day, kind, is_bot, count, amount, result from day_total where day >= ${firstDay}::int4
        union all ${sql.join(SOURCES.map(live), sql` union all `)}
      ) as counted where day >= ${firstDay}::int4 group by 1, 2, 3
    ) as totals on true
    order by totals.day, totals.kind, totals.is_bot`.execute(db)
  // Because of the left join, one row reports `counted_until` even when no totals exist.
  return {
    isComplete: Number(rows[0]?.counted_until ?? 0) >= earliest,
    rows: rows.flatMap(({ day: found, kind, is_bot: isBot, count, amount, result }) =>
      found === null ? [] : [{ day: found, kind, isBot, count: Number(count), amount, result }],
    ),
  }
}

export function dayOf(at: Instant): number {
  return Math.floor(at / DAY_MS)
}
