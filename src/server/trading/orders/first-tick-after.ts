import { sql } from 'kysely'
import { type Price, price } from '#core/money/price.ts'
import { type Instant, instant } from '#core/time/instant.ts'
import { pricesOfOrder } from '#server/trading/engine/due-orders.queries.ts'
import type { MarketParts } from '#server/market-data/catalogue/market-parts.ts'

/** The first tick after an expiry. */
export interface NextTick {
  readonly seq: number
  readonly price: Price
  readonly time: Instant
}

/** A settled order whose next tick is shown. */
export interface ShownOrder {
  readonly orderId: string
  readonly symbolId: number
  readonly expiresAt: Instant
}

/**
 * Finds the first tick after an expiry, for display. When a heartbeat decided the price, the stored settlement price
 * names no next tick, so the tick is read from the log. Null while there is no such tick, or when the record of the
 * source decided the price without a next tick.
 */
export async function firstTickAfter(
  { ctx, ticks }: Pick<MarketParts, 'ctx' | 'ticks'>,
  { orderId, symbolId, expiresAt }: ShownOrder,
): Promise<NextTick | null> {
  const { rows } = await sql<NextColumns>`
    select coalesce(p.next_seq, d.next_seq) as next_seq, coalesce(p.next_price, d.next_price) as next_price,
      coalesce(p.next_time_ms, d.next_time_ms) as next_time_ms, o.evidence
    from order_history o ${pricesOfOrder} where o.id = ${orderId}::uuid`.execute(ctx.db)
  const [row] = rows
  const { next_seq: seq, next_price: units, next_time_ms: timeMs } = row ?? NO_COLUMNS
  if (seq !== null && units !== null && timeMs !== null) {
    return { seq: Number(seq), price: price(units), time: instant(timeMs) }
  }
  return row?.evidence === 'ids' ? null : (await ticks.aroundInstant(symbolId, expiresAt)).next
}

interface NextColumns {
  readonly next_seq: bigint | null
  readonly next_price: bigint | null
  readonly next_time_ms: bigint | null
  readonly evidence: string | null
}

const NO_COLUMNS: NextColumns = { next_seq: null, next_price: null, next_time_ms: null, evidence: null }
