import { TICKS_SPAN_MS } from '#contract/trades.ts'
import { thinTicks } from '#core/markets/thin-ticks.ts'
import { priceNumber } from '#core/money/price.ts'
import { instant } from '#core/time/instant.ts'
import type { MarketParts } from '#server/market-data/catalogue/market-parts.ts'
import type { OwnOrder } from '#server/trading/orders/own-orders.ts'
import { symbolOf } from '#server/trading/orders/trade-reply.ts'

/** How much of the prices before the entry and after the expiry is drawn, as a share of the order's duration. */
const AROUND = 0.25
/** More than a wide screen has pixels. */
const STEPS = 1_500
/** Ticks of one symbol in ten minutes; of a busier one only the newest are drawn. */
const MAX_TICKS = 100_000

/** Answers the ticks around an order from a moment on, as far as the answer may reach and as far as they are final. */
export async function ticksAround({ catalogue, ticks }: MarketParts, order: OwnOrder, from = 0) {
  const { symbolId, openedAt, expiresAt } = order
  const { decimals } = symbolOf(order, catalogue)
  const around = Math.ceil((expiresAt - openedAt) * AROUND)
  const [first, last] = [openedAt - around, expiresAt + around]
  const start = Math.min(Math.max(from, first), last)
  // What the source was heard through: no earlier tick is accepted any more.
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
