import { type Price, price } from '#core/money/price.ts'
import { type Instant, instant } from '#core/time/instant.ts'
import type { Db } from '#server/platform/database/tables.ts'
import type { MarketParts } from '#server/market-data/catalogue/market-parts.ts'

/** The first tick after an expiry. */
export interface NextTick {
  readonly seq: number
  readonly price: Price
  readonly time: Instant
}

/**
 * The first tick after an expiry, for display. When a heartbeat decided the price, the stored settlement price names no next tick, and this
 * reads it from the log. Null while there is no such tick.
 */
export async function firstTickAfter(
  { ctx, ticks }: Pick<MarketParts, 'ctx' | 'ticks'>,
  symbolId: number,
  expiresAt: Instant,
): Promise<NextTick | null> {
  return (await storedNext(ctx.db, symbolId, expiresAt)) ?? (await ticks.aroundInstant(symbolId, expiresAt)).next
}

/** The next tick stored with the settlement price; null when a heartbeat decided the price. */
async function storedNext(db: Db, symbolId: number, expiresAt: Instant): Promise<NextTick | null> {
  const row = await db
    .selectFrom('settlement_price')
    .select(['next_seq', 'next_price', 'next_time_ms'])
    .where('symbol_id', '=', symbolId)
    .where('expires_ms', '=', BigInt(expiresAt))
    .executeTakeFirst()
  if (!row || row.next_seq === null || row.next_price === null || row.next_time_ms === null) return null
  return { seq: Number(row.next_seq), price: price(row.next_price), time: instant(row.next_time_ms) }
}
