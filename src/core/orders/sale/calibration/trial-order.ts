import { type Session, sessionAt } from '#core/markets/calendar/sessions.ts'
import type { MarketType } from '#core/markets/market.ts'
import type { Price } from '#core/money/price.ts'
import { BUY, type Direction, SELL } from '#core/orders/order.ts'
import type { PriceCourse } from '#core/orders/sale/price-course.ts'
import { type Instant, instant, SECOND_MS } from '#core/time/instant.ts'

/** An order that could have been placed on the recorded days. */
export interface TrialOrder {
  readonly direction: Direction
  readonly openedMs: Instant
  readonly expiresMs: Instant
  readonly entryPrice: Price
  readonly exitPrice: Price
  readonly session: Session
}

const EVERY_MS = 20 * SECOND_MS

/**
 * Yields a buy and a sell of one duration every 20 s. It leaves out times at which the market closes before the expiry,
 * or the log has no recent price at the opening or expiry.
 */
export function* trialOrders(
  course: PriceCourse,
  { marketType, maxTickAgeMs }: { readonly marketType: MarketType; readonly maxTickAgeMs: number },
  lengthMs: number,
): Generator<TrialOrder> {
  const [first = 0, last = 0] = [course.times[0], course.times.at(-1)]
  const priceAt = (ms: number): Price | null => {
    const index = course.indexAt(ms)
    const isInTime = index >= 0 && ms - (course.times[index] as Instant) <= maxTickAgeMs
    return isInTime ? (course.prices[index] as Price) : null
  }
  for (let ms = Math.ceil(first / EVERY_MS) * EVERY_MS; ms + lengthMs <= last; ms += EVERY_MS) {
    const [openedMs, expiresMs] = [instant(ms), instant(ms + lengthMs)]
    const session = sessionAt(marketType, openedMs)
    if (session === null || expiresMs > session.close) continue
    const [entryPrice, exitPrice] = [priceAt(openedMs), priceAt(expiresMs)]
    if (entryPrice === null || exitPrice === null) continue
    for (const direction of [BUY, SELL] as const)
      yield { direction, openedMs, expiresMs, entryPrice, exitPrice, session }
  }
}
