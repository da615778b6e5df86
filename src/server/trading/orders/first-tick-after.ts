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
 * The first tick after an expiry, for showing. A heartbeat may have settled the orders before that tick came, so the log
 * is asked where the settlement price names none. Null while none is known.
 */
export async function firstTickAfter(
  { ctx, ticks }: Pick<MarketParts, 'ctx' | 'ticks'>,
  symbolId: number,
  expiresAt: Instant,
): Promise<NextTick | null> {
  return (await storedNext(ctx.db, symbolId, expiresAt)) ?? (await ticks.aroundInstant(symbolId, expiresAt)).next
}

/** The tick that the settlement price was decided with; null when a heartbeat decided it. */
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
