import { money } from '#core/money/money.ts'
import { price, volume } from '#core/money/price.ts'
import { BUY } from '#core/orders/order.ts'
import { TRX_BYTES, trxFrom } from '#core/orders/trx.ts'
import { later, MINUTE_MS } from '#core/time/instant.ts'
import type { Ctx } from '#server/platform/context/context.ts'
import type { PlannedOrder } from '#server/trading/engine/planned-order.ts'
import { BTC, ONE_MINUTE } from '#test/support/market-fixtures.ts'

/** Builds an order with a stake of one unit that needs only its user's side. */
export function plannedOrder(ctx: Ctx, userId: string, change: Partial<PlannedOrder> = {}): PlannedOrder {
  const now = ctx.now()
  const value = { symbolId: BTC.id, seq: 1, price: price(6_728_410), volume: volume(1), source: 'test' }
  return {
    userId,
    orderId: ctx.newId(),
    trx: trxFrom(ctx.randomBytes(TRX_BYTES), now),
    clientOrderId: ctx.newId(),
    direction: BUY,
    stake: money(100n),
    placement: {
      symbol: BTC,
      terms: ONE_MINUTE,
      entry: { ...value, time: now, receivedAt: now },
      openedAt: now,
      expiresAt: later(now, MINUTE_MS),
    },
    maxTickAgeMs: BTC.maxTickAgeMs,
    isBot: false,
    receivedAt: now,
    head: { lastSeq: 1, hash: new Uint8Array(32) },
    ...change,
  }
}
