import { type RawBuilder, sql } from 'kysely'
import { CREDITED } from '#server/payments/deposits/deposits.queries.ts'

/** The sources of the daily totals: settled orders, credited deposits, paid withdrawals, new accounts. */
export const SOURCES = ['orders', 'deposits', 'withdrawals', 'accounts'] as const
export type Source = (typeof SOURCES)[number]

/** `crypto`, `us_stocks` and `us_fx` are the orders of these markets. */
export const DAY_KINDS = ['crypto', 'us_stocks', 'us_fx', 'deposit', 'withdrawal', 'account'] as const
export type DayKind = (typeof DAY_KINDS)[number]

export const KINDS_OF: Readonly<Record<Source, readonly DayKind[]>> = {
  orders: ['crypto', 'us_stocks', 'us_fx'],
  deposits: ['deposit'],
  withdrawals: ['withdrawal'],
  accounts: ['account'],
}

interface SourceSql {
  /** The table and its condition, as `from … where …`. Each table has an index on `time`. */
  readonly rows: RawBuilder<unknown>
  readonly time: RawBuilder<unknown>
  /** Selects day, kind, is_bot, count, amount and result of all rows between two instants. */
  readonly totals: (from: number | RawBuilder<unknown>, until: number | null) => RawBuilder<unknown>
}

const DAY = sql.raw('86400000')

/**
 * The SQL of each source. Practice accounts and their orders count nowhere. Totals stay right because rows of these sources are never deleted, and their summed columns
 * never change.
 */
export const SOURCE_SQL: Readonly<Record<Source, SourceSql>> = {
  orders: {
    rows: sql`from order_history where not is_practice(user_id)`,
    time: sql.ref('settled_ms'),
    // The house gets lost stakes and pays profits, so its result is the negated sum of the users' results. For speed,
    // the query sums orders by symbol before it joins the market, and compares users with the short list of bots
    // instead of joining all users.
    totals: (from, until) => sql`
      select o.day, s.market_type as kind, o.is_bot, sum(o.count)::int8 as count, sum(o.amount)::int8 as amount,
        sum(o.result)::int8 as result
      from (
        select (settled_ms / ${DAY})::int4 as day, symbol_id, user_id in (select id from app_user where is_bot) as is_bot,
          count(*) as count, sum(stake) as amount, -sum(result_amount) as result
        from order_history where not is_practice(user_id) and ${between('settled_ms', from, until)} group by 1, 2, 3
      ) as o join market_symbol s on s.id = o.symbol_id group by 1, 2, 3`,
  },
  deposits: {
    rows: sql`from deposit where status = ${sql.lit(CREDITED)}`,
    time: sql.ref('decided_ms'),
    // A deposit counts on the day of its first credit, and each arrival on the day of its own. Deposits from before
    // arrivals were stored have one credit.
    totals: (from, until) => sql`
      select m.day, 'deposit' as kind, u.is_bot, sum(m.count)::int8 as count, sum(m.amount)::int8 as amount,
        0::int8 as result
      from (
        select (d.decided_ms / ${DAY})::int4 as day, d.user_id, 1 as count,
          case when d.before_arrivals then d.credited - coalesce((select sum(a.credited) from arrival a
            where a.user_id = d.user_id and a.deposit_id = d.id and a.state = 'credited'), 0) else 0 end as amount
          from deposit d where d.status = ${sql.lit(CREDITED)} and ${between('d.decided_ms', from, until)}
        union all select (a.credited_ms / ${DAY})::int4, a.user_id, 0, a.credited from arrival a
          where a.state = 'credited' and ${between('a.credited_ms', from, until)}
      ) m join app_user u on u.id = m.user_id group by 1, 2, 3`,
  },
  withdrawals: {
    rows: sql`from withdrawal where state in ('paid', 'returned')`,
    time: sql.ref('decided_ms'),
    // If a paid withdrawal comes back, the total of its own day stays, and the amount is deducted on the day of its
    // return.
    totals: (from, until) => sql`
      select m.day, 'withdrawal' as kind, u.is_bot, sum(m.count)::int8 as count, sum(m.amount)::int8 as amount,
        0::int8 as result
      from (
        select (w.decided_ms / ${DAY})::int4 as day, w.user_id, 1 as count, w.amount from withdrawal w
          where w.state in ('paid', 'returned') and ${between('w.decided_ms', from, until)}
        union all select (w.returned_ms / ${DAY})::int4, w.user_id, 0, -w.amount from withdrawal w
          where w.returned_ms is not null and ${between('w.returned_ms', from, until)}
      ) m join app_user u on u.id = m.user_id group by 1, 2, 3`,
  },
  accounts: {
    rows: sql`from app_user where practice_of is null`,
    time: sql.ref('created_ms'),
    totals: (from, until) => sql`
      select (u.created_ms / ${DAY})::int4 as day, 'account' as kind, u.is_bot, count(*)::int8 as count,
        0::int8 as amount, 0::int8 as result
      from app_user u where u.practice_of is null and ${between('u.created_ms', from, until)} group by 1, 2, 3`,
  },
}

function between(column: string, from: number | RawBuilder<unknown>, until: number | null): RawBuilder<unknown> {
  const time = sql.ref(column)
  const begin = typeof from === 'number' ? sql`${from}::int8` : from
  return until === null ? sql`${time} >= ${begin}` : sql`${time} >= ${begin} and ${time} < ${until}::int8`
}
