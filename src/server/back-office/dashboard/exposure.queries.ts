import { sql } from 'kysely'
import type { EXPIRY_SPANS } from '#contract/back-office/dashboard.ts'
import type { MarketType } from '#core/markets/market.ts'
import { type Money, money } from '#core/money/money.ts'
import { DAY_MS, HOUR_MS, type Instant, MINUTE_MS } from '#core/time/instant.ts'
import type { Db } from '#server/platform/database/tables.ts'
import { PROFIT } from '#server/trading/caps/profit-sql.ts'

export type ExpirySpan = (typeof EXPIRY_SPANS)[number]

/** The exposure of the house to open orders of one symbol that expire within one time span. */
export interface SpanExposure {
  readonly code: string
  readonly marketType: MarketType
  readonly span: ExpirySpan
  readonly orders: number
  readonly stakes: Money
  /** The house result if all of these buys win. A negative result means that the house pays. */
  readonly ifBuysWin: Money
  readonly ifSellsWin: Money
  /**
   * The house result if each expiry has the outcome that is worse for the house, because each expiry has its own price.
   */
  readonly worst: Money
}

/**
 * Reads the exposure of all open orders, or only of users' or bots' orders. Practice orders are no exposure. Open orders are few, so no total is stored.
 */
export async function readExposure(db: Db, now: Instant, isBot: boolean | null): Promise<SpanExposure[]> {
  const { rows } = await sql<{
    code: string
    market_type: MarketType
    span: ExpirySpan
    orders: bigint
    stakes: bigint
    if_buys_win: bigint
    if_sells_win: bigint
    worst: bigint
  }>`
    with expiry as (
      select symbol_id, expires_ms, count(*) as orders, sum(stake) as stakes,
        coalesce(sum(stake) filter (where direction = 2), 0) - coalesce(sum(${PROFIT}) filter (where direction = 1), 0)
          as if_buys_win,
        coalesce(sum(stake) filter (where direction = 1), 0) - coalesce(sum(${PROFIT}) filter (where direction = 2), 0)
          as if_sells_win
      from open_order
      where not is_practice(user_id) and ${isBot === null ? sql`true` : sql`user_id ${isBot ? sql`` : sql`not`} in (select id from app_user where is_bot)`}
      group by symbol_id, expires_ms
    )
    select s.code, s.market_type,
      case when expires_ms < ${now + MINUTE_MS}::int8 then 'minute'
        when expires_ms < ${now + 5 * MINUTE_MS}::int8 then 'five_minutes'
        when expires_ms < ${now + HOUR_MS}::int8 then 'hour'
        when expires_ms < ${now + DAY_MS}::int8 then 'day' else 'later' end as span,
      sum(orders)::int8 as orders, sum(stakes)::int8 as stakes, sum(if_buys_win)::int8 as if_buys_win,
      sum(if_sells_win)::int8 as if_sells_win, sum(least(if_buys_win, if_sells_win))::int8 as worst
    from expiry join market_symbol s on s.id = expiry.symbol_id group by 1, 2, 3`.execute(db)
  return rows.map((row) => ({
    code: row.code,
    marketType: row.market_type,
    span: row.span,
    orders: Number(row.orders),
    stakes: money(row.stakes),
    ifBuysWin: money(row.if_buys_win),
    ifSellsWin: money(row.if_sells_win),
    worst: money(row.worst),
  }))
}
