import { sql } from 'kysely'
import { DAY_MS, type Instant } from '#core/time/instant.ts'
import { DAY, IS_BOT, OF_MONEY } from '#server/back-office/reports/report-flows.queries.ts'
import type { Tx } from '#server/platform/database/tables.ts'

export interface UserCounts {
  /** Accounts created in the period. */
  readonly new: number
  /** Accounts that placed at least one accepted order in the period. */
  readonly active: number
  readonly depositing: number
  readonly first_deposits: number
}

/**
 * Counts the users of a period. For whole days, one row for each user stores 32 days as bits. For a partial first or
 * last day, the times of the first and last transfer on that day tell whether one lies in the period.
 */
export async function countUsers(
  tx: Tx,
  { start, end, totalsUntil }: { readonly start: Instant; readonly end: Instant; readonly totalsUntil: Instant },
): Promise<{ people: UserCounts; bots: UserCounts }> {
  const firstWhole = Math.ceil(start / DAY_MS)
  const afterWhole = Math.max(firstWhole, Math.min(Math.floor(end / DAY_MS), Math.ceil(totalsUntil / DAY_MS)))
  const shift = sql`greatest(${firstWhole}::int4 - block * 32, 0)`
  const width = sql`(least(${afterWhole}::int4, block * 32 + 32) - greatest(${firstWhole}::int4, block * 32))`
  const { rows } = await sql<{ is_bot: boolean; what: keyof UserCounts; users: bigint }>`
    with seen as materialized (
      select kind, user_id, is_bot from (
        select kind, user_id, is_bot from report_user_days
        where kind in ('order_stake', 'deposit') and block >= ${firstWhole}::int4 / 32 and block * 32 < ${afterWhole}::int4
          and ${width} > 0 and (days >> ${shift}) & ((1::int8 << ${width}) - 1) <> 0
        union all
        select kind, user_id, is_bot from report_user_day
        where kind in ('order_stake', 'deposit') and day in (${start}::int8 / ${DAY}, ${end}::int8 / ${DAY})
          and (day < ${firstWhole}::int4 or day >= ${afterWhole}::int4)
          and last_ms >= ${start}::int8 and first_ms < ${end}::int8 and day::int8 * ${DAY} < ${totalsUntil}::int8
        union all
        select t.kind, t.user_id, ${IS_BOT} from transfer t
        where ${OF_MONEY} and t.kind in ('order_stake', 'deposit') and t.created_ms >= greatest(${totalsUntil}::int8, ${start}::int8)
          and t.created_ms < ${end}::int8
      ) as days group by 1, 2, 3)
    select is_bot, case kind when 'deposit' then 'depositing' else 'active' end as what, count(*) as users
    from seen group by 1, 2
    union all
    select is_bot, 'first_deposits', count(*) from seen
    where kind = 'deposit' and not exists (
      select from report_user_day d where d.kind = 'deposit' and d.user_id = seen.user_id and d.first_ms < ${start}::int8)
    group by 1
    union all
    select is_bot, 'new', count(*) from app_user
    where practice_of is null and created_ms >= ${start}::int8 and created_ms < ${end}::int8 group by 1`.execute(tx)
  const counts = (isBot: boolean): UserCounts => {
    const of = (what: keyof UserCounts) =>
      Number(rows.find((row) => row.is_bot === isBot && row.what === what)?.users ?? 0)
    return { new: of('new'), active: of('active'), depositing: of('depositing'), first_deposits: of('first_deposits') }
  }
  return { people: counts(false), bots: counts(true) }
}
