import { TICKS_SPAN_MS } from '#contract/trades.ts'
import { thinTicks } from '#core/markets/thin-ticks.ts'
import { priceNumber } from '#core/money/price.ts'
import { instant } from '#core/time/instant.ts'
import type { MarketParts } from '#server/market-data/catalogue/market-parts.ts'
import type { OwnOrder } from '#server/trading/orders/own-orders.ts'
import { symbolOf } from '#server/trading/orders/trade-reply.ts'

/** The chart begins 25 % of the order's duration before the entry, and ends 25 % after the expiry. */
const AROUND = 0.25
/** The chart of an order has at most about 1,500 points, as many as a wide screen can show. */
const STEPS = 1_500
/**
 * The largest number of ticks to read for ten minutes of one symbol. For a busier symbol, only the newest ticks are
 * drawn.
 */
const MAX_TICKS = 100_000

/** Returns the ticks around an order from `from` on, limited to the maximum span and to final ticks. */
export async function ticksAround({ catalogue, ticks }: MarketParts, order: OwnOrder, from = 0) {
  const { symbolId, openedAt, expiresAt } = order
  const { decimals } = symbolOf(order, catalogue)
  const around = Math.ceil((expiresAt - openedAt) * AROUND)
  const [first, last] = [openedAt - around, expiresAt + around]
  const start = Math.min(Math.max(from, first), last)
  // Up to the watermark the ticks are final: no earlier tick is accepted any more.
  const through = Math.min(start + TICKS_SPAN_MS, last, ticks.watermark(symbolId) ?? 0)
  if (through < start) return { from_ms: start, through_ms: start, ticks: [] }
  const all = await ticks.between(symbolId, instant(start), instant(through), MAX_TICKS)
  const shown = thinTicks(all, Math.max(1, Math.floor((last - first) / STEPS)))
  return {
    from_ms: start,
    through_ms: through,
    ticks: shown.map(({ time, price }) => ({ time_ms: time, price: priceNumber(price, decimals) })),
  }
}
