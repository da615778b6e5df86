import { linesOfSymbol } from '#core/markets/log-text.ts'
import { paymentAtExpiry } from '#core/orders/sale/payment-at-expiry.ts'
import { DAY_MS, later, MINUTE_MS } from '#core/time/instant.ts'
import { payloadsBetween } from '#server/market-data/tick-log/tick-batch.queries.ts'
import type { Ctx } from '#server/platform/context/context.ts'
import { runPeriodically } from '#server/platform/jobs/run-periodically.ts'
import { insertSaleExpiry, listPassedOrders } from '#server/trading/sales/sale-expiries.queries.ts'

/** 2 minutes after the expiry, late evidence of missing trades is usually in the tick log. */
const AFTER_MS = 2 * MINUTE_MS
/** If the trades that decide an expiry are missing for a day, the order stays out of the figures. */
const UNTIL_MS = DAY_MS
const AROUND_MS = 10 * MINUTE_MS
const MAX_PER_ROUND = 200

/**
 * Once a minute, stores for the public figures how much sold orders would have paid at their expiry. Returns a function
 * that stops it.
 */
export function noteSaleExpiriesPeriodically(ctx: Ctx): () => Promise<void> {
  return runPeriodically(ctx, {
    pauseMs: () => MINUTE_MS,
    run: () => noteSaleExpiries(ctx),
    failure: 'the ends of sold orders are not noted',
  })
}

/**
 * Once the expiry of a sold order has passed, computes from the tick log how much the order would have paid without the
 * sale.
 */
export async function noteSaleExpiries({ db, now }: Pick<Ctx, 'db' | 'now'>): Promise<void> {
  const at = now()
  for (const order of await listPassedOrders(db, later(at, -UNTIL_MS), later(at, -AFTER_MS), MAX_PER_ROUND)) {
    const { expiresAt, symbolId } = order.facts
    const around = { from: later(expiresAt, -AROUND_MS), to: later(expiresAt, AROUND_MS) }
    const payloads = await payloadsBetween(db, { ...around, hasLate: true })
    const payment = paymentAtExpiry(
      order.facts,
      payloads.flatMap((text) => linesOfSymbol(text, symbolId)),
    )
    if (payment !== null) await insertSaleExpiry(db, order, { payment, at })
  }
}
