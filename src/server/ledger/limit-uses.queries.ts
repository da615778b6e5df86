import { sql } from 'kysely'
import { type LimitUse, type SelfLimitKey, WINDOW_MS } from '#core/accounts/self-limits.ts'
import { BASE_CURRENCY } from '#core/ledger/transfer.ts'
import { money } from '#core/money/money.ts'
import { type Instant, instant } from '#core/time/instant.ts'
import { MARK_INTERVAL_MS } from '#server/ledger/limit-marks.queries.ts'
import { limitWindows } from '#server/ledger/limit-use-sql.ts'
import type { Db } from '#server/platform/database/tables.ts'

/** An own limit in force, with how much of it is used. */
export interface LimitState extends LimitUse {
  readonly key: SelfLimitKey
  readonly since: Instant
  /** When part of the limit becomes available again as time passes. Null when the passing of time frees nothing. */
  readonly freesAt: Instant | null
}

const NOW = sql<bigint>`(extract(epoch from clock_timestamp()) * 1000)::int8`
const { day, week, month } = WINDOW_MS

/** Sums the user's deposits of the window `w`: credited deposits are `used`, waiting deposits are `open`. */
const depositUse = (userId: string) => sql`
  select coalesce(sum(credited) filter (where status = 1), 0)::int8 as used,
    coalesce(sum(credited) filter (where status = 2), 0)::int8 as open, min(created_ms) + w.ms as frees_ms
  from deposit where user_id = ${userId} and status in (1, 2) and created_ms > now.ms - w.ms`

const depositWindows = sql`
  (values ('deposit_day', ${sql.lit(day)}::int8), ('deposit_week', ${sql.lit(week)}::int8),
    ('deposit_month', ${sql.lit(month)}::int8)) w (key, ms)`

/** Lists the own limits of a user that are in force by the clock of the database. */
export async function listLimits(db: Db, userId: string): Promise<LimitState[]> {
  const { rows } = await sql<{
    key: SelfLimitKey
    value: bigint
    since_ms: bigint
    used: bigint
    open: bigint
    frees_ms: bigint | null
  }>`
    with now as materialized (select ${NOW} as ms),
    l as materialized (select * from balance where user_id = ${userId} and currency = ${BASE_CURRENCY}),
    uses as (
      select w.key, w.used, l.staked as open, case when w.used > 0 then coalesce(
          (select min(m.made_ms) + w.ms from limit_mark m where m.user_id = l.user_id and m.made_ms > w.made_ms
            and case when w.is_loss then greatest(0, m.net_total - l.net_total) else l.stake_total - m.stake_total end < w.used),
          (select min(o.settled_ms) + w.ms + ${MARK_INTERVAL_MS}::int8 from order_history o where o.user_id = l.user_id
            and o.settled_ms > (select coalesce(max(m.made_ms), 0) from limit_mark m where m.user_id = l.user_id)),
          now.ms + w.ms + ${MARK_INTERVAL_MS}::int8) end as frees_ms
      from now, l cross join lateral (${limitWindows(sql`(select ms from now)`)}) w
      union all
      select w.key, d.used, d.open, d.frees_ms from now cross join ${depositWindows}
      cross join lateral (${depositUse(userId)}) d
    )
    select s.key, s.amount as value, s.since_ms, coalesce(u.used, 0) as used, coalesce(u.open, 0) as open, u.frees_ms
    from self_limit s left join uses u on u.key = s.key
    where s.user_id = ${userId} and s.key not in ('reality_check', 'withdrawal_lock')`.execute(db)
  return rows.map((row) => ({
    key: row.key,
    value: money(row.value),
    since: instant(row.since_ms),
    used: money(row.used),
    open: money(row.open),
    freesAt: row.frees_ms === null ? null : instant(row.frees_ms),
  }))
}
