import { sql } from 'kysely'
import { DAY_MS, type Instant } from '#core/time/instant.ts'
import type { Db, Tx } from '#server/platform/database/tables.ts'
import { pricesOfOrder } from '#server/trading/engine/due-orders.queries.ts'

/**
 * The `cause` of orders whose price late evidence decided, and (`IN_TIME`) of orders whose price the live stream
 * decided. A void order has its void reason as cause.
 */
export const LATE = 'late'
const IN_TIME = 'in_time'

const DAY = sql.raw(String(DAY_MS))
/** 10 s: the longest time between two heartbeats that a running server writes to `server_run`. */
const BEAT_MS = sql.raw('10000')

/**
 * Adds the orders settled between two instants to the totals of their days, without practice orders. The totals are separate for each cause: see
 * `LATE`.
 */
export async function addOrderEnds(tx: Tx, from: number, until: number): Promise<void> {
  await sql`
    insert into order_end_day as e (day, is_bot, symbol_id, evidence, cause, is_down, orders)
    select day, is_bot, symbol_id, evidence, cause, is_down, count(*) from (
      select (o.settled_ms / ${DAY})::int4 as day, o.user_id in (select id from app_user where is_bot) as is_bot, o.symbol_id,
        coalesce(o.evidence, 'none_by_rule_1') as evidence,
        coalesce(o.void_reason, case when d.is_late then ${LATE} else ${IN_TIME} end) as cause,
        o.void_reason is not null and not exists (
          select from server_run r
          where r.ready_ms <= o.expires_ms and coalesce(r.stopped_ms, r.seen_ms + ${BEAT_MS}) >= o.expires_ms) as is_down
      from order_history o ${pricesOfOrder}
      where o.settled_ms >= ${from}::int8 and o.settled_ms < ${until}::int8 and o.result <> 5 and not is_practice(o.user_id)
    ) as settled group by 1, 2, 3, 4, 5, 6
    on conflict (day, is_bot, symbol_id, evidence, cause, is_down) do update
    set orders = e.orders + excluded.orders`.execute(tx)
}

/** The number of settled orders of one cause or of one day. */
export interface OrderEnds {
  readonly of: string
  readonly orders: number
  readonly bots: number
  readonly whileDown: number
}

/** Sums up the orders of the last days by cause, or the void orders by day. Newest day first. */
export async function sumOrderEnds(db: Db, by: 'cause' | 'day', firstDay: number): Promise<OrderEnds[]> {
  const key =
    by === 'cause' ? sql`cause` : sql`to_char(to_timestamp(day::int8 * 86400) at time zone 'utc', 'YYYY-MM-DD')`
  const { rows } = await sql<{ of: string; orders: bigint; bots: bigint; down: bigint }>`
    select ${key} as of, sum(orders)::int8 as orders, coalesce(sum(orders) filter (where is_bot), 0)::int8 as bots,
      coalesce(sum(orders) filter (where is_down), 0)::int8 as down
    from order_end_day
    where day >= ${firstDay}::int4 and (${by} = 'cause' or cause not in (${LATE}, ${IN_TIME}))
    group by 1 order by 1 desc`.execute(db)
  return rows.map((row) => ({
    of: row.of,
    orders: Number(row.orders),
    bots: Number(row.bots),
    whileDown: Number(row.down),
  }))
}

/** Counts all orders and the void orders since `firstDay`, for each symbol whose source keeps no public record. */
export async function countWithoutRecord(
  db: Db,
  firstDay: number,
): Promise<{ readonly symbolId: number; readonly orders: number; readonly voids: number }[]> {
  const { rows } = await sql<{ symbol_id: number; orders: bigint; voids: bigint }>`
    select symbol_id, sum(orders)::int8 as orders,
      coalesce(sum(orders) filter (where cause not in (${LATE}, ${IN_TIME})), 0)::int8 as voids
    from order_end_day where day >= ${firstDay}::int4 and evidence = 'none'
    group by symbol_id order by symbol_id`.execute(db)
  return rows.map((row) => ({ symbolId: row.symbol_id, orders: Number(row.orders), voids: Number(row.voids) }))
}

/** Returns the first day of a period of `days` days that ends today, in days since 1970 (UTC). */
export function firstDayOf(now: Instant, days: number): number {
  return Math.floor(now / DAY_MS) - (days - 1)
}
