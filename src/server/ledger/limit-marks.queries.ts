import { sql } from 'kysely'
import { BASE_CURRENCY } from '#core/ledger/transfer.ts'
import { VOID } from '#core/orders/order.ts'
import { DAY_MS, HOUR_MS, MINUTE_MS } from '#core/time/instant.ts'
import type { Db } from '#server/platform/database/tables.ts'

/** 15 minutes between marks. The daily window can be longer than a day by at most this interval. */
export const MARK_INTERVAL_MS = 15 * MINUTE_MS
/**
 * All marks of the last 26 hours are kept: more than the daily window needs, so that the job may be late. Of older
 * marks, the last mark of each hour stays.
 */
const ALL_MARKS_MS = 26 * HOUR_MS
const HOURLY_MARKS_MS = 31 * DAY_MS
const MAX_WINDOW_MS = 30 * DAY_MS

/**
 * The current time by the clock of the database. A statement takes its snapshot before it reads this clock, so every
 * order in the totals had ended by this time. A mark whose totals are too old makes a window longer, and never shorter.
 */
const NOW = sql<bigint>`(extract(epoch from clock_timestamp()) * 1000)::int8`

/**
 * Computes the marks of the last 30 days from the order history of a user, in one snapshot. The totals are sums since a
 * fixed beginning, so later results do not change past marks. The caller needs no lock.
 */
export async function backfillMarks(db: Db, userId: string): Promise<void> {
  await sql`
    with now as materialized (select ${NOW} as ms),
    start as materialized (
      select ms, (ms - ${MAX_WINDOW_MS}::int8) / ${HOUR_MS}::int8 * ${HOUR_MS}::int8 as first_ms,
        ms / ${HOUR_MS}::int8 * ${HOUR_MS}::int8 - ${ALL_MARKS_MS}::int8 as fine_ms from now
    ),
    ended as materialized (
      select case when h.settled_ms > s.fine_ms
          then (h.settled_ms + ${MARK_INTERVAL_MS}::int8 - 1) / ${MARK_INTERVAL_MS}::int8 * ${MARK_INTERVAL_MS}::int8
          else (h.settled_ms + ${HOUR_MS}::int8 - 1) / ${HOUR_MS}::int8 * ${HOUR_MS}::int8 end as made_ms,
        sum(h.result_amount) as net, sum(case when h.result = ${VOID}::int2 then 0 else h.stake end) as staked
      from start s, order_history h where h.user_id = ${userId} and h.settled_ms > s.first_ms group by 1
    ),
    edges as (select made_ms, net, staked from ended union all select first_ms, 0, 0 from start),
    sums as (
      select made_ms, coalesce(sum(net) over later, 0) as net, coalesce(sum(staked) over later, 0) as staked from edges
      window later as (order by made_ms desc rows between unbounded preceding and 1 preceding)
    )
    insert into limit_mark (user_id, made_ms, net_total, stake_total)
    select b.user_id, e.made_ms, b.net_total - e.net, b.stake_total - e.staked
    from sums e, start s, balance b
    where b.user_id = ${userId} and b.currency = ${BASE_CURRENCY} and e.made_ms <= s.ms
    on conflict (user_id, made_ms) do nothing`.execute(db)
}

/**
 * Inserts a mark for each user who has own limits on losses or stakes and whose totals have changed since the newest
 * mark.
 */
export async function addMarks(db: Db): Promise<void> {
  await sql`
    insert into limit_mark (user_id, made_ms, net_total, stake_total)
    select b.user_id, ${NOW}, b.net_total, b.stake_total
    from (select distinct user_id from self_limit where key not like 'deposit%' and key <> 'stake_max') u
    join balance b on b.user_id = u.user_id and b.currency = ${BASE_CURRENCY}
    left join lateral (
      select net_total, stake_total from limit_mark m where m.user_id = u.user_id order by made_ms desc limit 1
    ) m on true
    where (b.net_total, b.stake_total) is distinct from (m.net_total, m.stake_total)
    on conflict (user_id, made_ms) do nothing`.execute(db)
}

/** Deletes marks that no window needs. The newest mark before the start of the longest window always stays. */
export async function dropOldMarks(db: Db): Promise<void> {
  await sql`
    with now as materialized (select ${NOW} as ms)
    delete from limit_mark m using now
    where m.made_ms < now.ms - ${ALL_MARKS_MS}::int8 and exists (
      select from limit_mark newer
      where newer.user_id = m.user_id and newer.made_ms > m.made_ms
        and (newer.made_ms / ${HOUR_MS}::int8 = m.made_ms / ${HOUR_MS}::int8 and newer.made_ms < now.ms - ${ALL_MARKS_MS}::int8
          or newer.made_ms < now.ms - ${HOURLY_MARKS_MS}::int8)
    )`.execute(db)
}
