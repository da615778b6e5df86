import { sql } from 'kysely'
import { ALL } from '#core/markets/terms/terms-entry.ts'
import { type Money, money } from '#core/money/money.ts'
import { DAY_MS, type Instant, instant, MINUTE_MS } from '#core/time/instant.ts'
import type { Db } from '#server/platform/database/tables.ts'
import { PROFIT } from '#server/trading/caps/profit-sql.ts'

/** The sums that a cap limits: the profits that open orders of each side would win. */
export interface CapUse {
  /** The subject of the cap as in the trade terms, for example `symbol_BTC`. */
  readonly of: string
  readonly isBot: boolean
  readonly buys: Money
  readonly sells: Money
  /** The minute of expiry with the largest sum. Null unless the cap counts each minute of expiry separately. */
  readonly minute: Instant | null
}

/**
 * Reads the open profits of every scope: the site, each market, each symbol, and its fullest minute of expiry. Scopes
 * without open orders are left out.
 */
export async function readCapUse(db: Db): Promise<CapUse[]> {
  const { rows } = await sql<{
    subject: string
    is_bot: boolean
    minute: bigint | null
    buys: bigint
    sells: bigint
  }>`
    with open as materialized (
      select upper(s.code) as code, s.market_type, u.is_bot, o.expires_ms / ${MINUTE_MS}::int8 as minute,
        coalesce(sum(${PROFIT}) filter (where o.direction = 1), 0) as buys,
        coalesce(sum(${PROFIT}) filter (where o.direction = 2), 0) as sells
      from open_order o join market_symbol s on s.id = o.symbol_id join app_user u on u.id = o.user_id
      where u.practice_of is null
      group by 1, 2, 3, 4
    )
    select 'site_' || ${ALL}::text as subject, is_bot, null::int8 as minute, sum(buys)::int8 as buys, sum(sells)::int8 as sells
    from open group by is_bot
    union all
    select 'market_' || market_type, is_bot, null, sum(buys)::int8, sum(sells)::int8 from open group by market_type, is_bot
    union all
    select 'symbol_' || code, is_bot, null, sum(buys)::int8, sum(sells)::int8 from open group by code, is_bot
    union all
    select * from (
      select distinct on (code, is_bot) 'expiry_' || code, is_bot, minute, buys::int8, sells::int8
      from open order by code, is_bot, greatest(buys, sells) desc, minute
    ) fullest`.execute(db)
  return rows.map((row) => ({
    of: row.subject,
    isBot: row.is_bot,
    buys: money(row.buys),
    sells: money(row.sells),
    minute: row.minute === null ? null : instant(row.minute * BigInt(MINUTE_MS)),
  }))
}

/**
 * Lists how many orders a cap refused on each of the last `days` days, by symbol and direction. The newest day comes
 * first.
 */
export async function listCapRefusals(db: Db, now: Instant, days: number) {
  const today = Math.floor(now / DAY_MS)
  const rows = await db
    .selectFrom('cap_refusal as r')
    .innerJoin('market_symbol as s', 's.id', 'r.symbol_id')
    .select(['r.day', 's.code', 'r.direction', 'r.orders'])
    .where('r.day', '>', today - days)
    .orderBy('r.day', 'desc')
    .orderBy('s.code')
    .orderBy('r.direction')
    .execute()
  return rows.map(({ day, code, direction, orders }) => ({
    day: instant(day * DAY_MS),
    isToday: day === today,
    code: code.toUpperCase(),
    direction,
    orders: Number(orders),
  }))
}
